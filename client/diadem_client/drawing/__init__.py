"""What a table looks like, drawn in characters. Nothing here knows a terminal or a widget."""
