"""Rows, the second sample game: everybody has a hand of cards that nobody else sees, and lays rising rows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import (
    COMMON_REFUSALS,
    Bot,
    Event,
    Game,
    Happening,
    Outcome,
    Seat,
    View,
    Viewer,
)
from diadem_shared.refusals import INTEGER, Code, Refusal, RefusalCode, RefusalError

CARDS = range(1, 41)
HAND = 5


class RowsCode(RefusalCode):
    NOT_IN_HAND = "not_in_hand", "The player does not hold this card.", {"card": INTEGER}


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    deck: Literal[20, 40] = 20


class State(Struct, frozen=True):
    deck: tuple[int, ...]
    """Face down; the last card is drawn first."""
    hands: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[int, ...], ...]
    turn: Seat


class PublicState(Struct, frozen=True):
    deck: int
    hands: tuple[int, ...]
    """How many cards each holds."""
    rows: tuple[tuple[int, ...], ...]
    turn: Seat


class Hand(Struct, frozen=True):
    cards: tuple[int, ...]


class Lay(Struct, frozen=True, tag="lay"):
    card: int


class Laid(Event, frozen=True, tag="laid"):
    discloses: ClassVar[frozenset[str]] = frozenset({"card"})
    seat: Seat
    card: int


class Drawn(Event, frozen=True, tag="drawn"):
    discloses: ClassVar[frozenset[str]] = frozenset({"card"})
    seat: Seat
    card: int | None = None
    """Told to the seat that drew it, and to nobody else."""


RowsEvent: TypeAlias = Laid | Drawn
RowsView: TypeAlias = View[PublicState, Hand]
RowsBot: TypeAlias = Bot[Lay, RowsEvent, PublicState, Hand]


class Zombie(RowsBot):
    def choose(self, view: RowsView) -> Lay:
        return Lay(cards_of(view)[0])


class Careful(RowsBot):
    """Lays the lowest card that goes on with its row, else the lowest of all."""

    def choose(self, view: RowsView) -> Lay:
        cards, row = cards_of(view), view.public.rows[view.public.turn]
        fitting = [card for card in cards if not row or card > row[-1]]
        return Lay((fitting or cards)[0])


class Rows(Game[Options, State, Lay, RowsEvent, PublicState, Hand]):
    name = "rows"
    version = 1
    seats = range(2, 5)

    options_type = Options
    state_type = State
    move_type = Lay
    event_type = RowsEvent
    public_type = PublicState
    private_type = Hand

    moves_like = r"lay \d{1,2}"
    refusals = COMMON_REFUSALS | frozenset(RowsCode)

    def __init__(self) -> None:
        self.bots: Mapping[str, Callable[[Chance], RowsBot]]
        self.bots = {"zombie": Zombie, "careful": Careful}

    # What is hidden

    def start(
        self, options: Options, seats: int, opener: Seat | None, chance: Chance
    ) -> tuple[State, Sequence[Happening[RowsEvent]]]:
        deck = chance.shuffled(CARDS[: options.deck])
        hands = tuple(tuple(sorted(deck[seat::seats][:HAND])) for seat in range(seats))
        rest = tuple(deck[seats * HAND :])
        first = chance.below(seats) if opener is None else opener
        return State(rest, hands, rows=((),) * seats, turn=first), []

    def carry_out(
        self, state: State, seat: Seat, move: Lay, chance: Chance
    ) -> tuple[State, Sequence[Happening[RowsEvent]]]:
        drawn = state.deck[-1:]
        left = [card for card in state.hands[seat] if card != move.card]
        row = (*state.rows[seat], move.card)
        after = replace(
            state,
            deck=state.deck[:-1],
            hands=_with(state.hands, seat, tuple(sorted((*left, *drawn)))),
            rows=_with(state.rows, seat, row),
            turn=(seat + 1) % len(state.hands),
        )
        told: list[Happening[RowsEvent]] = [Happening(Laid(seat, move.card))]
        told += [Happening(Drawn(seat), Drawn(seat, card), seat) for card in drawn]
        return after, told

    def public(self, state: State) -> PublicState:
        return PublicState(len(state.deck), tuple(map(len, state.hands)), state.rows, state.turn)

    def private(self, state: State, seat: Seat) -> Hand:
        return Hand(state.hands[seat])

    def resample(self, state: State, viewer: Viewer, chance: Chance) -> State:
        """The deck and the hands of the others, dealt again."""
        others = [seat for seat in range(len(state.hands)) if seat != viewer]
        unseen = list(state.deck) + [card for seat in others for card in state.hands[seat]]
        unseen = list(chance.shuffled(sorted(unseen)))
        hands = state.hands
        for seat in others:
            count = len(hands[seat])
            hands = _with(hands, seat, tuple(sorted(unseen[:count])))
            unseen = unseen[count:]
        return replace(state, deck=tuple(unseen), hands=hands)

    # What follows from what is seen

    def actors(self, public: PublicState) -> tuple[Seat, ...]:
        return (public.turn,) if public.hands[public.turn] else ()

    def refusal(self, view: RowsView, move: Lay) -> Refusal | None:
        if move.card not in cards_of(view):
            return Refusal(RowsCode.NOT_IN_HAND, {"card": move.card})
        return None

    def moves(self, view: RowsView) -> Iterator[Lay]:
        if view.seat in self.actors(view.public):
            yield from map(Lay, cards_of(view))

    def outcome(self, public: PublicState) -> Outcome | None:
        """A point for each card that is higher than the one before it."""
        if self.actors(public):
            return None
        scores = tuple(sum(card > before for before, card in pairwise(row)) for row in public.rows)
        return Outcome(scores, tiebreaks=(0,) * len(scores))

    # Moves as text

    def notate(self, move: Lay) -> str:
        return f"lay {move.card}"

    def parse(self, text: str) -> Lay:
        match text.casefold().split():
            case ["lay", card] if card.isascii() and card.isdigit() and len(card) <= 2:
                return Lay(int(card))
        raise RefusalError(Refusal(Code.UNREADABLE, {"text": text, "forms": ["lay 7"]}))


def cards_of(view: RowsView) -> tuple[int, ...]:
    return view.private.cards if view.private else ()


def _with(
    groups: tuple[tuple[int, ...], ...], seat: Seat, cards: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    return (*groups[:seat], cards, *groups[seat + 1 :])


GAMES = {game.name: game for game in (Rows(),)}
