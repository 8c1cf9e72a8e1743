"""The strongest bot for castles: it searches every move and every next card (expectimax).

Positions after its turn are estimated by `worth`; the rest is exact. See docs/bots.md.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from diadem_shared.advice import Evaluation, Unit
from diadem_shared.chance import Chance
from diadem_shared.game import Adviser, Seat
from diadem_shared.games.castles.editions import Card, in_order
from diadem_shared.games.castles.position import DANGERS, KINDS, SHIELDS, Kind, Kinds, Position
from diadem_shared.games.castles.table import (
    Buy,
    CastleEvent,
    Draw,
    Holding,
    Move,
    Pay,
    PublicState,
    Shield,
    Stop,
    TableView,
    TurnPhase,
)
from diadem_shared.games.castles.value import worth
from diadem_shared.games.castles.why import reasons_for

Payment: TypeAlias = tuple[Kind, ...]

WON = 1.0


class Strong(Adviser[Move, CastleEvent, PublicState, None]):
    """Makes the move with the best chance to win the round."""

    def __init__(self, chance: Chance, kinds: Kinds) -> None:
        super().__init__(chance)
        self.kinds = kinds

    def evaluate(
        self, view: TableView, most: int, also: Move | None = None
    ) -> Sequence[Evaluation[Move]]:
        table = view.public
        position = self.kinds.position(table)
        weighed = sorted(self.weigh(view), key=lambda offer: offer[0], reverse=True)
        offers = [
            (value, also if also and self._is_alike(table.mover, move, also) else move)
            for value, move in weighed
        ]
        return [
            Evaluation(
                move,
                value,
                Unit.CHANCE,
                reasons_for(table, position, move, lambda: self._lost(table, position)),
            )
            for place, (value, move) in enumerate(offers)
            if place < most or move == also
        ]

    def weigh(self, view: TableView) -> Iterator[tuple[float, Move]]:
        """The moves to consider, with their values."""
        table, me = view.public, view.public.turn
        position = self.kinds.position(table)
        match table.phase:
            case TurnPhase.DANGER:
                for payment, value in worths_of_payments(position, me):
                    yield value, self._giving(table.mover, payment)
            case TurnPhase.DRAWN:
                yield worth(position, me, my_turn=False), Stop()
                yield worth_of_drawing(position, me), Draw()
            case TurnPhase.OPEN:
                for seller in position.sellers(me):
                    after = position.after_buying(me, seller)
                    value = WON if after.won(me) else worth(after, me, my_turn=False)
                    yield value, Buy(seller)
                yield worth_of_drawing(position, me), Draw()
            case TurnPhase.OVER:
                pass

    def _lost(self, table: PublicState, position: Position) -> tuple[Card, ...] | None:
        """The cards that the best payment for a danger drawn next would take; None if a shield would do."""
        settled = worths_of_payments(position.refilled().after_danger(), table.turn)
        payment, _ = max(settled, key=lambda each: each[1])
        if payment == (SHIELDS,):
            return None
        return in_order(self.kinds.cards(table.mover, payment))

    def _is_alike(self, payer: Holding, move: Move, other: Move) -> bool:
        """Whether they give up cards of the same kinds, as it does not matter which."""
        given = self._given(payer, move)
        return given is not None and given == self._given(payer, other)

    def _given(self, payer: Holding, move: Move) -> list[Kind] | None:
        match move:
            case Pay(cards):
                return self.kinds.payment(payer, cards)
            case Shield():
                return [SHIELDS]
            case _:
                return None

    def _giving(self, payer: Holding, payment: Payment) -> Move:
        if payment == (SHIELDS,):
            return Shield()
        return Pay(in_order(self.kinds.cards(payer, payment)))


def worth_of_drawing(position: Position, me: Seat) -> float:
    """The expected value over the next cards."""
    position = position.refilled()
    total = 0.0
    for kind in range(KINDS):
        if count := position.deck[kind]:
            total += count * worth_of_card(position, me, kind)
    return total / sum(position.deck)


def worth_of_card(position: Position, me: Seat, kind: Kind) -> float:
    if kind == DANGERS:
        return max(value for _, value in worths_of_payments(position.after_danger(), me))
    after = position.after_drawing(me, kind)
    return WON if after.won(me) else worth(after, me, my_turn=True)


def worths_of_payments(position: Position, me: Seat) -> Iterator[tuple[Payment, float]]:
    """The payments for a danger that lies next to the deck: a shield, or cards."""
    if position.stocks[me].reserve[SHIELDS]:
        yield (SHIELDS,), worth(position.after_paying(me, (SHIELDS,)), me, my_turn=False)
    for payment in position.payments(me):
        if payment != (SHIELDS,):  # of somebody with no other card
            yield payment, worth(position.after_paying(me, payment), me, my_turn=False)
