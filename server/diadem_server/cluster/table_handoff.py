"""Those who are at a table that goes to another node go along with it, and their lines stay open."""

from websockets.frames import CloseCode

from diadem_server.sessions.outbox import Destination, Going
from diadem_server.sessions.sessions import Session
from diadem_server.table.table import Table


class Leaving:
    def __init__(self, table: Table) -> None:
        """Hold their conversations: from now on nothing is asked of the table that it does not do before it is closed."""
        self._table = table
        self._held: dict[Session, Going] = {}
        for viewer in table.seating.viewers:
            if viewer.outbox is not None and (going := viewer.outbox.hold()) is not None:
                self._held[viewer] = going

    @property
    def has_all(self) -> bool:
        """Whether everybody who is there can go along."""
        viewers = self._table.seating.viewers
        return all(viewer in self._held for viewer in viewers if viewer.outbox is not None)

    def go(self, node: int) -> None:
        """The table is closed here, and another node has it."""
        table = self._table
        last_line = table.chat.lines[-1].number if table.chat.lines else 0
        for viewer, views in list(table.seating.viewers.items()):
            if going := self._held.pop(viewer, None):
                if not going.done():
                    going.set_result(Destination(node, table.code, views, last_line))
            elif viewer.outbox is not None:
                viewer.outbox.disconnect(CloseCode.SERVICE_RESTART, "")
        self.stay()

    def stay(self) -> None:
        """They go on here; so do those who have left the table in between."""
        for going in self._held.values():
            if not going.done():
                going.set_result(None)
        self._held.clear()
