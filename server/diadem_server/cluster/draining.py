"""Draining: a node that is told to end gives its tables to other nodes, and sends its clients there.

Tables go first, so that a client that comes again finds its table at the other node, or goes on playing over the link until
its line is closed. A client that asks for what a draining node does not do is sent away at once, whatever its turn is. Each
step has its bound; what is left then is claimed by others as after a crash. All together stays below the ten seconds after
which a container is killed.
"""

import asyncio
import logging
from collections.abc import Iterator

from diadem_server.app import App
from diadem_server.cluster.journal import PostgresJournal
from diadem_server.cluster.node_services import Conversations
from diadem_server.cluster.ownership import Ownership
from diadem_server.cluster.transfer import Transfer
from diadem_server.sessions.outbox import Destination
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.table.table import Table

log = logging.getLogger(__name__)

TABLES_SECONDS = 2.0
"""For which tables are given away."""
AT_ONCE = 4
"""Tables that are given away at the same time."""
LINES_SECONDS = 2.0
"""Over which clients are sent to other nodes."""
GUESTS_SECONDS = 2.0
"""In which conversations of clients whose lines are at other nodes move there."""
DRAINING = "UPDATE nodes SET draining = true WHERE id = $1"


class Draining:
    def __init__(
        self,
        app: App,
        journal: PostgresJournal,
        ownership: Ownership,
        transfer: Transfer,
        conversations: Conversations,
    ) -> None:
        self._app = app
        self._lobby = app.lobby
        self._journal = journal
        self._ownership = ownership
        self._conversations = conversations
        self._transfer = transfer
        self._giving: asyncio.Task[None] | None = None

    async def give_tables_away(self) -> None:
        """Let nobody in, make no table, and give away those there are. If there is no other node, they stay."""
        self._app.admission.is_closed = self._lobby.is_draining = True
        self._giving = asyncio.create_task(self._give_tables_away())
        _, unfinished = await asyncio.wait({self._giving}, timeout=TABLES_SECONDS)
        if unfinished:
            log.warning("%d tables are left for others to claim", len(self._lobby.tables))
            self._giving.cancel()  # which may take as long as PostgreSQL does not answer

    async def send_clients_away(self) -> None:
        """To other nodes, if there are any. Returns once nobody is left, or after some seconds."""
        if self._ownership.next_owner("") is None:
            return
        self._send_guests_back()
        await self._app.close_lines(LINES_SECONDS)
        gone = asyncio.create_task(self._conversations.channels.gone())
        await asyncio.wait({gone}, timeout=GUESTS_SECONDS)
        gone.cancel()

    def stop(self) -> None:
        if self._giving is not None:
            self._giving.cancel()

    async def close(self) -> None:
        self.stop()
        if self._giving is not None:
            await asyncio.wait({self._giving})

    async def _give_tables_away(self) -> None:
        try:
            async with self._journal.guarded() as connection:
                await connection.execute(DRAINING, self._journal.node)
        except JournalUnavailable as error:
            log.warning("tables are left for others to claim: %s", error)
            return
        tables = iter(list(self._lobby.tables.values()))
        await asyncio.gather(*(self._give_each(tables) for _ in range(AT_ONCE)))

    async def _give_each(self, tables: Iterator[Table]) -> None:
        for table in tables:
            node = self._ownership.next_owner(table.code)
            if node is None:
                return
            try:
                await self._transfer.give(table, node)
            except JournalUnavailable as error:
                log.warning("table %s is left for others to claim: %s", table.code, error)

    def _send_guests_back(self) -> None:
        """Clients whose lines are at other nodes, and who are at no table here."""
        for session in list(self._lobby.sessions):
            if session.front is None or session.outbox is None:
                continue
            if (going := session.outbox.hold()) is not None:
                going.set_result(Destination(session.front))
