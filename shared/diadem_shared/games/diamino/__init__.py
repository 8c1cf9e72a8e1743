"""Diamino: crossword tiles and devils, under both of its rule sets."""

from diadem_shared.games.diamino.game import Diamino
from diadem_shared.games.diamino.terms import RuleSet

__all__ = ["GAMES", "Diamino", "RuleSet"]

GAMES = {game.name: game for game in map(Diamino, RuleSet)}
