"""What only a client on the player's own machine does: solo servers, local files, the demonstration."""
