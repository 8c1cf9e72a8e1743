"""A game whose rules are not known here, as far as its server has described it: it can be agreed on, looked at, and played by
moves that somebody types. Whether those are allowed is for the server to say."""

import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Literal, NoReturn

import msgspec
from msgspec import Meta, Struct

from diadem_shared.chance import Chance
from diadem_shared.entries import MAX_ROUNDS
from diadem_shared.game import Bot, Event, Game, Happening, Outcome, Seat, View, Viewer
from diadem_shared.protocol import GameLine, OptionLine
from diadem_shared.refusals import Refusal

MOST_SEATS = 16
"""At a table of a game of which nothing is told."""
MOST_OPTIONS = 20
MOST_VALUES = 100
FARTHEST = 10**9
"""Of a range of numbers, either way."""

Plain = dict[str, Any]
"""What a game says in terms of its own, by name."""


class DescribedEvent(Event, frozen=True):
    fields: Plain

    @property
    def seat(self) -> Seat | None:
        """Whose doing it is."""
        seat = self.fields.get("seat")
        return seat if isinstance(seat, int) and not isinstance(seat, bool) else None


class DescribedGame(Game[Any, Any, Any, DescribedEvent, Any, Any]):
    """Moves are the text that was typed, and views maps: nothing is known of their types."""

    version = 0
    event_type = DescribedEvent
    public_type: Any = dict
    private_type = dict
    refusals = frozenset()

    def __init__(self, line: GameLine) -> None:
        line = usable(line)
        self.name = line.game
        self.seats = range(line.least_seats, line.most_seats + 1)
        self.most_rounds = line.most_rounds
        self.forms = line.moves
        self.options_type = options_of(line)
        self.bots: Mapping[str, Callable[[Chance], Bot[Any, Any, Any, Any]]]
        self.bots = MappingProxyType(dict.fromkeys(line.bots, _unknown))

    def read_view(self, seat: Viewer, public: Any, private: Any) -> View[Any, Any]:
        return View(seat, msgspec.convert(public, Plain), msgspec.convert(private, Plain | None))

    def read_event(self, plain: Any) -> DescribedEvent:
        return DescribedEvent(msgspec.convert(plain, Plain))

    def can_judge(self, public: Plain) -> bool:
        return False

    def actors(self, public: Plain) -> tuple[Seat, ...]:
        return ()

    def refusal(self, view: View[Any, Any], move: str) -> Refusal | None:
        return None

    def moves(self, view: View[Any, Any]) -> Iterator[str]:
        return iter(())

    def outcome(self, public: Plain) -> Outcome | None:
        return None

    def notate(self, move: str) -> str:
        return move

    def parse(self, text: str) -> str:
        return text.strip()

    def adviser(self, chance: Chance) -> None:
        """Nobody here knows what a move is worth."""

    # Only whoever knows the rules can do that

    def start(self, *_: Any) -> tuple[Any, Sequence[Happening[DescribedEvent]]]:
        _unknown()

    def carry_out(self, *_: Any) -> tuple[Any, Sequence[Happening[DescribedEvent]]]:
        _unknown()

    def public(self, state: Any) -> Plain:
        _unknown()

    def private(self, state: Any, seat: Seat) -> Plain:
        _unknown()

    def resample(self, state: Any, viewer: Viewer, chance: Chance) -> Any:
        _unknown()


def _unknown(*_: object) -> NoReturn:
    raise NotImplementedError("the rules of this game are not known here")


def untold(name: str) -> GameLine:
    """All there is to say of a game that no server has described."""
    return GameLine(name, 0, 1, MOST_SEATS, (), (), (), ())


def usable(line: GameLine) -> GameLine:
    """What a form can ask for. It may come from anybody: what makes no sense is left out, and so left as it is by default."""
    least = max(1, min(line.least_seats, MOST_SEATS))
    options: dict[str, OptionLine] = {}
    for option in map(_bounded, line.options[:MOST_OPTIONS]):
        if option.name not in options and _is_usable(option):
            options[option.name] = option
    return msgspec.structs.replace(
        line,
        least_seats=least,
        most_seats=max(least, min(line.most_seats, MOST_SEATS)),
        options=tuple(options.values()),
        bots=line.bots[:MOST_VALUES] or ("zombie",),
        most_rounds=max(1, min(line.most_rounds, MAX_ROUNDS)),
    )


def options_of(line: GameLine) -> type[Struct]:
    """A class as the games that are known here have one, from what is usable."""
    fields = [(each.name, _type_of(each), each.default) for each in line.options]
    return msgspec.defstruct("Options", fields, frozen=True, forbid_unknown_fields=True)


def _bounded(option: OptionLine) -> OptionLine:
    least, most, values = option.least, option.most, option.values[:MOST_VALUES]
    if option.kind == "string":
        most, values = max(1, most or 1), tuple(map(str, values))
    elif least is None or most is None:
        least = most = None  # a seat
    else:
        least, most = max(least, -FARTHEST), min(most, FARTHEST)
    return msgspec.structs.replace(option, least=least, most=most, values=values)


def _is_usable(option: OptionLine) -> bool:
    if not option.name.isidentifier() or keyword.iskeyword(option.name):
        return False
    try:
        msgspec.convert(option.default, _type_of(option))
    except (msgspec.ValidationError, TypeError):
        return False
    return True


def _type_of(option: OptionLine) -> Any:
    """Raises TypeError if there is no value that it may have."""
    type_ = _type_of_values(option)
    return type_ | None if option.is_optional else type_


def _type_of_values(option: OptionLine) -> Any:
    match option.kind:
        case "boolean":
            return bool
        case "integer":
            return _type_of_numbers(option.least, option.most)
        case "string":
            named = {"examples": list(option.values)}
            return Annotated[str, Meta(max_length=option.most, extra_json_schema=named)]
        case "choice" if option.values:
            return Literal[option.values]
        case _:
            raise TypeError(option)


def _type_of_numbers(least: int | None, most: int | None) -> Any:
    if least is None or most is None:
        return int
    if least > most:
        raise TypeError(least, most)
    return Annotated[int, Meta(ge=least, le=most)]
