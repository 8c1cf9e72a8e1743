"""Artificial players for castles. docs/bots.md says how they think."""

from diadem.game import Bot
from diadem.games.castles.editions import CURRENCY, PRICE, SHIELD, Card, in_order
from diadem.games.castles.rules import owed
from diadem.games.castles.table import (
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


class Zombie(Bot[Move, CastleEvent, PublicState, None]):
    """The stand-in for a player who is away: draws once, and gives up the cheapest cards."""

    def choose(self, view: TableView) -> Move:
        table = view.public
        if table.phase is TurnPhase.OPEN:
            return Draw()
        if table.phase is TurnPhase.DRAWN:
            return Stop()
        if table.mover.shielded:
            return Shield()
        return Pay(least_painful(table.mover))


class Easy(Zombie):
    """A gentle opponent for a child: draws once, but buys whenever it can."""

    def choose(self, view: TableView) -> Move:
        table = view.public
        buyer = table.mover
        if table.phase is TurnPhase.OPEN and buyer.wealth >= PRICE:
            for seller, holding in enumerate(table.holdings):
                if seller != table.turn and holding.spare(buyer.builds):
                    return Buy(seller)
        return super().choose(view)


class Bold(Easy):
    """Buys when it can, and else draws until a danger stops it."""

    def choose(self, view: TableView) -> Move:
        return Draw() if view.public.phase is TurnPhase.DRAWN else super().choose(view)


def least_painful(holding: Holding) -> tuple[Card, ...]:
    """Foreign parts first, then currency, then shields, the own castle last."""

    def pain(card: Card) -> int:
        if card in holding.castle:
            return 3
        return {CURRENCY: 1, SHIELD: 2}.get(card, 0)

    return in_order(sorted(holding.cards, key=pain)[: owed(holding)])
