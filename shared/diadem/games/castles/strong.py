"""The strongest player for castles: it tries every move and every next card in its head.

Each position it could leave behind is guessed at by `worth`; the rest is exact. docs/bots.md tells
the story.
"""

from collections.abc import Iterator
from typing import TypeAlias

from diadem.chance import Chance
from diadem.game import Bot, Seat
from diadem.games.castles.editions import in_order
from diadem.games.castles.position import DANGERS, KINDS, SHIELDS, Kind, Kinds, Position
from diadem.games.castles.table import (
    Buy,
    CastleEvent,
    Draw,
    Move,
    Pay,
    Phase,
    Shield,
    Stop,
    Table,
    TableView,
)
from diadem.games.castles.value import worth

Payment: TypeAlias = tuple[Kind, ...]

WON = 1.0


class Strong(Bot[Move, CastleEvent, Table, None]):
    """Does what leaves it the best chance to win the round."""

    def __init__(self, chance: Chance, kinds: Kinds) -> None:
        super().__init__(chance)
        self.kinds = kinds

    def choose(self, view: TableView) -> Move:
        table = view.public
        me = table.turn
        position = self.kinds.position(table)
        if table.phase is Phase.DANGER:
            payment, _ = best_payment(position, me)
            if payment == (SHIELDS,):
                return Shield()
            return Pay(in_order(self.kinds.cards(table.mover, payment)))
        offers = (
            self._stops(position, me)
            if table.phase is Phase.DRAWN
            else self._purchases(position, me)
        )
        return max([*offers, (worth_of_drawing(position, me), Draw())], key=lambda offer: offer[0])[
            1
        ]

    def _stops(self, position: Position, me: Seat) -> Iterator[tuple[float, Move]]:
        yield worth(position, me, my_turn=False), Stop()

    def _purchases(self, position: Position, me: Seat) -> Iterator[tuple[float, Move]]:
        for seller in position.sellers(me):
            after = position.after_buying(me, seller)
            yield WON if after.won(me) else worth(after, me, my_turn=False), Buy(seller)


def worth_of_drawing(position: Position, me: Seat) -> float:
    """The worth of all that may come, weighed by how likely it comes."""
    position = position.refilled()
    total = 0.0
    for kind in range(KINDS):
        if count := position.deck[kind]:
            total += count * worth_of_card(position, me, kind)
    return total / sum(position.deck)


def worth_of_card(position: Position, me: Seat, kind: Kind) -> float:
    if kind == DANGERS:
        return best_payment(position.after_danger(), me)[1]
    after = position.after_drawing(me, kind)
    return WON if after.won(me) else worth(after, me, my_turn=True)


def best_payment(position: Position, me: Seat) -> tuple[Payment, float]:
    """What to give for a danger that lies next to the deck, and what is left then."""
    payments = list(position.payments(me))
    if position.stocks[me].reserve[SHIELDS]:
        payments.append((SHIELDS,))
    worths = [worth(position.after_paying(me, payment), me, my_turn=False) for payment in payments]
    best = max(worths)
    return payments[worths.index(best)], best
