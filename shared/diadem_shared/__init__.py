"""The games, and the protocol between client and server. No I/O happens here, but for reading package data."""

VERSION = "0.1.0"
"""Of the whole distribution; pyproject.toml takes it from here."""
