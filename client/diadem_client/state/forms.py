"""The questions that are asked when a table is made, drawn from what its server tells of the game."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from diadem_client.i18n import current_language
from diadem_client.state.known_games import default_of, line_of
from diadem_shared.described_game import DescribedGame
from diadem_shared.entries import (
    Clock,
    GameClock,
    NoClock,
    OptionValue,
    Setup,
    TurnClock,
)
from diadem_shared.lexicon.shelf import WordListLine
from diadem_shared.protocol import OptionLine
from diadem_shared.refusals import Refusal, RefusalError

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
    return [
        OneList(option.name, tuple(lists))
        if lists and option.name == WORD_LIST
        else _question(game, option)
        for option in line_of(game).options
    ]


def _question(game: str, option: OptionLine) -> Question:
    name, default = option.name, option.default
    match option.kind:
        case "string":
            longest = option.most or LONGEST_LINE
            if longest <= LONGEST_LINE:
                return FreeText(name, longest, str(default or ""))
            return FileText(name, longest, str(default or ""), tuple(map(str, option.values)))
        case "boolean":
            return OneOf(name, (False, True), default)
        case "integer":
            bounded = option.least is not None and option.most is not None
            numbers = tuple(_offered(option) if bounded else seats(game))
            return _one_of(option, numbers, are_seats=not bounded)
        case "choice":
            first = [default] if default in option.values else []
            return _one_of(option, tuple(dict.fromkeys([*first, *option.values])))


def _one_of(option: OptionLine, values: tuple[Any, ...], *, are_seats: bool = False) -> OneOf:
    found = (None, *values) if option.is_optional else values
    return OneOf(option.name, found, option.default, are_seats=are_seats)


def _offered(option: OptionLine) -> Iterable[int]:
    numbers = range(option.least or 0, (option.most or 0) + 1)
    return numbers if len(numbers) <= MOST_NUMBERS else filter(numbers.__contains__, SECONDS)


def explain_options(setup: Setup) -> Refusal | None:
    """Why a form cannot be filled in with what is agreed on, if it cannot."""
    try:
        DescribedGame(line_of(setup.game)).read_options(setup.options)
    except RefusalError as refused:
        return refused.refusal
    return None


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
    return range(line_of(game).most_seats)


def common_questions(game: str, before: Setup | None = None, *, hints: bool = True) -> list[OneOf]:
    """The questions that are the same for every game. `hints`: whether the server can give any."""
    setup = before or Setup(game)
    clock = setup.clock
    levels, most_rounds = line_of(game).bots, line_of(game).most_rounds
    hints = hints and bool(line_of(game).reasons)
    return [
        OneOf("rounds", tuple(range(1, most_rounds + 1)), min(setup.rounds, most_rounds)),
        OneOf("clock", CLOCKS, clock.__struct_config__.tag),
        OneOf("seconds", SECONDS, clock.seconds if isinstance(clock, TurnClock) else 60),
        OneOf("in_all", FOR_A_ROUND, clock.seconds if isinstance(clock, GameClock) else 600),
        OneOf("increment", INCREMENTS, getattr(clock, "increment", 0)),
        OneOf("absent", levels, setup.absent if setup.absent in levels else levels[0]),
        OneOf("patience", PATIENCE, setup.patience),
        OneOf("spectators", (True, False), setup.spectators),
        OneOf("private", (False, True), setup.private),
        *([OneOf("hints", (False, True), setup.hints is True)] if hints else []),
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
        hints=True if chosen.get("hints") else UNSET,
    )


def words_are_looked_up(setup: Setup) -> bool:
    """Whether the players of a table agreed that words are looked up; games without words do not ask."""
    return bool(setup.options.get(LOOK_UP, default_of(setup.game, LOOK_UP)))


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
