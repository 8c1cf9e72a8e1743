"""Which games offer what a game may do without: tests of such a thing ask these games only."""

from importlib import import_module
from pathlib import Path

from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_shared.chance import Chance
from diadem_shared.games import GAMES
from diadem_shared.lesson import games_with_lesson

WITH_ADVISER = [name for name in GAMES if GAMES[name].adviser(Chance(b"adviser"))]
WITH_LESSON = games_with_lesson()
WITH_PANE = [name for name in CLIENT_GAMES if CLIENT_GAMES[name].pane]


def is_spoken(game: str, language: str) -> bool:
    """Whether a game has its texts in a language; all have them in English."""
    (folder,) = import_module(CLIENT_GAMES[game].package).__path__
    return Path(folder, "rules", language, f"{game}.txt").is_file()
