"""The registry: the one list of games, each with its folder."""

from diadem.game import AnyGame
from diadem.registry import Registry

GAMES: Registry[AnyGame] = Registry(
    __name__,
    {
        "diamoniak": "castles",
        "piratatak": "castles",
        "diadingo": "diadingo",
        "diamino-rummy": "diamino",
        "diamino-bonus": "diamino",
    },
)
