"""A journal in PostgreSQL, which all nodes share.

One connection writes, with group commit: what is asked for until the outcome of the commit before is known goes
into one transaction. Others read. While the database is away every write is refused at once, as on a full disk.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import chain
from typing import Any, NamedTuple

import asyncpg
from asyncpg.connect_utils import SessionAttribute

from diadem_server.cluster.failures import ENDED, LOST, UNREADABLE, describe_error
from diadem_server.cluster.membership import Membership
from diadem_server.cluster.schema import migrate
from diadem_server.cluster.statements import SEAT_OF, TAKE_SEAT, written
from diadem_server.cluster.writer import (
    FENCED,
    GUARD,
    OLD_CONNECTION_SECONDS,
    Connection,
    ConnectionLost,
    Fenced,
    Introduction,
    PooledConnection,
    SeatHeld,
    Writer,
)
from diadem_server.storage.changes import Change
from diadem_server.storage.journal import JournalUnavailable, SeatTaken
from diadem_server.storage.sql_reader import SqlReader
from diadem_server.storage.statement import Row, Statement

log = logging.getLogger(__name__)

WRITE_SECONDS = 5.0
"""After which a commit that is not answered is given up, and its outcome looked up over another connection."""
CONNECT_SECONDS = 5.0
FROZEN_SECONDS = 1.5
"""PostgreSQL rolls back a transaction that a frozen node leaves open for so long. Until then other nodes wait for its locks, and so
do players who join one of its tables: added to `DEAD_SECONDS` it has to stay well below `PARKED_SECONDS`. A node on a slow
machine has to finish within it."""
SETTINGS = {"idle_in_transaction_session_timeout": f"{FROZEN_SECONDS * 1000:.0f}"}
WRITABLE = SessionAttribute.read_write
"""Of the machines that the URL names, whichever: a standby may lack what was committed last."""
OF_EACH_CONNECTION: dict[str, Any] = {
    "command_timeout": WRITE_SECONDS,
    "server_settings": SETTINGS,
    "target_session_attrs": WRITABLE,
}
GIVEN_UP = "this server ends, and the database does not answer"
CANNOT_BE_USED = "the database of --cluster cannot be used"
READERS = 8
"""Connections for questions, and for what is written beside the journal."""
MOST_TOGETHER = 256
"""Jobs in one transaction."""


class _Job(NamedTuple):
    statements: Sequence[Statement]
    """None for one that only waits for those before it."""
    done: "asyncio.Future[None]"


class PostgresJournal(SqlReader):
    def __init__(
        self,
        database: str,
        introduce: Callable[[Connection], Awaitable[Introduction]] | None = None,
        fenced: Callable[[], None] = lambda: None,
    ) -> None:
        """`introduce` is asked before this node joins the register, with a connection to the database; `fenced` is called
        once another node has taken it out again."""
        self._database = database
        self._introduce = introduce
        self._fenced = fenced
        self._wake = asyncio.Event()
        self._writer = Writer(self.connect, self._wake.set)
        self._readers: asyncpg.Pool[asyncpg.Record]
        self._gathered: list[_Job] = []
        self._unsettled = 0
        self._task: asyncio.Task[None] | None = None
        self._committing_since: float | None = None
        """When the commit that is under way was begun."""
        self._failed: str | None = None
        """Why the last write failed, if another one would fail too."""
        self.read_trouble: str | None = None
        """Why the last question could not be asked. Some question is asked each second."""
        self.heartbeat: Membership | None = None
        """Notices that the database is away where nobody writes."""

    @property
    def node(self) -> int:
        return self._writer.node

    @property
    def trouble(self) -> str | None:
        trouble = self._writer.trouble or self._failed
        return trouble or (self.heartbeat.trouble if self.heartbeat is not None else None)

    @property
    def unsure_for(self) -> float:
        """Seconds since the commit was begun whose outcome is not known; 0 if there is none."""
        since = self._committing_since
        return 0.0 if since is None else asyncio.get_running_loop().time() - since

    @property
    def waiting(self) -> int:
        return self._unsettled + len(self._gathered)

    async def start(self) -> None:
        try:
            connection = await self.connect()
            try:
                await migrate(connection)
                introduction = await self._introduce(connection) if self._introduce else None
            finally:
                await connection.close()
            self._readers = await asyncpg.create_pool(
                self._database,
                min_size=0,  # or it connects again by itself, and complains if it cannot
                max_size=READERS,
                **OF_EACH_CONNECTION,
            )
            await self._writer.join(introduction or Introduction())
        except (*LOST, asyncpg.PostgresError) as error:
            raise JournalUnavailable(f"{CANNOT_BE_USED}: {describe_error(error)}") from None
        self._task = asyncio.create_task(self._write(), name="journal")

    async def close(self) -> None:
        """Write what is queued, then leave the register."""
        if self._task is None:
            return
        await self.settled()
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await self._writer.close()
        with suppress(*LOST):  # then they are terminated
            async with asyncio.timeout(OLD_CONNECTION_SECONDS):
                await self._readers.close()

    def give_up(self) -> None:
        """Wait for the database no more, as this node ends: all that is not written yet is refused, and whatever is asked
        from now on."""
        if self._task is None:
            return
        self._writer.give_up(GIVEN_UP)
        self._task.cancel()
        gathered, self._gathered = self._gathered, []
        self._tell(gathered, JournalUnavailable(GIVEN_UP))
        self._readers.terminate()

    async def connect(self) -> Connection:
        """A connection of its own for the heartbeat."""
        try:
            return await asyncpg.connect(
                self._database,
                timeout=CONNECT_SECONDS,
                **OF_EACH_CONNECTION,
            )
        except asyncpg.InterfaceError:
            raise
        except ValueError:
            raise asyncpg.ClientConfigurationError(UNREADABLE) from None

    # Writing

    async def write(self, *changes: Change) -> None:
        await self.submit(*changes)

    def submit(self, *changes: Change) -> "asyncio.Future[None]":
        try:
            asked = [each for change in changes for each in written(change, self.node)]
        except Exception as error:  # noqa: BLE001, of what cannot be encoded
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            done.set_exception(JournalUnavailable(str(error)))
            return done
        return self.submit_statements(*asked)

    def submit_statements(self, *asked: Statement) -> "asyncio.Future[None]":
        """What nodes share besides the journal, written like the journal: in order, and guarded."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._writer.trouble is not None:
            done.set_exception(JournalUnavailable(self._writer.trouble))
        else:
            self._gathered.append(_Job(asked, done))
            self._wake.set()
        return done

    async def settled(self) -> None:
        with suppress(JournalUnavailable):
            await self.submit()

    async def shrink(self) -> None:
        """PostgreSQL vacuums by itself."""

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._wake.wait()
            jobs = self._gathered[:MOST_TOGETHER]
            del self._gathered[:MOST_TOGETHER]
            if not self._gathered:
                self._wake.clear()
            self._unsettled = len(jobs)
            self._committing_since = loop.time()
            try:
                await self._settle(jobs)
                self._committing_since = None
                if self._writer.is_lost:
                    await self._writer.reconnect()
            except Fenced as fenced:
                log.error("%s", fenced)
                self._failed = str(fenced)
                self._fenced()
            except asyncio.CancelledError:
                self._tell(jobs, JournalUnavailable(GIVEN_UP))
                raise
            self._unsettled, self._committing_since = 0, None

    async def _settle(self, jobs: Sequence[_Job]) -> None:
        """Write them together; if they fail, each by itself, as one of them may be the reason."""
        error = await self._commit(jobs)
        if error is not None and len(jobs) > 1 and not isinstance(error, Fenced):
            for job in jobs:
                self._tell([job], await self._commit([job]))
            return
        self._tell(jobs, error)
        if isinstance(error, Fenced):
            raise error

    async def _commit(self, jobs: Sequence[_Job]) -> JournalUnavailable | None:
        try:
            if asked := list(chain.from_iterable(job.statements for job in jobs)):
                await self._writer.commit(asked)
        except SeatHeld as error:
            return await self._seat_taken(jobs[0]) or error if len(jobs) == 1 else error
        except JournalUnavailable as error:
            return error
        except Exception as error:  # noqa: BLE001, of what cannot be encoded; the writer must outlive it
            return JournalUnavailable(str(error))
        return None

    async def _seat_taken(self, job: _Job) -> SeatTaken | None:
        """Where those sit who were to sit down; None if they have stood up meanwhile."""
        sitting = [values for sql, values in job.statements if sql == TAKE_SEAT]
        with suppress(*LOST, *ENDED, asyncpg.PostgresError):
            for session, code in sitting:
                held = await self._readers.fetchval(SEAT_OF, session)
                if held not in {None, code}:
                    return SeatTaken(held)
        return None

    def _tell(self, jobs: Sequence[_Job], error: JournalUnavailable | None) -> None:
        is_fine = error is None or isinstance(error, SeatHeld | SeatTaken | ConnectionLost)
        self._failed = None if is_fine else str(error)
        for job in jobs:
            if job.done.done():
                continue
            if error is None:
                job.done.set_result(None)
            elif isinstance(error, SeatTaken):
                job.done.set_exception(SeatTaken(error.code))
            else:
                job.done.set_exception(JournalUnavailable(str(error)))

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[PooledConnection]:
        """Beside the one that writes the journal."""
        is_connected = False
        try:
            async with self._readers.acquire(timeout=CONNECT_SECONDS) as connection:
                is_connected, self.read_trouble = True, None
                yield connection
        except (*LOST, *ENDED, asyncpg.PostgresError) as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():  # the error is what came of that
                raise asyncio.CancelledError from None
            if not is_connected or isinstance(error, (*LOST, *ENDED)):
                self.read_trouble = describe_error(error)
            raise JournalUnavailable(describe_error(error)) from None

    @asynccontextmanager
    async def guarded(self) -> AsyncIterator[PooledConnection]:
        """A transaction beside those of the journal, of a node that is in the register until it ends."""
        async with self.connection() as connection, connection.transaction():
            if not await connection.fetchval(GUARD, self.node):
                raise Fenced(FENCED.format(self.node))
            yield connection

    # Reading

    async def ask(self, *asked: Statement) -> list[list[Row]]:
        """Of one moment, after all that was to be written before."""
        await self.settled()
        if len(asked) == 1:  # needs no transaction, and so no more than one round trip
            ((sql, values),) = asked
            async with self.connection() as connection:
                return [[tuple(row) for row in await connection.fetch(sql, *values)]]
        async with (
            self.connection() as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            return [
                [tuple(row) for row in await connection.fetch(sql, *values)]
                for sql, values in asked
            ]
