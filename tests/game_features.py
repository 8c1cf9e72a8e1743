"""Which games offer what a game may do without: tests of such a thing ask these games only."""

from diadem_shared.chance import Chance
from diadem_shared.games import GAMES
from diadem_shared.lesson import games_with_lesson

WITH_ADVISER = [name for name in GAMES if GAMES[name].adviser(Chance(b"adviser"))]
WITH_LESSON = games_with_lesson()
