"""The stand-in for a player who is away."""

from diadem_shared.advice import Decision, Reason
from diadem_shared.game import ReasonedBot
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.table import (
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


class Zombie(ReasonedBot[Move, DiaminoEvent, PublicState, Hand]):
    """Passes, keeps its tiles, and says nothing against the others' words."""

    def decide(self, view: TableView) -> Decision[Move]:
        return Decision(self._move(view.public.phase), (Reason(DiaminoReason.STANDS_IN),))

    def _move(self, phase: TurnPhase) -> Move:
        match phase:
            case TurnPhase.GIVE:
                return Give("")
            case TurnPhase.JUDGE:
                return Silence()
            case _:
                return Pass()
