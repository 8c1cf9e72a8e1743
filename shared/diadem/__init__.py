"""The games, and the words that client and server speak. No I/O happens here."""
