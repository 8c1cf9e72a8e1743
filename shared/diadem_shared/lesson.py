"""Tables for one who learns a game: always dealt alike, and the bot begins with moves that are given.

The deals lie in the folders of the games; a setup says that one of them is wanted, and nobody can name another.
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec
from msgspec import Struct

from diadem_shared.entries import OptionValue, Setup
from diadem_shared.games import GAMES, package_of
from diadem_shared.shuffle import hashed

ANY_LANGUAGE = ""
SEATS = 2
"""The first is the learner's, the other a bot's."""


class LessonTable(Struct, frozen=True, omit_defaults=True):
    deal: str
    """Any text; the same is dealt alike."""
    moves: tuple[str, ...] = ()
    """Of the bot, in notation: each is made as soon as it is allowed after the one before it."""

    @property
    def secret(self) -> bytes:
        """In place of a table's secret seed."""
        return hashed("diadem lesson", self.deal.encode())


class Deal(Struct, frozen=True, omit_defaults=True):
    """A table on which all steps come, if the proposed moves are made."""

    table: LessonTable
    moves: tuple[str, ...]
    """Proposed to the player, in notation."""
    named: Mapping[str, str] = {}
    """What the steps name, such as a word."""
    options: Mapping[str, OptionValue] = {}
    """Of the table, such as its language."""


def is_lesson(setup: Setup) -> bool:
    return setup.lesson is True


def deals_file(package: str) -> Traversable:
    """The deals of the games of a package, which `python -m tools.lessons` finds."""
    return resources.files(package).joinpath("lessons.json")


@cache
def read_deals(package: str) -> Mapping[str, Mapping[str, Deal]]:
    """By game and language."""
    file = deals_file(package)
    if not file.is_file():
        return {}
    return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, Deal]])


def deals_of(game: str) -> Mapping[str, Deal]:
    """By language; none of a game that is not taught."""
    return read_deals(package_of(game)).get(game, {}) if game in GAMES else {}


def games_with_lesson() -> list[str]:
    """Those that can be learned by a guided first game."""
    return [game for game in GAMES if deals_of(game)]


def deal_of(setup: Setup) -> Deal | None:
    """What is dealt at the table of a lesson; None if there is no such lesson."""
    deals = deals_of(setup.game)
    return deals.get(str(setup.options.get("language", ""))) or deals.get(ANY_LANGUAGE)


def given_moves(setup: Setup) -> tuple[str, ...]:
    """Those that the bot of this table begins with; none but in a lesson."""
    deal = deal_of(setup) if is_lesson(setup) else None
    return deal.table.moves if deal else ()


def is_sound(setup: Setup) -> bool:
    """Whether nobody but the learner has to do with a lesson: who knows a deal beforehand wins every match."""
    is_alone = setup.private and not setup.spectators and setup.rounds == 1
    return is_alone and deal_of(setup) is not None


def has_room(players: int, bot: str | None) -> bool:
    """Whether a player, or a bot, may sit down at a lesson as the next one."""
    return players < SEATS and (bot is None) == (players == 0)
