"""The player that sits in for somebody who is away."""

from diadem.game import Bot
from diadem.games.diamino.table import (
    Accept,
    DiaminoEvent,
    Give,
    Hand,
    Move,
    Pass,
    PublicState,
    TableView,
    TurnPhase,
)


class Zombie(Bot[Move, DiaminoEvent, PublicState, Hand]):
    """Sits in for somebody who is away: passes, keeps all, lets the others' words stand."""

    def choose(self, view: TableView) -> Move:
        match view.public.phase:
            case TurnPhase.GIVE:
                return Give("")
            case TurnPhase.JUDGE:
                return Accept()
            case _:
                return Pass()
