"""All that the client knows of each game: a folder and a line here for each."""

from diadem_client.games.client_game import ClientGame
from diadem_shared import games
from diadem_shared.registry import Registry

GAMES: Registry[ClientGame] = Registry(
    __name__,
    {
        "diamoniak": "castles",
        "piratatak": "castles",
        "diadingo": "diadingo",
        "diamino-rummy": "diamino",
        "diamino-bonus": "diamino",
    },
)

if differing := GAMES.keys() ^ games.GAMES.keys():
    raise ImportError(
        f"{', '.join(sorted(differing))}: every game needs a line both in diadem_shared.games.GAMES and in"
        " diadem_client.games.GAMES"
    )
