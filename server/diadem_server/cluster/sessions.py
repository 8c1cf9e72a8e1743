"""The sessions of a node: those in memory who have come to it; all are kept in the database, where they are looked up."""

import asyncio
from collections.abc import Callable

from diadem_server.cluster.journal import PostgresJournal
from diadem_server.sessions.sessions import Session, Sessions, hashed
from diadem_server.storage.statement import Statement

BLOCK = 100
"""Numbers of sessions that a node takes at a time. What a node leaves of them when it ends is never used."""
NEXT_BLOCK = "SELECT nextval('session_blocks')"
WITH_HASH = "SELECT id, token, name FROM sessions WHERE token = $1"
MUTED_WITH_HASH = "SELECT muted FROM mutes JOIN sessions ON id = session WHERE token = $1"


class SharedSessions(Sessions):
    def __init__(self, journal: PostgresJournal, now: Callable[[], float]) -> None:
        super().__init__(journal, now)
        self._database = journal
        self._unused = range(0)
        """Numbers for new sessions."""
        self._taking = asyncio.Lock()

    async def load(self) -> None:
        """Nothing: they are looked up when they come."""

    async def find(self, token: str | None) -> Session | None:
        here = self.known(token)
        if token is None or (here is not None and here.outbox is not None):
            return here
        return await self._look_up(hashed(token))

    async def _look_up(self, token_hash: bytes) -> Session | None:
        found, mutes = await self._database.ask(
            Statement(WITH_HASH, (token_hash,)), Statement(MUTED_WITH_HASH, (token_hash,))
        )
        if not found:
            return None
        ((id_, token, name),) = found
        known = self.get(id_)
        if known is not None and known.outbox is not None:
            return known  # they have come meanwhile
        known = known or Session(id_, name)
        self.keep(known, token)
        # They may have been at another node since they were here.
        known.name = name
        known.muted = {row[0] for row in mutes}
        known.answers.forget()
        return known

    async def new_id(self) -> int:
        async with self._taking:
            if not self._unused:
                async with self._database.guarded() as connection:
                    block = await connection.fetchval(NEXT_BLOCK)
                self._unused = range(block * BLOCK + 1, (block + 1) * BLOCK + 1)
            taken, self._unused = self._unused[0], self._unused[1:]
            return taken

    def forget_answers(self) -> None:
        """All of those who are not here, and whom nothing is being done for."""
        absent = (each for each in self if each.outbox is None and not each.answers.is_busy)
        self.drop({session.id for session in absent})

    def forget(self, ids: set[int]) -> set[int]:
        """Whoever is connected to another node stays: the database sees to that."""
        super().forget(ids)
        return {id_ for id_ in ids if self.get(id_) is None}
