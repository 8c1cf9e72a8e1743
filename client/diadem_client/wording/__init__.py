"""Sentences that belong to no single game."""
