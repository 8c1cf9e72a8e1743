"""The values of Diadingo: options, state, public state, moves and events."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import ClassVar, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from diadem_shared.game import Event, Seat, View
from diadem_shared.games.diadingo.board import FIXED, RINGS, Card, Spot, Value


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    scoring: Literal["plain", "professional"] = "plain"
    """D-10."""
    play: Literal["memory", "marked"] = "memory"
    """D-12."""


class Hand(Struct, frozen=True):
    """The rings before one player, by value. No rule tells two rings of one value apart, so nothing
    is kept of when they came or why they are empty."""

    filled: tuple[Value, ...] = ()
    empty: tuple[Value, ...] = ()

    def score(self, options: Options) -> int:
        """D-10."""
        debts = sum(self.empty) if options.scoring == "professional" else 0
        return sum(self.filled) - debts


class TurnPhase(StrEnum):
    TAKE = "take"  # a ring lies open: try one diamond
    STEAL = "steal"  # a theft lies open: steal or decline
    OVER = "over"


class State(Struct, frozen=True):
    options: Options
    deck: tuple[Card, ...]  # the last is on top
    board: tuple[Spot, ...]  # where diamonds are, in the order of the board, as the next two
    loose: tuple[Spot, ...]
    proved: tuple[Spot, ...]  # tried, and found fixed
    hands: tuple[Hand, ...]
    turn: Seat
    phase: TurnPhase
    card: Card | None = None  # lies open and waits for a move


class PublicState(Struct, frozen=True):
    """What can be seen without remembering anything. Which cards the deck still holds, though not
    in which order, follows from those that lie open."""

    options: Options
    deck: int
    board: tuple[Spot, ...]
    """Where diamonds still are: all 42 spots at first."""
    marked: tuple[Spot, ...]
    """What proved fixed, in marked play; in memory play nothing is, while the round runs (D-12). All that is fixed, once
    it is over (D-9), but for matches under version 1 of the rules."""
    hands: tuple[Hand, ...]
    turn: Seat
    phase: TurnPhase
    card: Card | None

    @property
    def mover(self) -> Hand:
        return self.hands[self.turn]

    @property
    def loose(self) -> int:
        """How many loose diamonds are left: the fixed ones never leave."""
        return len(self.board) - FIXED

    @property
    def rings_to_come(self) -> int:
        before_players = sum(len(hand.filled) + len(hand.empty) for hand in self.hands)
        turned_up = 1 if self.phase is TurnPhase.TAKE else 0
        return RINGS - before_players - turned_up

    @property
    def thefts_to_come(self) -> int:
        return self.deck - self.rings_to_come


TableView: TypeAlias = View[PublicState, None]


def robberies(hands: Sequence[Hand], thief: Seat) -> Iterator[tuple[Value, Seat]]:
    """Every value and victim that the thief may choose (D-5), each once."""
    wanted = dict.fromkeys(hands[thief].empty)
    for victim, hand in enumerate(hands):
        if victim != thief:
            yield from ((value, victim) for value in wanted if value in hand.filled)


# Moves


class Take(Struct, frozen=True, tag="take"):
    spot: Spot


class Steal(Struct, frozen=True, tag="steal"):
    """Rings of one value before one player are all alike, so these two say everything."""

    value: Value
    victim: Seat


class Decline(Struct, frozen=True, tag="decline"):
    pass


Move: TypeAlias = Take | Steal | Decline

ALLOWED: dict[TurnPhase, tuple[type[Move], ...]] = {
    TurnPhase.TAKE: (Take,),
    TurnPhase.STEAL: (Steal, Decline),
    TurnPhase.OVER: (),
}
"""The kinds of move that each phase knows; anything else is refused and changes nothing."""


# Events


class Opened(Event, frozen=True, tag="opened"):
    """A round was dealt, and chance named who begins (D-3)."""

    seat: Seat


class Turned(Event, frozen=True, tag="turned"):
    discloses: ClassVar[frozenset[str]] = frozenset({"card"})
    seat: Seat
    card: Card


class Tried(Event, frozen=True, tag="tried"):
    discloses: ClassVar[frozenset[str]] = frozenset({"loose"})
    seat: Seat
    spot: Spot
    value: Value
    """Of the ring it was tried for."""
    loose: bool


class Missed(Event, frozen=True, tag="missed"):
    """What is left of a try when its spot has to be forgotten (D-12)."""

    seat: Seat
    value: Value


class Stole(Event, frozen=True, tag="stole"):
    seat: Seat
    victim: Seat
    value: Value


class Declined(Event, frozen=True, tag="declined"):
    seat: Seat


class Useless(Event, frozen=True, tag="useless"):
    """A theft was put aside, as there was no pair of rings for it (D-5)."""

    seat: Seat


class Ended(Event, frozen=True, tag="ended"):
    """D-9."""

    discloses: ClassVar[frozenset[str]] = frozenset({"fixed"})
    by: Literal["cards", "diamonds"]
    fixed: tuple[Spot, ...] | UnsetType = UNSET
    """Which diamonds do not come off. Left out in matches under version 1 of the rules, where nobody is told."""


DiadingoEvent: TypeAlias = Opened | Turned | Tried | Missed | Stole | Declined | Useless | Ended
