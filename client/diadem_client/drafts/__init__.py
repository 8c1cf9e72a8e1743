"""Moves half made: marked cards, an aim, tiles set down for a try. Values, without a screen."""
