"""A node that was taken out of the register writes nothing, and a commit whose answer is lost is known all the same."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import asyncpg
import pytest

from diadem_server.cluster.journal import PostgresJournal
from diadem_server.storage.changes import Change, NewAnswer, NewEntry, NewTable, SetMute
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import AnswerRow, EntryRow
from diadem_shared.entries import Moved, Setup
from tests.cluster.postgres import Postgres
from tests.cluster.proxy import proxied

TABLE = NewTable("AAAA", 0.0, Setup("diamoniak"), b"seed", 1)


def entry(number: int, digest: str = "") -> NewEntry:
    return NewEntry("AAAA", EntryRow(number, Moved(0, "draw", 1), 1, number, digest, 0))


def answer(number: int) -> NewAnswer:
    return NewAnswer(1, AnswerRow(number, number, 0, b"done"), keep=200)


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[PostgresJournal]:
    journal = PostgresJournal(database)
    await journal.start()
    try:
        yield journal
    finally:
        await journal.close()


async def fence(database: str, node: int) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute("DELETE FROM nodes WHERE id = $1", node)
    await connection.close()


async def numbers(journal: PostgresJournal) -> list[int]:
    return [row.number for row in (await journal.load("AAAA")).entries]


@pytest.mark.parametrize(
    "changes",
    [[entry(2)], [entry(2), answer(2)], [answer(2)], [SetMute(1, 2, on=True)]],
    ids=["entry", "entry and answer", "answer", "another change"],
)
async def test_a_fenced_node_writes_nothing(postgres: Postgres, changes: Sequence[Change]) -> None:
    await fenced_writes_nothing(await postgres.create(), changes)


async def fenced_writes_nothing(database: str, changes: Sequence[Change]) -> None:
    async with opened(database) as old, opened(database) as new:
        await old.write(TABLE, entry(1))
        await fence(database, old.node)
        with pytest.raises(JournalUnavailable):
            await old.write(*changes)
        assert await numbers(new) == [1]
        assert await new.answers(1) == []
        assert await new.mutes() == []
        assert "register" in (old.trouble or "")


async def test_no_number_of_a_node_is_used_again(postgres: Postgres) -> None:
    database = await postgres.create()
    nodes = []
    for _ in range(3):
        async with opened(database) as journal:
            nodes.append(journal.node)
    assert nodes == sorted(set(nodes))


@pytest.mark.parametrize(
    ("message", "also"),
    [(b"no answer", ()), (b"COMMIT", (SetMute(1, 2, on=True),))],
    ids=["in one statement", "in a transaction"],
)
async def test_a_commit_whose_answer_is_lost_is_acknowledged_once_it_is_found(
    postgres: Postgres, message: bytes, also: tuple[Change, ...]
) -> None:
    database = await postgres.create()
    async with proxied(postgres, database) as (proxy, address), opened(address) as journal:
        await journal.write(TABLE)
        await journal.write(entry(1))
        proxy.swallows_answers_of = message
        await journal.write(entry(2, "no answer"), *also)
        assert proxy.swallowed.is_set()
        await journal.write(entry(3))
        assert await numbers(journal) == [1, 2, 3]
        assert len(await journal.mutes()) == len(also)


async def test_what_did_not_reach_the_database_is_not_acknowledged(postgres: Postgres) -> None:
    database = await postgres.create()
    async with proxied(postgres, database) as (proxy, address), opened(address) as journal:
        await journal.write(TABLE, entry(1))
        proxy.refuses = True
        proxy.cut()
        writing = journal.submit(entry(2))
        await proxy.refused.wait()
        with pytest.raises(JournalUnavailable):
            await journal.write(entry(3))
        proxy.refuses = False
        with pytest.raises(JournalUnavailable):
            await writing
        assert await numbers(journal) == [1]
        await journal.write(entry(2))
        assert await numbers(journal) == [1, 2]
        assert journal.trouble is None


async def test_a_node_that_was_fenced_while_it_was_cut_off_learns_so(postgres: Postgres) -> None:
    database = await postgres.create()
    async with opened(database) as other, proxied(postgres, database) as (proxy, address):
        fenced = asyncio.Event()
        journal = PostgresJournal(address, fenced=fenced.set)
        await journal.start()
        await journal.write(TABLE, entry(1))
        proxy.refuses = True
        proxy.cut()
        writing = journal.submit(entry(2))
        await fence(database, journal.node)
        proxy.refuses = False
        with pytest.raises(JournalUnavailable):
            await writing
        await fenced.wait()
        assert await numbers(other) == [1]
        await journal.close()
