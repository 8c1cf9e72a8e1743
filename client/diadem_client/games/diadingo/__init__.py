"""Diadingo on the screen."""
