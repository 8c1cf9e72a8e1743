"""What is said at one table, of which a bounded number of lines is kept."""

from contextlib import suppress
from typing import TYPE_CHECKING

from diadem.game import Refusal, Refused
from diadem.protocol import Said
from diadem_server import records
from diadem_server.journal import JournalUnavailable
from diadem_server.names import clean_text
from diadem_server.records import LineRow
from diadem_server.sessions import Session

if TYPE_CHECKING:
    from diadem_server.hall import Hall
    from diadem_server.table import Table

KEPT_CHAT = 50
"""Lines that are told to whoever comes later."""


class Chat:
    def __init__(self, table: "Table", hall: "Hall") -> None:
        self.lines: list[LineRow] = []
        self._table = table
        self._hall = hall

    async def say(self, session: Session, text: str) -> None:
        """Of less weight than a move: it is told even if it cannot be written."""
        cleaned = clean_text(text)
        if not cleaned:
            raise Refused(Refusal("nothing_said"))
        said = Said(session.name, self._table.people.seat_of(session), cleaned)
        line = LineRow(self.lines[-1].number + 1 if self.lines else 1, said, session.id)
        self.lines = [*self.lines, line][-KEPT_CHAT:]
        with suppress(JournalUnavailable):
            await self._hall.journal.write(
                *records.new_line(self._table.code, line, keep=KEPT_CHAT)
            )
        for viewer in self._table.people.viewers:
            self._tell(viewer, line)

    def recall(self, viewer: Session) -> None:
        """Tell what was said before somebody came."""
        for line in self.lines:
            self._tell(viewer, line)

    def _tell(self, viewer: Session, line: LineRow) -> None:
        if line.session not in viewer.muted:
            self._hall.tell(viewer, line.said)
