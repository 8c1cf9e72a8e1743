"""Everything that changes a table. A journal is a list of these, and a match is their fold."""

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from diadem_shared.advice import Reason
from diadem_shared.game import AnyGame, Seat

MAX_ROUNDS = 20
MOST_REASONS = 10


Code: TypeAlias = Annotated[str, Meta(max_length=40)]
"""A name from one of our own lists: of a game, a level, an option."""
OptionValue: TypeAlias = bool | int | Annotated[str, Meta(max_length=2_000)] | None


class NoClock(Struct, frozen=True, tag="none", forbid_unknown_fields=True):
    """No limit of time."""


class TurnClock(Struct, frozen=True, tag="turn", forbid_unknown_fields=True):
    """A limit of seconds for every move."""

    seconds: Annotated[int, Meta(ge=5, le=86_400)]


class GameClock(Struct, frozen=True, tag="game", forbid_unknown_fields=True):
    """A budget of seconds for a round, with an increment for every move."""

    seconds: Annotated[int, Meta(ge=10, le=86_400)]
    increment: Annotated[int, Meta(ge=0, le=3_600)] = 0


Clock: TypeAlias = NoClock | TurnClock | GameClock


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """What players agree on when a table is made."""

    game: Code
    options: Annotated[dict[Code, OptionValue], Meta(max_length=20)] = {}
    """The game's own options, by name."""
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] = 1
    clock: Clock = NoClock()
    absent: Code = "zombie"
    """The level of the bot that plays on for players who are away (C-2); the zombie does little but pass."""
    patience: Annotated[int, Meta(ge=5, le=86_400)] | None = 120
    """The grace period in seconds before that bot plays on for a lost player; None waits for ever."""
    spectators: bool = True
    private: bool = False
    """Not listed in the lobby; found by its code alone."""
    hints: bool | UnsetType = UNSET
    """Whether players may ask what a strong bot would do, when others play too. Left out by older versions, and where it is
    not agreed on."""
    lesson: bool | UnsetType = UNSET
    """Whether it is a first game for one who learns: dealt as that is, against a bot that begins with given moves. Nobody else may
    come, and nothing of it is counted or kept. Left out otherwise."""


class OfSeat(Struct, frozen=True):
    """An entry about one seat."""

    seat: Seat


# Before the start


class Sat(Struct, frozen=True, tag="sat"):
    """A player, or a bot of that level, took the next free seat."""

    name: str
    bot: str | None = None


class Left(OfSeat, frozen=True, tag="left"):
    """A seat was given up, or taken away; those behind it move up."""


class Changed(Struct, frozen=True, tag="changed"):
    setup: Setup


# Play


class Sealed(Struct, frozen=True, tag="sealed"):
    """Who adds to the chance of the next round: from now on no commitment is changed. Nothing is left of it once somebody
    sits down or leaves, or the setup is changed."""

    commitments: tuple[str, ...]
    """By seat, in hex; "" for who adds nothing."""


class Started(Struct, frozen=True, tag="started", omit_defaults=True):
    """The first round, or the next, was dealt. `openings`: by seat what was committed to, in hex; "" where nothing was, nil
    where it did not come in time. Left out where nothing was sealed."""

    openings: tuple[str | None, ...] = ()


class Moved(OfSeat, frozen=True, tag="moved"):
    move: str
    """In the game's notation, so that a journal can be read and outlives the classes of moves."""
    spent: int = 0
    """Milliseconds of the seat's own time that the move took."""
    why: Annotated[tuple[Reason, ...], Meta(max_length=MOST_REASONS)] | UnsetType = UNSET
    """The reasons of a bot; left out where it gave none, or a person moved."""


class Hinted(OfSeat, frozen=True, tag="hinted"):
    """The player was told what a strong bot would do."""


class Adjudicated(Struct, frozen=True, tag="adjudicated"):
    """The match was ended where it stood; a round not played out counts for nobody."""


# Leaving and returning (C-2)


class TimedOut(OfSeat, frozen=True, tag="timed_out"):
    """The player's clock ran out: their stand-in plays on."""


class Lost(OfSeat, frozen=True, tag="lost"):
    """The player was gone for longer than the table waits: their stand-in plays on."""


class Resigned(OfSeat, frozen=True, tag="resigned"):
    """A player gave up: a stand-in plays on, unless the seat is taken back."""


class TakenOver(OfSeat, frozen=True, tag="taken_over"):
    """The seat was handed to a bot of this level."""

    bot: str


class Returned(OfSeat, frozen=True, tag="returned"):
    """The player took their seat back."""


Absence: TypeAlias = TimedOut | Lost | Resigned | TakenOver | Returned
Entry: TypeAlias = Sat | Left | Changed | Sealed | Started | Moved | Hinted | Adjudicated | Absence


def rounds_of(game: AnyGame) -> range:
    """The numbers of rounds that a match of this game may have."""
    return range(1, min(game.most_rounds or MAX_ROUNDS, MAX_ROUNDS) + 1)
