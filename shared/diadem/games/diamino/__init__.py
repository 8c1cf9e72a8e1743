"""Diamino: words laid on a shared board, under two sets of rules."""
