"""The values of castles: options, state, public state, moves and events."""

from enum import StrEnum
from typing import ClassVar, TypeAlias

from msgspec import Struct

from diadem_shared.game import Event, Seat, View
from diadem_shared.games.castles.editions import CURRENCY, PARTS, SHIELD, Card, Colour, colour_of


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    youngest: Seat | None = None
    """Who begins the match (K-2); None leaves it to chance."""


class Holding(Struct, frozen=True):
    """What lies face up before one player (K-1): a castle, and the reserve at its right."""

    castle: tuple[Card, ...] = ()
    reserve: tuple[Card, ...] = ()

    @property
    def builds(self) -> Colour | None:
        """A castle without a card is no castle (K-13), so its cards say what is built."""
        return colour_of(self.castle[0]) if self.castle else None

    @property
    def complete(self) -> bool:
        return len(self.castle) == PARTS

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.castle + self.reserve

    @property
    def wealth(self) -> int:
        return self.reserve.count(CURRENCY)

    @property
    def shielded(self) -> bool:
        return SHIELD in self.reserve

    def spare(self, colour: Colour | None) -> tuple[Card, ...]:
        """The parts of a colour that lie in the reserve."""
        return tuple(card for card in self.reserve if colour and colour_of(card) == colour)


class TurnPhase(StrEnum):
    OPEN = "open"  # nothing drawn yet: draw or buy
    DRAWN = "drawn"  # draw on or stop
    DANGER = "danger"  # a danger was drawn: pay or play a shield
    OVER = "over"


class State(Struct, frozen=True):
    deck: tuple[Card, ...]  # the last is on top
    aside: tuple[Card, ...]  # face up next to the deck
    holdings: tuple[Holding, ...]
    turn: Seat
    phase: TurnPhase = TurnPhase.OPEN
    drawn: tuple[Card, ...] = ()  # in this turn


class PublicState(Struct, frozen=True):
    """All but the order of the deck (K-1)."""

    deck: int
    aside: tuple[Card, ...]
    holdings: tuple[Holding, ...]
    turn: Seat
    phase: TurnPhase
    drawn: tuple[Card, ...]

    @property
    def mover(self) -> Holding:
        return self.holdings[self.turn]


TableView: TypeAlias = View[PublicState, None]


# Moves


class Draw(Struct, frozen=True, tag="draw"):
    pass


class Stop(Struct, frozen=True, tag="stop"):
    pass


class Buy(Struct, frozen=True, tag="buy"):
    seller: Seat


class Pay(Struct, frozen=True, tag="pay"):
    cards: tuple[Card, ...]


class Shield(Struct, frozen=True, tag="shield"):
    pass


Move: TypeAlias = Draw | Stop | Buy | Pay | Shield

ALLOWED: dict[TurnPhase, tuple[type[Move], ...]] = {
    TurnPhase.OPEN: (Draw, Buy),
    TurnPhase.DRAWN: (Draw, Stop),
    TurnPhase.DANGER: (Pay, Shield),
    TurnPhase.OVER: (),
}
"""The kinds of move that each phase knows; anything else is refused and changes nothing."""


# Events


class Began(Event, frozen=True, tag="began"):
    seat: Seat


class Drew(Event, frozen=True, tag="drew"):
    discloses: ClassVar[frozenset[str]] = frozenset({"card"})
    seat: Seat
    card: Card


class Shuffled(Event, frozen=True, tag="shuffled"):
    """The cards lying next to the deck are the new deck (K-15)."""

    cards: int


class Founded(Event, frozen=True, tag="founded"):
    """A castle was begun, and took in the parts waiting in the reserve (K-4, K-14)."""

    seat: Seat
    colour: Colour
    joined: tuple[Card, ...]


class Stopped(Event, frozen=True, tag="stopped"):
    seat: Seat


class Bought(Event, frozen=True, tag="bought"):
    seat: Seat
    seller: Seat
    card: Card


class Paid(Event, frozen=True, tag="paid"):
    seat: Seat
    cards: tuple[Card, ...]


class Shielded(Event, frozen=True, tag="shielded"):
    seat: Seat


class Razed(Event, frozen=True, tag="razed"):
    """The last part of a castle was paid away: its colour is free again (K-13)."""

    seat: Seat
    colour: Colour


class Completed(Event, frozen=True, tag="completed"):
    seat: Seat
    colour: Colour


CastleEvent: TypeAlias = (
    Began | Drew | Shuffled | Founded | Stopped | Bought | Paid | Shielded | Razed | Completed
)
