"""The guided first games: each game's own, loaded when somebody learns it, and the table that it is played on."""

from importlib import import_module

from msgspec.structs import replace

from diadem_client.games import GAMES
from diadem_client.i18n import current_language
from diadem_client.local.own_words import OwnWords
from diadem_client.local.solo import setup_for
from diadem_client.state.coach import Coach, Lesson
from diadem_shared.entries import Setup
from diadem_shared.lesson import ANY_LANGUAGE, deal_of, deals_of

OPPONENTS = 1


def lesson_of(game: str) -> Lesson | None:
    entered = GAMES.get(game)
    if entered is None or entered.lesson is None:
        return None
    lessons: dict[str, Lesson] = import_module(f"{entered.package}.{entered.lesson}").LESSONS
    return lessons.get(game)


def setup_of(game: str) -> Setup | None:
    """Of the table on which a game is learned, with the tiles and words of the language that is spoken now, if there are
    any; None for a game without a lesson."""
    lesson, deals = lesson_of(game), deals_of(game)
    deal = deals.get(current_language()) or deals.get(ANY_LANGUAGE) or deals.get("en")
    if lesson is None or deal is None:
        return None
    setup = setup_for(game, OwnWords(""))
    options = {**setup.options, **lesson.options, **deal.options}
    return replace(setup, options=options, spectators=False, lesson=True)


def coach_at(setup: Setup) -> Coach | None:
    """Who guides through the lesson at this table."""
    lesson, deal = lesson_of(setup.game), deal_of(setup)
    return None if lesson is None or deal is None else Coach(setup.game, lesson, deal)


def in_earnest(game: str) -> Setup:
    """The game that was learned, for one alone at a server that others use as well: it waits for nobody for ever."""
    return replace(setup_for(game, OwnWords("")), patience=Setup(game).patience)
