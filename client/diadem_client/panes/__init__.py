"""The middle of the table screen, one pane a game: what lies there, and what its keys do."""
