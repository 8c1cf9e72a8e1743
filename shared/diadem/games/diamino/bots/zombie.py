"""The stand-in for a player who is away."""

from diadem.game import Bot
from diadem.games.diamino.table import (
    DiaminoEvent,
    Give,
    Hand,
    Move,
    Pass,
    PublicState,
    Silence,
    TableView,
    TurnPhase,
)


class Zombie(Bot[Move, DiaminoEvent, PublicState, Hand]):
    """Passes, keeps its tiles, and says nothing against the others' words."""

    def choose(self, view: TableView) -> Move:
        match view.public.phase:
            case TurnPhase.GIVE:
                return Give("")
            case TurnPhase.JUDGE:
                return Silence()
            case _:
                return Pass()
