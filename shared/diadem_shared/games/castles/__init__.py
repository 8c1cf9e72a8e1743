"""Diamoniak and Piratatak: one rule set in two editions."""

from diadem_shared.games.castles.editions import DIAMONIAK, PIRATATAK, Edition
from diadem_shared.games.castles.game import Castles

__all__ = ["DIAMONIAK", "GAMES", "PIRATATAK", "Castles", "Edition"]

GAMES = {game.name: game for game in (Castles(DIAMONIAK), Castles(PIRATATAK))}
