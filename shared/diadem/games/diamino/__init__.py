"""Diamino: crossword tiles and devils, under both of its rule sets."""

from diadem.games.diamino.game import Diamino
from diadem.games.diamino.terms import RuleSet

__all__ = ["Diamino", "RuleSet"]
