"""What the panes of all games share: canvas, look, and the pane where moves are typed."""
