"""Castle positions written as text, and moves made on them through the contract."""

from collections.abc import Sequence
from typing import TypeVar

from diadem_shared.chance import Chance
from diadem_shared.games.castles import DIAMONIAK, PIRATATAK, Castles, Edition
from diadem_shared.games.castles.editions import Card, in_order
from diadem_shared.games.castles.table import CastleEvent, Holding, State, TurnPhase
from diadem_shared.refusals import RefusalError

Diamoniak = Castles(DIAMONIAK)
Piratatak = Castles(PIRATATAK)

E = TypeVar("E", bound=CastleEvent)


def position(
    *hands: str,
    top: str = "",
    phase: TurnPhase = TurnPhase.OPEN,
    emptied: bool = False,
    edition: Edition = DIAMONIAK,
) -> State:
    """The first player is to move. A hand is "castle | reserve"; `top` is drawn from left to right.

    All other cards are in the deck below, or lie aside where the deck is emptied.
    """
    holdings = tuple(_holding(hand) for hand in hands)
    rest = list(edition.deck())
    coming = top.split()
    for card in [*coming, *(card for holding in holdings for card in holding.cards)]:
        rest.remove(card)
    deck = () if emptied else (*rest, *reversed(coming))
    return State(
        deck=deck,
        aside=tuple(rest) if emptied else (),
        holdings=holdings,
        turn=0,
        phase=phase,
        drawn=() if phase is TurnPhase.OPEN else ("currency",),
    )


def _holding(hand: str) -> Holding:
    castle, _, reserve = hand.partition("|")
    return Holding(in_order(castle.split()), in_order(reserve.split()))


def play(
    state: State, *moves: str, game: Castles = Diamoniak
) -> tuple[State, Sequence[CastleEvent]]:
    """Make typed moves, each by whose turn it is; the events are those of the last move."""
    events: Sequence[CastleEvent] = ()
    for text in moves:
        state, told = game.play(state, state.turn, game.parse(text), Chance(b"test"))
        events = [happening.event for happening in told]
    return state, events


def after(state: State, *moves: str, game: Castles = Diamoniak) -> State:
    return play(state, *moves, game=game)[0]


def refused(state: State, move: str, *, seat: int = 0, game: Castles = Diamoniak) -> str:
    """The code with which a typed move is refused; "" if it is not."""
    try:
        game.play(state, seat, game.parse(move), Chance(b"test"))
    except RefusalError as refusal:
        return refusal.refusal.code
    return ""


def all_cards(state: State) -> tuple[Card, ...]:
    held = [card for holding in state.holdings for card in holding.cards]
    return in_order([*state.deck, *state.aside, *held])
