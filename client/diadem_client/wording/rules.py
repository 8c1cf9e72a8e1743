"""The rules of each game as text, and its goal in a line, in the current language."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from msgspec import Struct

from diadem_client.games import GAMES
from diadem_client.i18n import current_language
from diadem_client.i18n import gettext as _

MARK = "\N{SECTION SIGN}"
"""Begins a line that is not shown: it names the clauses that the lines after it tell of."""


class Rules(Struct, frozen=True):
    text: str
    clauses: Mapping[str, range] = {}
    """The lines of the text that tell of a clause, such as "K-13"; not every clause has some."""


def rules_of(game: str) -> Rules:
    for language in (current_language(), "en") if game in GAMES else ():
        (folder,) = import_module(GAMES[game].package).__path__
        text = Path(folder, "rules", language, f"{game}.txt")
        if text.is_file():
            return _read(text.read_text(encoding="utf-8"))
    return Rules(_("There is no text on this game yet."))


def _read(marked: str) -> Rules:
    rows: list[str] = []
    clauses: dict[str, range] = {}
    named: list[str] = []
    for row in marked.splitlines():
        if row.startswith(MARK):
            named = row.removeprefix(MARK).split()
            clauses |= dict.fromkeys(named, range(len(rows), len(rows)))
            continue
        rows.append(row)
        named = named if row else []
        clauses |= {name: range(clauses[name].start, len(rows)) for name in named}
    return Rules("\n".join(rows) + "\n", clauses)


def goal_of(game: str) -> str:
    goal = GAMES[game].goal if game in GAMES else ""
    return _(goal) if goal else ""
