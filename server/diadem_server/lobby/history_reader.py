"""Pages of a table's history that are no longer in memory, read beside the turns of their tables."""

import asyncio
from collections.abc import Sequence

from diadem_server.limits.rate_limits import too_fast
from diadem_server.storage.journal import Journal
from diadem_server.table.history import History, Range
from diadem_server.table.views import Logged
from diadem_shared.refusals import RefusalError


class HistoryReader:
    """One is read at a time in the whole server, and each session asks for one at a time."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._one_at_a_time = asyncio.Lock()
        self._asking: set[int] = set()

    async def read(self, session: int, history: History, page: Range) -> Sequence[Logged]:
        if session in self._asking:
            raise RefusalError(too_fast(1))
        self._asking.add(session)
        try:
            async with self._one_at_a_time:
                return await history.read(self._journal, page)
        finally:
            self._asking.discard(session)
