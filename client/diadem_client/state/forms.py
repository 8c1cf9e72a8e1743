"""The questions that are asked when a table is made, derived from the types of the options."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.inspect import (
    BoolType,
    Field,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    UnionType,
)
from msgspec.structs import replace

from diadem.entries import (
    MAX_ROUNDS,
    Clock,
    GameClock,
    NoClock,
    OptionValue,
    Setup,
    TurnClock,
)
from diadem.lexicon.shelf import WordListLine
from diadem.refusals import Refusal
from diadem_client.i18n import current_language
from diadem_client.state.known_games import game_of

SECONDS = (5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1200, 1800, 3600)
FOR_A_ROUND = (60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600, 7200)
INCREMENTS = (0, 1, 2, 3, 5, 10, 15, 20, 30, 60)
PATIENCE = (15, 30, 60, 120, 300, 600, 1800, None)
CLOCKS = ("none", "turn", "game")
MOST_NUMBERS = 20
"""Where a number has more values than this, only some round ones are offered."""
LONGEST_LINE = 200
WORD_LIST = "word_list"
LOOK_UP = "look_up"


class OneOf(Struct, frozen=True):
    """A choice among values; None leaves it open."""

    name: str
    values: tuple[Any, ...]
    default: Any
    are_seats: bool = False


class FreeText(Struct, frozen=True):
    """A text that the player types."""

    name: str
    longest: int
    default: str = ""


class FileText(Struct, frozen=True):
    """A text of several lines: one that comes along under a name, or one that is read from a file whose
    name the player types."""

    name: str
    longest: int
    default: str = ""
    shipped: tuple[str, ...] = ()


class UnusableFile(Exception):
    """The file that a player named cannot be used."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


FileReader: TypeAlias = Callable[[str, int], str]
"""Reads the file of that name, up to so many characters; raises UnusableFile. Only a client on the
player's own machine has a reader."""


class OneList(Struct, frozen=True):
    """A choice among the word lists that the server has; "" leaves it to the language."""

    name: str
    lists: tuple[WordListLine, ...]
    default: str = ""


Question: TypeAlias = OneOf | FreeText | FileText | OneList


def questions(game: str, lists: Sequence[WordListLine] = ()) -> list[Question]:
    """A question for every option of a game; that for a word list offers those of the server."""
    info = msgspec.inspect.type_info(game_of(game).options_type)
    return [
        OneList(field.name, tuple(lists))
        if lists and field.name == WORD_LIST
        else _question(game, field)
        for field in getattr(info, "fields", ())
    ]


def _question(game: str, field: Field) -> Question:
    kind, default = field.type, field.default
    examples: Sequence[str] = ()
    if isinstance(kind, Metadata):
        examples = (kind.extra_json_schema or {}).get("examples", ())
        kind = kind.type
    open_ = isinstance(kind, UnionType) and kind.includes_none
    if isinstance(kind, UnionType):
        kind = next(each for each in kind.types if not isinstance(each, NoneType))
    match kind:
        case LiteralType(values):
            found: tuple[Any, ...] = tuple(
                dict.fromkeys([default, *values] if default in values else values)
            )
            return OneOf(field.name, (None, *found) if open_ else found, default)
        case BoolType():
            return OneOf(field.name, (False, True), default)
        case IntType():
            bounded = kind.ge is not None and kind.le is not None
            # A number without bounds is a seat.
            numbers = range(kind.ge or 0, kind.le + 1) if bounded and kind.le else seats(game)
            few = numbers if len(numbers) <= MOST_NUMBERS else filter(numbers.__contains__, SECONDS)
            values = (None, *few) if open_ else tuple(few)
            return OneOf(field.name, values, default, are_seats=not bounded)
        case StrType():
            longest = kind.max_length or LONGEST_LINE
            if longest <= LONGEST_LINE:
                return FreeText(field.name, longest, default)
            return FileText(field.name, longest, default, tuple(examples))
        case _:
            raise TypeError(f"no way to ask for {field.name}: {kind}")


def default_answers(game: str) -> dict[str, OptionValue]:
    """The proposed answers; the word list is that of the current language."""
    return {
        question.name: current_language()
        for question in questions(game)
        if question.name == "language"
        and isinstance(question, OneOf)
        and current_language() in question.values
        and current_language() != question.default
    }


def seats(game: str) -> range:
    return range(game_of(game).seats[-1])


def common_questions(game: str, before: Setup | None = None) -> list[OneOf]:
    """The questions that are the same for every game."""
    setup = before or Setup(game)
    clock = setup.clock
    levels = tuple(game_of(game).bots)
    return [
        OneOf("rounds", tuple(range(1, MAX_ROUNDS + 1)), setup.rounds),
        OneOf("clock", CLOCKS, clock.__struct_config__.tag),
        OneOf("seconds", SECONDS, clock.seconds if isinstance(clock, TurnClock) else 60),
        OneOf("in_all", FOR_A_ROUND, clock.seconds if isinstance(clock, GameClock) else 600),
        OneOf("increment", INCREMENTS, getattr(clock, "increment", 0)),
        OneOf("absent", levels, setup.absent if setup.absent in levels else levels[0]),
        OneOf("patience", PATIENCE, setup.patience),
        OneOf("spectators", (True, False), setup.spectators),
        OneOf("private", (False, True), setup.private),
    ]


def setup_of(game: str, options: dict[str, OptionValue], chosen: dict[str, Any]) -> Setup:
    """The setup that these answers make; options at their defaults are left out."""
    usual = {question.name: question.default for question in questions(game)}
    return Setup(
        game=game,
        options={name: value for name, value in options.items() if value != usual[name]},
        rounds=chosen["rounds"],
        clock=_clock(chosen),
        absent=chosen["absent"],
        patience=chosen["patience"],
        spectators=chosen["spectators"],
        private=chosen["private"],
    )


def words_are_looked_up(setup: Setup) -> bool:
    """Whether the players of a table agreed that words are looked up; games without words do not ask."""
    usual = getattr(game_of(setup.game).options_type(), LOOK_UP, False)
    return bool(setup.options.get(LOOK_UP, usual))


def without_files(setup: Setup) -> Setup:
    """The setup without texts that came from files, since the names of the files are not known any more."""
    shipped = {
        each.name: each.shipped for each in questions(setup.game) if isinstance(each, FileText)
    }
    options = {
        name: each
        for name, each in setup.options.items()
        if name not in shipped or each in shipped[name]
    }
    return replace(setup, options=options)


def _clock(chosen: dict[str, Any]) -> Clock:
    match chosen["clock"]:
        case "turn":
            return TurnClock(chosen["seconds"])
        case "game":
            return GameClock(chosen["in_all"], chosen["increment"])
        case _:
            return NoClock()
