"""Everything that changes a table. A journal is a list of these, and a match is their fold."""

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from diadem.game import Seat

MAX_ROUNDS = 20


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """What is agreed when a table is made."""

    game: str
    options: dict[str, Any] = {}
    """The game's own options, by name."""
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] = 1
    absent: str = "zombie"
    """The bot that plays on for who is away (C-2); the zombie all but passes."""


class OfSeat(Struct, frozen=True):
    """What happens to one seat, or by its hand."""

    seat: Seat


# Before the start


class Sat(Struct, frozen=True, tag="sat"):
    """Somebody, or a bot of that level, took the next free seat."""

    name: str
    bot: str | None = None


class Left(OfSeat, frozen=True, tag="left"):
    """A seat was given up, or taken away; those behind it move up."""


class Changed(Struct, frozen=True, tag="changed"):
    setup: Setup


# Play


class Started(Struct, frozen=True, tag="started"):
    """The first round, or the next, was dealt."""


class Moved(OfSeat, frozen=True, tag="moved"):
    move: str
    """In the game's notation, so that a journal can be read and outlives the classes of moves."""


class Adjudicated(Struct, frozen=True, tag="adjudicated"):
    """The match was ended where it stood; a round not played out counts for nobody."""


# Going and coming (C-2)


class TimedOut(OfSeat, frozen=True, tag="timed_out"):
    """A clock ran out, or a lost player did not come back: her stand-in plays on."""


class Resigned(OfSeat, frozen=True, tag="resigned"):
    """A player left for good: her stand-in plays on."""


class TakenOver(OfSeat, frozen=True, tag="taken_over"):
    """The seat was handed to a bot of this level."""

    bot: str


class Returned(OfSeat, frozen=True, tag="returned"):
    """The player took her seat back."""


Absence: TypeAlias = TimedOut | Resigned | TakenOver | Returned
Entry: TypeAlias = Sat | Left | Changed | Started | Moved | Adjudicated | Absence
