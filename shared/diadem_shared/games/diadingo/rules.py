"""The rules that change the table, D-1 to D-9. Whether a move is allowed was settled before.

A move is collected in a `Turn` and sealed into the next state at its end.
"""

from typing import Literal, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games.diadingo.board import DECK, LOOSE, SPOTS, THEFT, Card, Spot, Value
from diadem_shared.games.diadingo.table import (
    Decline,
    Declined,
    DiadingoEvent,
    Ended,
    Hand,
    Move,
    Opened,
    Options,
    State,
    Steal,
    Stole,
    Take,
    Tried,
    Turned,
    TurnPhase,
    Useless,
    robberies,
)

T = TypeVar("T")


def deal(
    options: Options, seats: int, chance: Chance, version: int
) -> tuple[State, list[DiadingoEvent]]:
    """D-1, D-3."""
    opener = chance.below(seats)
    turn = Turn(
        State(
            options=options,
            deck=chance.shuffled(DECK),
            board=SPOTS,
            loose=some_of(SPOTS, LOOSE, chance),
            proved=(),
            hands=(Hand(),) * seats,
            turn=opener,
            phase=TurnPhase.TAKE,
        ),
        version,
    )
    turn.tell(Opened(opener))
    turn.turn_up()
    return turn.state, turn.events


def carry_out(state: State, move: Move, version: int) -> tuple[State, list[DiadingoEvent]]:
    turn = Turn(state, version)
    match move, state.card:
        case Take(spot), int(value):
            turn.take(spot, value)
        case Steal(value, victim), _:
            turn.steal(value, victim)
        case Decline(), _:
            turn.decline()
        case _:
            raise ValueError(move)
    return turn.state, turn.events


def some_of(spots: tuple[Spot, ...], number: int, chance: Chance) -> tuple[Spot, ...]:
    """So many of these spots, each choice as likely as any other, in the order of the board."""
    chosen = set(chance.shuffled(spots)[:number])
    return tuple(spot for spot in spots if spot in chosen)


class Turn:
    """One move at work: the state as it becomes, and the events on the way."""

    def __init__(self, state: State, version: int) -> None:
        self.state = state
        self._version = version
        self.events: list[DiadingoEvent] = []

    @property
    def seat(self) -> Seat:
        return self.state.turn

    def tell(self, event: DiadingoEvent) -> None:
        self.events.append(event)

    def turn_up(self) -> None:
        """D-4, D-5. Nobody is asked about a theft that has no pair of rings."""
        while self.state.deck:
            *rest, card = self.state.deck
            self.state = replace(self.state, deck=tuple(rest), card=card, phase=phase_of(card))
            self.tell(Turned(self.seat, card))
            if card != THEFT or any(robberies(self.state.hands, self.seat)):
                return
            self.tell(Useless(self.seat))
        self._end("cards")

    def take(self, spot: Spot, value: Value) -> None:
        """D-4: the ring just turned up is filled or stays empty."""
        state, hand = self.state, self.state.hands[self.seat]
        loose = spot in state.loose
        if loose:
            self.state = replace(
                state, board=without(state.board, spot), loose=without(state.loose, spot)
            )
            self._hold(Hand(adding(hand.filled, value), hand.empty))
        else:
            proved = {*state.proved, spot}
            self.state = replace(state, proved=tuple(at for at in state.board if at in proved))
            self._hold(Hand(hand.filled, adding(hand.empty, value)))
        self.tell(Tried(self.seat, spot, value, loose))
        if self.state.loose:
            self._pass_on((self.seat + 1) % len(state.hands))
        else:
            self._end("diamonds")

    def steal(self, value: Value, victim: Seat) -> None:
        """D-7: the robbed player plays next."""
        hands = after_theft(self.state.hands, self.seat, value, victim)
        self.state = replace(self.state, hands=hands)
        self.tell(Stole(self.seat, victim, value))
        self._pass_on(victim)

    def decline(self) -> None:
        """D-6."""
        self.tell(Declined(self.seat))
        self.turn_up()

    def _pass_on(self, seat: Seat) -> None:
        self.state = replace(self.state, turn=seat)
        self.turn_up()

    def _end(self, by: Literal["cards", "diamonds"]) -> None:
        self.state = replace(self.state, phase=TurnPhase.OVER, card=None)
        self.tell(Ended(by, UNSET if self._version == 1 else fixed(self.state)))

    def _hold(self, hand: Hand) -> None:
        hands = list(self.state.hands)
        hands[self.seat] = hand
        self.state = replace(self.state, hands=tuple(hands))


def after_theft(
    hands: tuple[Hand, ...], thief: Seat, value: Value, victim: Seat
) -> tuple[Hand, ...]:
    """D-5, D-8."""
    richer, poorer = hands[thief], hands[victim]
    changed = list(hands)
    changed[thief] = Hand(adding(richer.filled, value), without(richer.empty, value))
    changed[victim] = Hand(without(poorer.filled, value), adding(poorer.empty, value))
    return tuple(changed)


def fixed(state: State) -> tuple[Spot, ...]:
    """What is known only once the round is over (D-9)."""
    return tuple(spot for spot in state.board if spot not in state.loose)


def phase_of(card: Card) -> TurnPhase:
    return TurnPhase.STEAL if card == THEFT else TurnPhase.TAKE


def adding(rings: tuple[Value, ...], value: Value) -> tuple[Value, ...]:
    return tuple(sorted((*rings, value)))


def without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    at = items.index(item)
    return items[:at] + items[at + 1 :]
