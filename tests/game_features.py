"""Which games offer what a game may do without: tests of such a thing ask these games only."""

from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_shared.chance import Chance
from diadem_shared.games import GAMES

WITH_ADVISER = [name for name in GAMES if GAMES[name].adviser(Chance(b"adviser"))]
WITH_LESSON = [name for name in GAMES if CLIENT_GAMES[name].lesson]
