"""What is said at one table: a bounded number of lines is kept, and budgets hold back who says too much."""

from typing import TYPE_CHECKING

from diadem.protocol import Accepted, Said
from diadem.refusals import Code, Refusal, Refused
from diadem_server.net.rate_limits import Bucket, Buckets, too_fast
from diadem_server.sessions.names import clean_text
from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import NewLine
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import LineRow

if TYPE_CHECKING:
    from diadem_server.lobby.lobby import Lobby
    from diadem_server.table.table import Table

KEPT_MESSAGES = 50
"""Lines that are told to whoever comes later."""
PERSON_A_SECOND, PERSON_AT_ONCE = 0.5, 8
"""Lines of one session, wherever it says them."""
TABLE_A_SECOND, TABLE_AT_ONCE = 4.0, 30
"""Lines of everybody at one table."""
ONLOOKERS_SHARE = 0.5
"""Of a table's budget: however many look on, those who sit there can talk to each other."""


def session_limits() -> Buckets:
    """By session."""
    return Buckets(PERSON_A_SECOND, PERSON_AT_ONCE)


class Chat:
    def __init__(self, table: "Table", lobby: "Lobby") -> None:
        self.lines: list[LineRow] = []
        self._table = table
        self._lobby = lobby
        self._budget = Bucket(TABLE_A_SECOND, TABLE_AT_ONCE)
        self._budget_of_onlookers = Bucket(
            TABLE_A_SECOND * ONLOOKERS_SHARE, TABLE_AT_ONCE * ONLOOKERS_SHARE
        )

    async def say(self, session: Session, text: str, command: int) -> None:
        """Of less weight than a move: it is told even if it cannot be written."""
        cleaned = clean_text(text)
        if not cleaned:
            raise Refused(Refusal(Code.NOTHING_SAID))
        seat = self._table.seating.seat_of(session)
        self._spend(session, looks_on=seat is None)
        said = Said(session.name, seat, cleaned)
        line = LineRow(self.lines[-1].number + 1 if self.lines else 1, said, session.id)
        self.lines = [*self.lines, line][-KEPT_MESSAGES:]
        written = NewLine(self._table.code, line, keep=KEPT_MESSAGES)
        try:
            await self._table.acknowledge(session, Accepted(command), written)
        except JournalUnavailable:
            session.answer(Accepted(command))
        for viewer in self._table.seating.viewers:
            self._tell(viewer, line)

    def _spend(self, session: Session, *, looks_on: bool) -> None:
        """A line of every budget that it counts for, or of none."""
        person = str(session.id)
        shared = [self._budget, *([self._budget_of_onlookers] if looks_on else [])]
        wait = max(self._lobby.chat_limits.wait(person), *(each.wait() for each in shared))
        if wait:
            raise Refused(too_fast(wait))
        self._lobby.chat_limits.take(person)
        for budget in shared:
            budget.take()

    def recall(self, viewer: Session) -> None:
        """Tell what was said before somebody came."""
        for line in self.lines:
            self._tell(viewer, line)

    def _tell(self, viewer: Session, line: LineRow) -> None:
        if line.session not in viewer.muted:
            self._lobby.tell(viewer, line.said)
