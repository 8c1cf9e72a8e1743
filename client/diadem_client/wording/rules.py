"""The rules of each game as text, and its goal in a line, in the current language."""

from importlib import import_module
from pathlib import Path

from diadem_client.games import GAMES
from diadem_client.i18n import current_language
from diadem_client.i18n import gettext as _


def rules_of(game: str) -> str:
    for language in (current_language(), "en") if game in GAMES else ():
        (folder,) = import_module(GAMES[game].package).__path__
        text = Path(folder, "rules", language, f"{game}.txt")
        if text.is_file():
            return text.read_text(encoding="utf-8")
    return _("There is no text on this game yet.")


def goal_of(game: str) -> str:
    goal = GAMES[game].goal if game in GAMES else ""
    return _(goal) if goal else ""
