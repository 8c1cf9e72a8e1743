"""Artificial players for castles. docs/bots.md says how they think."""

from diadem.game import Bot
from diadem.games.castles.editions import CURRENCY, SHIELD, Card, in_order
from diadem.games.castles.rules import owed
from diadem.games.castles.table import (
    CastleEvent,
    Draw,
    Holding,
    Move,
    Pay,
    Phase,
    Shield,
    Stop,
    Table,
    TableView,
)


class Zombie(Bot[Move, CastleEvent, Table, None]):
    """Sits in for somebody who is away: draws once, and gives up what hurts least."""

    def choose(self, view: TableView) -> Move:
        table = view.public
        if table.phase is Phase.OPEN:
            return Draw()
        if table.phase is Phase.DRAWN:
            return Stop()
        if table.mover.shielded:
            return Shield()
        return Pay(least_painful(table.mover))


def least_painful(holding: Holding) -> tuple[Card, ...]:
    """Foreign parts first, then currency, then shields, the own castle last."""

    def pain(card: Card) -> int:
        if card in holding.castle:
            return 3
        return {CURRENCY: 1, SHIELD: 2}.get(card, 0)

    return in_order(sorted(holding.cards, key=pain)[: owed(holding)])
