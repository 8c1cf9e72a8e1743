"""Diadingo: diamonds for rings, some of which will not come off the board."""

from diadem_shared.games.diadingo.game import Diadingo

__all__ = ["GAMES", "Diadingo"]

GAMES = {game.name: game for game in (Diadingo(),)}
