"""The player that sits in for somebody who is away."""

from diadem.game import Bot
from diadem.games.diamino.table import (
    Accept,
    DiaminoEvent,
    Give,
    Hand,
    Move,
    Pass,
    Phase,
    Table,
    TableView,
)


class Zombie(Bot[Move, DiaminoEvent, Table, Hand]):
    """Sits in for somebody who is away: passes, keeps all, lets the others' words stand."""

    def choose(self, view: TableView) -> Move:
        match view.public.phase:
            case Phase.GIVE:
                return Give("")
            case Phase.JUDGE:
                return Accept()
            case _:
                return Pass()
