"""Commands that made an entry of one table, so that none is done twice."""

from collections.abc import Iterable

from diadem_server.sessions.answers import REMEMBERED_ANSWERS
from diadem_server.storage.records import DoneRow

KEPT = REMEMBERED_ANSWERS
"""Of each session. The journal has those before."""


class ExecutedCommands:
    def __init__(self) -> None:
        self._by_session: dict[int, dict[int, DoneRow]] = {}
        self._forgotten: dict[int, int] = {}
        """By session, the highest id that is kept no longer."""

    def keep(self, session: int, row: DoneRow) -> None:
        rows = self._by_session.setdefault(session, {})
        rows[row.command] = row
        if len(rows) > KEPT:
            oldest = next(iter(rows))
            del rows[oldest]
            self._forgotten[session] = max(oldest, self._forgotten.get(session, 0))

    def find(self, session: int, command: int) -> DoneRow | None:
        return self._by_session.get(session, {}).get(command)

    def may_have_forgotten(self, session: int, command: int) -> bool:
        """Whether the journal has to be asked. Clients count upwards, so it seldom has."""
        return command <= self._forgotten.get(session, 0)

    def of(self, session: int) -> Iterable[DoneRow]:
        """The newest, the oldest of them first."""
        return self._by_session.get(session, {}).values()
