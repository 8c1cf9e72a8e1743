"""What the panes of all games share: canvas, inks, and the pane where moves are typed."""
