"""All that the client knows of each game: a folder and a line here for each."""

from diadem import games
from diadem_client.games.castles import DIAMONIAK, PIRATATAK
from diadem_client.games.client_game import ClientGame
from diadem_client.games.diadingo import DIADINGO
from diadem_client.games.diamino import DIAMINO_BONUS, DIAMINO_RUMMY

GAMES: dict[str, ClientGame] = {
    "diamoniak": DIAMONIAK,
    "piratatak": PIRATATAK,
    "diadingo": DIADINGO,
    "diamino-rummy": DIAMINO_RUMMY,
    "diamino-bonus": DIAMINO_BONUS,
}

if differing := GAMES.keys() ^ games.GAMES.keys():
    raise ImportError(
        f"{', '.join(sorted(differing))}: every game needs a line both in diadem.games.GAMES and in"
        " diadem_client.games.GAMES"
    )
