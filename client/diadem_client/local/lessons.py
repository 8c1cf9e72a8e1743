"""The guided first games: each game's own, loaded when somebody learns it, and the table that it is played on."""

from importlib import import_module
from pathlib import Path

import msgspec
from msgspec.structs import replace

from diadem.entries import Setup
from diadem_client.games import GAMES
from diadem_client.i18n import current_language
from diadem_client.local.own_words import OwnWords
from diadem_client.local.solo import setup_for
from diadem_client.state.coach import Coach, Deal, Lesson

OPPONENTS = 1
DEALS = "lessons.json"
"""In the folder of a game: its deals by name and language, which `python -m tools.lessons` finds."""
ANY_LANGUAGE = ""


def lesson_of(game: str) -> Lesson | None:
    entered = GAMES.get(game)
    if entered is None or entered.lesson is None:
        return None
    lessons: dict[str, Lesson] = import_module(f"{entered.package}.{entered.lesson}").LESSONS
    return lessons.get(game)


def deals_file(game: str) -> Path:
    (folder,) = import_module(GAMES[game].package).__path__
    return Path(folder, DEALS)


def read_deals(file: Path) -> dict[str, dict[str, Deal]]:
    """By game and language."""
    return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, Deal]])


def coach_for(game: str) -> Coach | None:
    """In the language that is spoken now; None for a game without a lesson."""
    lesson = lesson_of(game)
    if lesson is None:
        return None
    deals = read_deals(deals_file(game))[game]
    deal = deals.get(current_language()) or deals.get(ANY_LANGUAGE) or deals["en"]
    return Coach(game, lesson, deal)


def setup_of(coach: Coach) -> Setup:
    """Of the table, which has the tiles and words of the language for which it is dealt."""
    setup = setup_for(coach.game, OwnWords(""))
    return replace(setup, options={**setup.options, **coach.lesson.options, **coach.deal.options})
