"""What only a client on its player's own machine does: a server for one, files, a demonstration."""
