"""The one connection over which a node writes, and the fence: a node that is not in the register writes nothing."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

import asyncpg

from diadem_server.cluster.failures import ENDED, LOST, describe_error
from diadem_server.cluster.statements import ONE_SEAT
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.statement import Row, Statement
from diadem_server.storage.statements import NEW_ANSWER, NEW_ENTRY

log = logging.getLogger(__name__)

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
PooledConnection: TypeAlias = "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
Connect: TypeAlias = Callable[[], Awaitable[Connection]]

LOCK_CLASS = 4_242_002
"""The class of the advisory lock that a node's writing connection holds, by the number of the node."""
SHORTEST_BACKOFF, LONGEST_BACKOFF = 0.05, 1.0
"""Seconds between attempts to connect again."""
CONNECTION_LOST = "the connection to the database was lost"
FENCED = "node {} is not in the register any more"
OLD_CONNECTION_SECONDS = 2.0
"""After which PostgreSQL is asked to end the connection that was lost."""

GUARD = "SELECT 1 FROM nodes WHERE id = $1 FOR KEY SHARE"
"""Finds the node's row, and keeps it from being deleted before this transaction ends."""
NOTE = "UPDATE commits SET number = $2 WHERE node = $1"
GUARDED = f"""
WITH mine AS MATERIALIZED ({GUARD}),
noted AS (UPDATE commits SET number = $2 FROM mine WHERE node = $1),
appended AS (
    INSERT INTO entries SELECT row.* FROM mine, unnest(
        $3::text[], $4::bigint[], $5::bytea[], $6::bigint[], $7::bigint[], $8::text[], $9::bigint[]
    ) AS row
)"""
APPEND = GUARDED + "SELECT count(*) FROM mine"
APPEND_AND_ANSWER = (
    GUARDED
    + """, answered AS (
    INSERT INTO answers SELECT row.* FROM mine, unnest(
        $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bytea[]
    ) AS row """
    + NEW_ANSWER[NEW_ANSWER.index("ON CONFLICT") :]
    + ") SELECT count(*) FROM mine"
)
ENTRY_COLUMNS, ANSWER_COLUMNS = 7, 6


class Introduction(NamedTuple):
    """What a node says of itself to the others."""

    address: str = ""
    """HOST:PORT, where they reach it."""
    version: str = ""
    fingerprint: str = ""
    """Of its certificate."""


class Fenced(JournalUnavailable):
    """Another node has taken this one out of the register: it writes nothing any more."""


class SeatHeld(JournalUnavailable):
    """Somebody who was to sit down holds a seat: nothing was written."""


class ConnectionLost(JournalUnavailable):
    """The connection was lost before anything was written; there is another now."""


