"""The games, and the protocol between client and server. No I/O happens here."""
