"""Who has a table, as the database says. What is asked while another answer is awaited is one question: when a node is
gone, all who were at its tables ask at once, and again and again."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from diadem_server.cluster.journal import PostgresJournal
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.statement import Statement

WHERE = """
SELECT code, owner, EXISTS (SELECT FROM nodes WHERE id = owner), ended IS NULL FROM tables
WHERE code = ANY($1::text[]) AND (ended IS NULL OR ended > $2)
"""


class Found(NamedTuple):
    owner: int
    is_member: bool
    """The owner is in the register."""
    is_running: bool


class Lookups:
    def __init__(self, journal: PostgresJournal, over_since: Callable[[], float]) -> None:
        """`over_since`: tables that were over before are not found."""
        self._journal = journal
        self._over_since = over_since
        self._gathered: dict[str, asyncio.Future[Found | None]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def find(self, code: str) -> Found | None:
        """None if there is no such table."""
        if code not in self._gathered:
            self._gathered[code] = asyncio.get_running_loop().create_future()
        found = self._gathered[code]
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        return await asyncio.shield(found)

    def close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()

    async def _ask(self) -> None:
        while self._gathered:
            gathered, self._gathered = self._gathered, {}
            asked = Statement(WHERE, (list(gathered), self._over_since()))
            try:
                (rows,) = await self._journal.ask(asked)
            except JournalUnavailable as error:
                for each in gathered.values():
                    each.set_exception(JournalUnavailable(str(error)))
                    each.exception()  # whoever asked may be gone
                continue
            found = {code: Found(*row) for code, *row in rows}
            for code, each in gathered.items():
                each.set_result(found.get(code))
