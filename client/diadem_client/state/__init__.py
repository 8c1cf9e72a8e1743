"""What a client knows and what can be chosen, as values without a screen."""
