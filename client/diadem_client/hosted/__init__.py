"""Clients that a host runs for others, over ssh."""
