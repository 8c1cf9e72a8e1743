"""All that the client knows of each game, a folder a game."""
