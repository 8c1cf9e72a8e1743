"""Artificial players for Diadingo. docs/games/diadingo.md says how they think."""

from diadem.game import Bot
from diadem.games.diadingo.table import (
    Decline,
    DiadingoEvent,
    Move,
    Phase,
    Steal,
    Table,
    TableView,
    Take,
    robberies,
)


class Zombie(Bot[Move, DiadingoEvent, Table, None]):
    """Sits in for somebody who is away: remembers nothing, and steals the dearest diamond."""

    def choose(self, view: TableView) -> Move:
        table = view.public
        if table.phase is Phase.STEAL:
            return max(
                (Steal(value, victim) for value, victim in robberies(table.hands, table.turn)),
                key=lambda steal: steal.value,
                default=Decline(),
            )
        return Take(self.chance.pick([spot for spot in table.board if spot not in table.marked]))


BOTS = {"zombie": Zombie}
