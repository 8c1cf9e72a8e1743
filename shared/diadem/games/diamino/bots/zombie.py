"""The stand-in for a player who is away."""

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
    """Passes, keeps its tiles, and accepts the others' words."""

    def choose(self, view: TableView) -> Move:
        match view.public.phase:
            case TurnPhase.GIVE:
                return Give("")
            case TurnPhase.JUDGE:
                return Accept()
            case _:
                return Pass()
