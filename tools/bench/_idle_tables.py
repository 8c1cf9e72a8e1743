"""What tables cost at which nothing goes on: memory, what it takes to claim them, and to have them."""

import asyncio
import time
from typing import NamedTuple
from urllib.request import urlopen

import asyncpg

from diadem_server.cluster.lookups import WHERE
from diadem_server.cluster.ownership import UNOWNED
from tests.cluster.postgres import until
from tests.rig.wire import Player
from tools.bench._cluster import Engine, node
from tools.bench._serving import Serving
from tools.bench._takeovers import begun

IDLE_SECONDS = 12.0
"""Longer than between two looks for tables that nobody has."""
ASKED = 200
PATIENCE = 600.0
COPIED = (
    """
    INSERT INTO sessions SELECT $2 + n, decode(md5(n::text), 'hex'), name || n, seen
    FROM sessions, generate_series(1, $1) AS n WHERE id = $2
    """,
    """
    INSERT INTO entries SELECT code || n, number, entry, session + n, command, split_part(digest, ':', 1), content
    FROM entries, generate_series(1, $1) AS n
    """,  # without links of the hash chain, which go by the table
    "INSERT INTO seats SELECT session + n, code || n FROM seats, generate_series(1, $1) AS n",
    "INSERT INTO codes SELECT code || n, NULL FROM codes, generate_series(1, $1) AS n",
    """
    INSERT INTO tables SELECT code || n, made, setup, seed, version, ended, line, owner
    FROM tables, generate_series(1, $1) AS n
    """,
)
"""A table that players have made, so many times more, each with a player of its own."""


class Cost(NamedTuple):
    """Milliseconds of processor a second."""

    node: float
    engine: float

    def __str__(self) -> str:
        return f"{self.node:.1f} ms a second, PostgreSQL {self.engine:.1f} ms"


async def idle_tables(postgres: Engine, count: int) -> list[str]:
    database = await postgres.postgres.create()
    with node(database) as empty:
        alone = await _idling(empty, postgres)
        memory = empty.memory
        async with Player(empty.port) as player:
            await begun(player)
    connection = await asyncpg.connect(database)
    await _copy(connection, count)
    began = time.perf_counter()
    with node(database) as idle:
        opened, spent = time.perf_counter(), idle.processor
        await until(lambda: _tables(idle) == count + 1, PATIENCE)
        claimed, spent = time.perf_counter(), idle.processor - spent
        with_tables = await _idling(idle, postgres)
        memory = idle.memory - memory
        sweep = await _asked(postgres, connection, UNOWNED, time.time())
        look_up = await _asked(postgres, connection, WHERE, ["NONE"], time.time())
    await connection.close()
    taken_up = (
        f"{count} tables of a node that is gone, at which nothing goes on: another was open"
        f" {opened - began:.1f} s after it was started, and had all of them {claimed - opened:.1f} s later, for"
        f" {spent / count * 1e3:.2f} ms of processor a table; {memory / count:.1f} KiB of memory each"
    )
    return [
        taken_up,
        f"to have them takes {with_tables} of processor; a node without tables takes {alone}",
        f"to look for tables that nobody has takes PostgreSQL {sweep:.2f} ms of processor, to look up who has one {look_up:.2f}",
    ]


async def _copy(connection: "asyncpg.Connection[asyncpg.Record]", count: int) -> None:
    session = await connection.fetchval("SELECT session FROM seats")
    for sql in COPIED:
        await connection.execute(sql, count, *((session,) if "$2" in sql else ()))
    await connection.execute("ANALYZE")


async def _idling(serving: Serving, postgres: Engine) -> Cost:
    of_node, of_engine = serving.processor, postgres.processor
    await asyncio.sleep(IDLE_SECONDS)
    spent = serving.processor - of_node, postgres.processor - of_engine
    return Cost(*(each / IDLE_SECONDS * 1e3 for each in spent))


async def _asked(
    postgres: Engine, connection: "asyncpg.Connection[asyncpg.Record]", sql: str, *values: object
) -> float:
    """Milliseconds of PostgreSQL's processor."""
    asked = await connection.prepare(sql)
    before = postgres.processor
    for _ in range(ASKED):
        await asked.fetch(*values)
    return (postgres.processor - before) / ASKED * 1e3


def _tables(serving: Serving) -> int:
    """As the server itself counts them."""
    with urlopen(f"http://127.0.0.1:{serving.port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("diadem_tables "))