class Writer:
    def __init__(self, connect: Connect, lost: Callable[[], None] = lambda: None) -> None:
        """`lost` is called whenever the connection is: somebody has to have this `reconnect`."""
        self._connect = connect
        self._lost = lost
        self._connection: Connection
        self._number = 0
        """Of the last commit that was tried."""
        self.node = 0
        """The number of this node in the register; every start is given another."""
        self.trouble: str | None = None
        """Why there is no connection; None while there is one."""

    async def join(self, introduction: Introduction) -> None:
        """Enter this node into the register."""
        connection = await self._connect()
        async with connection.transaction():
            self.node = await connection.fetchval(
                "INSERT INTO nodes (address, version, fingerprint) VALUES ($1, $2, $3) RETURNING id",
                *introduction,
            )
            await connection.execute("INSERT INTO commits VALUES ($1, 0)", self.node)
        await self._take_over(connection)

    async def close(self) -> None:
        """Leave the register, if nothing is in the way."""
        try:
            async with asyncio.timeout(OLD_CONNECTION_SECONDS):
                await self._connection.execute("DELETE FROM nodes WHERE id = $1", self.node)
                await self._connection.execute("DELETE FROM commits WHERE node = $1", self.node)
                await self._connection.close()
        except (*LOST, asyncpg.PostgresError) as error:
            log.warning("this node has left without saying so: %s", error)
            self._connection.terminate()

    def give_up(self, why: str) -> None:
        """Nothing is written any more."""
        self.trouble = why
        self._connection.terminate()

    async def commit(self, statements: Sequence[Statement]) -> None:
        """Write all of it, or nothing. Where the connection is lost meanwhile, this returns, or raises, once the
        outcome is known; where it was lost before, nothing is sent."""
        if self.is_lost:
            raise ConnectionLost(CONNECTION_LOST)
        self._number += 1
        try:
            try:
                found = await self._written(statements)
            except ENDED as error:
                raise ConnectionError(str(error)) from None
        except LOST as error:
            if isinstance(error, asyncpg.DataError):  # it was not sent
                raise JournalUnavailable(str(error)) from None
            found = await self._outcome(error)
        except asyncpg.UniqueViolationError as error:
            is_seat = error.constraint_name == ONE_SEAT
            raise (SeatHeld if is_seat else JournalUnavailable)(str(error)) from None
        except asyncpg.PostgresError as error:
            raise JournalUnavailable(str(error)) from None
        if not found:
            raise Fenced(FENCED.format(self.node))

    async def _written(self, statements: Sequence[Statement]) -> bool:
        """Whether this node is still in the register; if not, nothing was written."""
        entries = [values for sql, values in statements if sql == NEW_ENTRY]
        answers = [values for sql, values in statements if sql == NEW_ANSWER]
        if not entries or len(entries) + len(answers) < len(statements):
            return await self._written_one_by_one(statements)
        values = _columns(entries, ENTRY_COLUMNS)
        if answers:
            values += _columns(answers, ANSWER_COLUMNS)
        sql = APPEND_AND_ANSWER if answers else APPEND
        return bool(await self._connection.fetchval(sql, self.node, self._number, *values))

    async def _written_one_by_one(self, statements: Sequence[Statement]) -> bool:
        connection = self._connection
        async with connection.transaction():
            if not await connection.fetchval(GUARD, self.node):
                return False
            await connection.execute(NOTE, self.node, self._number)
            for sql, run in groupby(statements, key=lambda statement: statement.sql):
                await connection.executemany(sql, [statement.values for statement in run])
        return True

    # A connection that is lost

    @property
    def is_lost(self) -> bool:
        return self._connection.is_closed()

    def _terminated(self, connection: object) -> None:
        if connection is self._connection:
            self.trouble = self.trouble or CONNECTION_LOST
            self._lost()

    async def reconnect(self) -> None:
        """After a connection that was lost while nothing was being written; raises Fenced."""
        if await self._last_number(ConnectionError(CONNECTION_LOST)) is None:
            raise Fenced(FENCED.format(self.node))

    async def _outcome(self, error: BaseException) -> bool:
        """Whether the last commit was written; False if this node is not in the register any more."""
        number = await self._last_number(error)
        if number is not None and number != self._number:
            raise ConnectionLost(CONNECTION_LOST)
        return number is not None

    async def _last_number(self, error: BaseException) -> int | None:
        """Of what was written, as the database says once it is reached again; see `_reconnect`."""
        self.trouble = describe_error(error)
        log.error("the connection to the database is lost: %s", self.trouble)
        self._connection.terminate()
        pause = SHORTEST_BACKOFF
        while True:
            try:
                number = await self._reconnect()
            except (*LOST, asyncpg.PostgresError) as again:
                self.trouble = describe_error(again)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_BACKOFF)
            else:
                break
        self.trouble = None
        return number

    async def _reconnect(self) -> int | None:
        """The number of the last commit that was written; None if this node is not in the register any more."""
        connection = await self._connect()
        try:
            await self._take_over(connection)
            number: int | None = await connection.fetchval(
                "SELECT number FROM nodes JOIN commits ON node = id WHERE id = $1", self.node
            )
        except BaseException:
            connection.terminate()
            raise
        return number

    async def _take_over(self, connection: Connection) -> None:
        """Write over this connection, once nothing comes of the one before: it held the lock."""
        key = LOCK_CLASS, self.node
        if not await connection.fetchval("SELECT pg_try_advisory_lock($1, $2)", *key):
            await asyncio.sleep(SHORTEST_BACKOFF)
        if not await connection.fetchval("SELECT pg_try_advisory_lock($1, $2)", *key):
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks"
                " WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND granted",
                *key,
            )
            async with asyncio.timeout(OLD_CONNECTION_SECONDS):
                await connection.execute("SELECT pg_advisory_lock($1, $2)", *key)
        await connection.execute("SELECT set_config('diadem.node', $1, false)", str(self.node))
        self._connection = connection
        connection.add_termination_listener(self._terminated)


def _columns(rows: Iterable[Row], count: int) -> list[list[object]]:
    """What `unnest` takes."""
    columns: list[list[object]] = [[] for _ in range(count)]
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    return columns
