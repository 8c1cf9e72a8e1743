"""The registry: the one list of games, each with its folder."""

from diadem_shared.game import AnyGame
from diadem_shared.registry import Registry

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


def package_of(game: str) -> str:
    """The folder of a game, where its files of data are looked for."""
    return type(GAMES[game]).__module__.removesuffix(".game")
