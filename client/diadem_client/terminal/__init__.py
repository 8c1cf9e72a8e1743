"""Drivers that write to the player's terminal."""
