"""Transfer of a table to another node: it is closed here, its row gets the other owner, and its viewers go along.

Nothing may be done at a table by two nodes. So the order is: hold the conversations of those who are there, let the table
finish what it has begun, wait until the journal has all of it, and only then change the owner, which the other node waits for.
"""

import asyncio
import logging
from typing import Any

from websockets.frames import CloseCode

from diadem_server.cluster.journal import PostgresJournal
from diadem_server.cluster.ownership import Ownership
from diadem_server.cluster.rebalancing import is_between_turns
from diadem_server.cluster.table_handoff import Leaving
from diadem_server.lobby.lobby import Lobby
from diadem_server.table.table import Table

log = logging.getLogger(__name__)

FINISH_SECONDS = 5.0
"""For which a table may take to do what it has begun."""


class Transfer:
    def __init__(self, lobby: Lobby, journal: PostgresJournal, ownership: Ownership) -> None:
        self._lobby = lobby
        self._journal = journal
        self._ownership = ownership
        self._giving: set[str] = set()

    async def give(self, table: Table, node: int) -> None:
        """Once it has done what it has begun, and with those who are there. Raises JournalUnavailable."""
        if table.code not in self._giving:
            leaving = Leaving(table)
            table.close()
            await self._hand_over(table, node, leaving)

    async def give_between_turns(self, table: Table, node: int) -> bool:
        """The same if nobody who is there is to move, and nobody is just doing something; whether it was so."""
        if table.task is None or table.task.done() or table.code in self._giving:
            return False
        closed: asyncio.Future[Leaving | None] = asyncio.get_running_loop().create_future()

        async def close() -> None:
            closed.set_result(_closed_between_turns(table))

        table.post(close)  # in its turn nothing else is done there
        awaited: list[asyncio.Future[Any]] = [closed, table.task]
        await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        leaving = closed.result() if closed.done() else None
        if leaving is not None:
            await self._hand_over(table, node, leaving)
        return leaving is not None

    async def _hand_over(self, table: Table, node: int, leaving: Leaving) -> None:
        self._giving.add(table.code)
        try:
            if not await self._is_given(table, node):
                self._send_away(table)
            elif self._lobby.tables.get(table.code) is table:
                log.info("table %s goes to node %d", table.code, node)
                self._lobby.drop(table.code)
                leaving.go(node)
        except BaseException:
            self._send_away(table)
            raise
        finally:
            self._giving.discard(table.code)
            leaving.stay()

    async def _is_given(self, table: Table, node: int) -> bool:
        """Whether it is the other node's now, or has ended."""
        if table.task is not None:
            _, unfinished = await asyncio.wait({table.task}, timeout=FINISH_SECONDS)
            if unfinished:
                log.error("table %s does not end; it is left for others to claim", table.code)
                return False
        await self._journal.settled()
        if self._lobby.tables.get(table.code) is not table:
            return True
        return await self._ownership.release(table.code, node)

    def _send_away(self, table: Table) -> None:
        """Nothing is done there any more: its viewers come again, and find it where it is by then."""
        self._lobby.drop(table.code)
        for viewer in list(table.seating.viewers):
            if viewer.outbox is not None:
                viewer.outbox.disconnect(CloseCode.SERVICE_RESTART, "")


def _closed_between_turns(table: Table) -> Leaving | None:
    if table.waiting or not is_between_turns(table):
        return None
    leaving = Leaving(table)
    if not leaving.has_all:
        leaving.stay()
        return None
    table.close()
    return leaving
