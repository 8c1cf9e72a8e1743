"""What a client knows, and the forms it offers, as values without a screen."""
