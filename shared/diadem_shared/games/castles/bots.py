"""Artificial players for castles. docs/bots.md says how they think."""

from diadem_shared.advice import Decision, Reason
from diadem_shared.chance import Chance
from diadem_shared.game import ReasonedBot
from diadem_shared.games.castles.editions import CURRENCY, PRICE, SHIELD, Card, in_order
from diadem_shared.games.castles.reasons import CastlesReason
from diadem_shared.games.castles.rules import owed
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
from diadem_shared.mixed_bot import MixedBot


class Zombie(ReasonedBot[Move, CastleEvent, PublicState, None]):
    """The stand-in for a player who is away: draws once, and gives up the cheapest cards."""

    def decide(self, view: TableView) -> Decision[Move]:
        table = view.public
        if table.phase is TurnPhase.OPEN:
            return _because(Draw(), CastlesReason.DRAWS_ONCE)
        if table.phase is TurnPhase.DRAWN:
            return _because(Stop(), CastlesReason.DRAWS_ONCE)
        if table.mover.shielded:
            return _because(Shield(), CastlesReason.SHIELD_AT_ONCE)
        return _because(Pay(least_painful(table.mover)), CastlesReason.GIVES_CHEAPEST)


class Easy(Zombie):
    """A gentle opponent for a child: draws once, but buys whenever it can."""

    def decide(self, view: TableView) -> Decision[Move]:
        table = view.public
        buyer = table.mover
        if table.phase is TurnPhase.OPEN and buyer.wealth >= PRICE:
            for seller, holding in enumerate(table.holdings):
                if seller != table.turn and holding.spare(buyer.builds):
                    return _because(Buy(seller), CastlesReason.BUYS_AT_ONCE)
        return super().decide(view)


class Bold(Easy):
    """Buys when it can, and else draws until a danger stops it."""

    def decide(self, view: TableView) -> Decision[Move]:
        if view.public.phase is TurnPhase.DRAWN:
            return _because(Draw(), CastlesReason.DRAWS_ON)
        decision = super().decide(view)
        if isinstance(decision.move, Draw):
            return _because(decision.move, CastlesReason.DRAWS_ON)
        return decision


class Fickle(MixedBot[Move, CastleEvent, PublicState, None]):
    """Between easy and bold, which differ in drawing on: it decides by lot, card by card."""

    def __init__(self, chance: Chance, percent: int) -> None:
        super().__init__(chance, Easy, Bold, percent)
        self._reasons = (Reason(CastlesReason.DRAWS_BY_LOT, {"percent": percent}),)

    def decide(self, view: TableView) -> Decision[Move]:
        decision = super().decide(view)
        drawing = isinstance(decision.move, Draw | Stop)
        return Decision(decision.move, self._reasons) if drawing else decision


def _because(move: Move, code: CastlesReason) -> Decision[Move]:
    return Decision(move, (Reason(code),))


def least_painful(holding: Holding) -> tuple[Card, ...]:
    """Foreign parts first, then currency, then shields, the own castle last."""

    def pain(card: Card) -> int:
        if card in holding.castle:
            return 3
        return {CURRENCY: 1, SHIELD: 2}.get(card, 0)

    return in_order(sorted(holding.cards, key=pain)[: owed(holding)])
