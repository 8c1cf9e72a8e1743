"""Diamino on the screen, under both rule sets."""
