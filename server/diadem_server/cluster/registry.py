"""The registry of a node: what must hold at once is rows with keys, which all nodes share.

A name is in use while who has it is connected to any node or holds a seat. The connections of a node end with its
row in the register, as the database's own keys have it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple
from weakref import WeakValueDictionary

from diadem_server.cluster.journal import PostgresJournal
from diadem_server.cluster.statements import SEAT_OF
from diadem_server.cluster.writer import FENCED, GUARD, Fenced, PooledConnection
from diadem_server.lobby.codes import drawn
from diadem_server.sessions.confusables import looks
from diadem_server.sessions.outbox import Outbox
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.statement import Statement
from diadem_shared.protocol import TableLine
from diadem_shared.refusals import Code, Refusal, RefusalError

PRUNING_LOCK = 4_242_003
"""The key of the advisory lock of the node that prunes."""
NAME_LOCKS = 4_242_004
"""The class of the advisory locks under which names are taken."""
TAKE_CODE = f"""
WITH mine AS MATERIALIZED ({GUARD}),
taken AS (INSERT INTO codes SELECT $2, $1 FROM mine ON CONFLICT DO NOTHING RETURNING 1)
SELECT (SELECT count(*) FROM mine), (SELECT count(*) FROM taken)
"""  # noqa: S608, both are ours
"""Whether this node is in the register, and whether the code is its own now. In one statement, so that others, which wait for
the code meanwhile, do not wait for this node."""
ADD_CODES = "INSERT INTO codes SELECT unnest($1::text[]), NULL ON CONFLICT DO NOTHING"
GIVE_BACK_CODES = """
DELETE FROM codes WHERE code = ANY($1::text[]) AND (node = $2 OR node IS NULL)
AND NOT EXISTS (SELECT FROM tables WHERE tables.code = codes.code)
"""
"""Not those that another node keeps for a table it is making."""
LOCK_SESSION = "SELECT 1 FROM sessions WHERE id = $1 FOR NO KEY UPDATE"
LOCK_NAME = """
SELECT pg_advisory_xact_lock($1, key) FROM (
    SELECT DISTINCT hashtext(look) AS key FROM unnest($2::text[]) AS look ORDER BY key
) AS keys
"""
"""All in one order, so that none waits for another that waits for it."""
IS_ALIKE = """
SELECT EXISTS (
    SELECT FROM names WHERE look = ANY($1::text[]) AND session IS DISTINCT FROM $2 AND (
        EXISTS (SELECT FROM connections WHERE connections.session = names.session)
        OR EXISTS (SELECT FROM seats WHERE seats.session = names.session)
    )
)
"""
SET_NAME = """
WITH dropped AS (DELETE FROM names WHERE session = $1 AND look <> ALL($2::text[]))
INSERT INTO names SELECT unnest($2::text[]), $1 ON CONFLICT DO NOTHING
"""
CONNECT = """
WITH older AS (SELECT node, number FROM connections WHERE session = $1),
told AS (
    INSERT INTO replaced SELECT id, $1, number FROM older JOIN nodes ON id = node AND id <> $2
    FOR KEY SHARE OF nodes
)
INSERT INTO connections VALUES ($1, nextval('connection_numbers'), $2)
ON CONFLICT (session) DO UPDATE SET number = excluded.number, node = excluded.node
RETURNING number, (SELECT node FROM older), (SELECT number FROM older)
"""
REPLACED = "DELETE FROM replaced WHERE node = $1 RETURNING session, number"
"""Connections of this node that newer ones at others have replaced; each is told once."""
TAKE_OVER = "UPDATE connections SET node = $3 WHERE session = $1 AND number = $2 RETURNING 1"
DISCONNECT = "DELETE FROM connections WHERE session = $1 AND number = $2 AND node = $3"
DISCONNECT_LOST = "DELETE FROM connections WHERE number = ANY($1::bigint[]) AND node = $2"


class _Here(NamedTuple):
    """A connection of this node."""

    outbox: Outbox
    number: int


class PostgresRegistry:
    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal
        self._keeping: dict[int, str] = {}
        """By session, the table of this node where a seat is kept for it until it sits down."""
        self._connections: dict[int, _Here] = {}
        self._lost: set[int] = set()
        """Numbers of connections that were lost while the database was away."""
        self._one_at_a_time: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._lines: dict[str, TableLine] = {}
        self._lines_of_others: dict[int, dict[str, TableLine]] = {}
        self.replaced: Callable[[int, int, int], None] | None = None
        """Called with the node, the session and the number of a connection there that a newer one has replaced."""
        self.listed_anew: Callable[[str, TableLine | None], None] | None = None
        """Called with what the lobby shows of a table of this node from now on."""

    # Codes

    async def add_codes(self, codes: Collection[str]) -> None:
        async with self._journal.guarded() as connection:
            await connection.execute(ADD_CODES, list(codes))

    async def take_code(self, *, private: bool) -> str:
        async with self._journal.connection() as connection:
            for code in drawn(private=private):
                ((is_member, is_taken),) = await connection.fetch(
                    TAKE_CODE, self._journal.node, code
                )
                if not is_member:
                    raise Fenced(FENCED.format(self._journal.node))
                if is_taken:
                    return code
        raise JournalUnavailable("there are no codes any more")

    async def give_back_codes(self, codes: Collection[str]) -> None:
        async with self._journal.guarded() as connection:
            await connection.execute(GIVE_BACK_CODES, list(codes), self._journal.node)

    async def codes(self) -> frozenset[str]:
        rows = (await self._journal.ask(Statement("SELECT code FROM codes")))[0]
        return frozenset(row[0] for row in rows)

    # Pruning

    @asynccontextmanager
    async def pruning(self) -> AsyncIterator[bool]:
        await self._drop_lost_connections()
        async with self._journal.connection() as connection:
            yield bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", PRUNING_LOCK))
            await connection.execute("SELECT pg_advisory_unlock($1)", PRUNING_LOCK)

    async def _drop_lost_connections(self) -> None:
        async with self._journal.guarded() as connection:
            lost, self._lost = self._lost, set()
            try:
                await connection.execute(DISCONNECT_LOST, list(lost), self._journal.node)
            except BaseException:
                self._lost |= lost
                raise

    # Seats

    async def take_seat(self, session: int, code: str) -> str | None:
        """The seat itself is taken with the entry that says so; until then one is kept at this node."""
        if held := await self.seat_of(session) or self._keeping.get(session):
            return held
        self._keeping[session] = code
        return None

    async def leave_seat(self, session: int, code: str) -> None:
        if self._keeping.get(session) == code:
            del self._keeping[session]

    def set_seats(self, code: str, seated: Mapping[int, str]) -> None:
        """The database has them since the journal wrote them."""
        for session in [each for each, kept in self._keeping.items() if kept == code]:
            del self._keeping[session]

    async def seat_of(self, session: int) -> str | None:
        if kept := self._keeping.get(session):
            return kept
        rows = (await self._journal.ask(Statement(SEAT_OF, (session,))))[0]
        return rows[0][0] if rows else None

    # Names and connections

    async def is_name_taken(self, name: str, unless_by: int | None = None) -> bool:
        asked = Statement(IS_ALIKE, (list(looks(name)), unless_by))
        is_alike: bool = (await self._journal.ask(asked))[0][0][0]
        return is_alike

    async def connect(self, session: int, name: str, outbox: Outbox) -> Outbox | None:
        await self._journal.settled()  # who had the name may just have gone
        async with self._lock(session):
            async with self._journal.guarded() as connection:
                if not await connection.fetchval(LOCK_SESSION, session):
                    raise JournalUnavailable(f"session {session} was forgotten just now")
                await _take_name(connection, session, name)
                (row,) = await connection.fetch(CONNECT, session, self._journal.node)
            number, node, replaced = row
            if self.replaced is not None and node not in {None, self._journal.node}:
                self.replaced(node, session, replaced)
            older = self._connections.get(session)
            self._connections[session] = _Here(outbox, number)
            return older.outbox if older is not None else None

    def number_of(self, session: int) -> int:
        return self._connections[session].number

    async def take_over(self, session: int, name: str, outbox: Outbox, number: int) -> None:
        await self._journal.settled()  # it may be here again that was dropped when it left
        async with self._lock(session):
            async with self._journal.guarded() as connection:
                is_newest = await connection.fetchval(
                    TAKE_OVER, session, number, self._journal.node
                )
            if not is_newest:
                raise RefusalError(Refusal(Code.REPLACED))
            self._lost.discard(number)
            self._connections[session] = _Here(outbox, number)

    def connection(self, session: int, number: int) -> Outbox | None:
        """The connection of this number, if it is held here."""
        here = self._connections.get(session)
        return here.outbox if here is not None and here.number == number else None

    def disconnect(self, session: int, outbox: Outbox) -> None:
        here = self._connections.get(session)
        if here is not None and here.outbox is outbox:
            del self._connections[session]
            gone = Statement(DISCONNECT, (session, here.number, self._journal.node))
            dropping = self._journal.submit_statements(gone)
            dropping.add_done_callback(partial(self._dropped, here.number))

    def _dropped(self, number: int, outcome: "asyncio.Future[None]") -> None:
        if outcome.cancelled() or outcome.exception():
            self._lost.add(number)

    async def replaced_elsewhere(self) -> list[Outbox]:
        """Connections that newer ones at other nodes have replaced. Those nodes say so as well, but that may be lost."""
        async with self._journal.connection() as connection:
            rows = await connection.fetch(REPLACED, self._journal.node)
        found = (self.connection(session, number) for session, number in rows)
        return [outbox for outbox in found if outbox is not None]

    def _lock(self, session: int) -> asyncio.Lock:
        """In memory they follow each other as in the database."""
        return self._one_at_a_time.setdefault(session, asyncio.Lock())

    # The lobby

    def list_table(self, code: str, line: TableLine | None) -> None:
        if self._lines.get(code) == line:
            return
        _list(self._lines, code, line)
        if self.listed_anew is not None:
            self.listed_anew(code, line)

    def list_table_of(self, node: int, code: str, line: TableLine | None) -> None:
        """What another node says of a table."""
        _list(self._lines_of_others.setdefault(node, {}), code, line)

    def forget_lines_of(self, node: int) -> None:
        self._lines_of_others.pop(node, None)

    def listed(self) -> Sequence[TableLine]:
        lines: dict[str, TableLine] = {}
        for each in (*self._lines_of_others.values(), self._lines):
            lines.update(each)
        return list(lines.values())

    @property
    def own_lines(self) -> Mapping[str, TableLine]:
        """By code."""
        return self._lines


async def _take_name(connection: PooledConnection, session: int, name: str) -> None:
    """Refused if it is taken; who holds a seat has it whatever it is."""
    alike = list(looks(name))
    await connection.execute(LOCK_NAME, NAME_LOCKS, alike)
    is_taken = await connection.fetchval(IS_ALIKE, alike, session)
    if is_taken and not await connection.fetchval(SEAT_OF, session):
        raise RefusalError(Refusal(Code.NAME_IN_USE, {"name": name}))
    await connection.execute(SET_NAME, session, alike)


def _list(lines: dict[str, TableLine], code: str, line: TableLine | None) -> None:
    if line is None:
        lines.pop(code, None)
    else:
        lines[code] = line
