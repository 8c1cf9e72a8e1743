"""The games, and the protocol between client and server. No I/O happens here, but for reading package data."""
