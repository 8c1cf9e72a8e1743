"""A server that cannot be a node says why in a line, and does not start."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from diadem_server.cluster import schema
from diadem_server.cluster.journal import PostgresJournal
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.statement import Statement
from diadem_shared import protocol
from tests.cluster.nodes import CASTLES, COMMAND, joined, play
from tests.cluster.postgres import Postgres, Restartable, programs, until
from tests.pages import HOSTING
from tests.programs import tied
from tests.rig.wire import Player
from tests.server import done

PASSWORD = "sesame/50%"  # noqa: S105, of nobody else
WITHOUT_ASYNCPG = (
    "import sys; sys.modules['asyncpg'] = None; from diadem_server.cli import main; main()"
)
ADDED = """
CREATE TABLE added (code TEXT PRIMARY KEY);
ALTER TABLE entries ADD COLUMN added BIGINT;
ALTER TABLE tables ADD COLUMN added TEXT NOT NULL DEFAULT '';
"""
"""As a newer version may."""
TAKEN = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


@pytest.fixture(scope="module")
def strict() -> Iterator[Postgres]:
    """One that lets nobody but its maker in without a password."""
    with Restartable.running() as engine:
        engine.execute(f"CREATE ROLE ana LOGIN PASSWORD '{PASSWORD}'")
        engine.execute("CREATE ROLE guest LOGIN")
        engine.execute("CREATE DATABASE shared")
        rules = engine.data / "pg_hba.conf"
        rules.write_text(f"local all ana scram-sha-256\n{rules.read_text()}")
        engine.execute("SELECT pg_reload_conf()")
        yield engine.postgres


def url(strict: Postgres, user: str, database: str = "shared") -> str:
    return strict.url(database).replace("diadem@", f"{user}@")


async def refused(database: str) -> str:
    journal = PostgresJournal(database)
    with pytest.raises(JournalUnavailable) as refusal:
        await journal.start()
    await journal.close()
    return str(refusal.value)


async def test_a_database_that_cannot_be_used_is_named_with_the_reason(strict: Postgres) -> None:
    encoded = PASSWORD.replace("%", "%25").replace("/", "%2F")
    reasons = {
        url(strict, "ana"): 'password authentication failed for user "ana"',
        url(strict, "ana:wrong"): 'password authentication failed for user "ana"',
        url(strict, f"ana:{encoded}"): "permission denied for schema public",
        url(strict, f"ana:{PASSWORD}"): "its URL cannot be read",
        url(strict, "nobody"): 'role "nobody" does not exist',
        url(strict, "guest"): "permission denied for schema public",
        url(strict, "diadem", "missing"): 'database "missing" does not exist',
        "postgresql://diadem@127.0.0.1:1/shared": "it is not reached: ",
        "postgresql://diadem@no.such.invalid/shared": "it is not reached: ",
        "postgresql://diadem@127.0.0.1:high/shared": "its URL cannot be read",
        "postgresql://diadem@[::1/shared": "its URL cannot be read",
        url(strict, "diadem") + "&sslmode=strict": "`sslmode` parameter must be one of",
        url(strict, "diadem") + "&colour=blue": 'unrecognized configuration parameter "colour"',
        url(strict, "diadem") + "&default_transaction_read_only=on": "it takes no writes",
    }
    for database, reason in reasons.items():
        said = await refused(database)
        assert said.startswith("the database of --cluster cannot be used: ")
        assert reason in said, database
        assert PASSWORD not in said
        assert "\n" not in said


async def test_a_postgresql_that_is_too_old_is_refused(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "OLDEST", 99)
    assert "needs PostgreSQL 99 or newer; this one is 1" in await refused(database)


@asynccontextmanager
async def started(
    *arguments: str, program: str = COMMAND[-1]
) -> AsyncIterator[asyncio.subprocess.Process]:
    made = await asyncio.create_subprocess_exec(
        *tied(sys.executable, "-c", program, *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield made
    finally:
        if made.returncode is None:
            made.kill()
        await made.wait()


async def said_by(*arguments: str, program: str = COMMAND[-1]) -> str:
    """The one line with which a server ends that does not start."""
    async with started(*arguments, program=program) as ended:
        _, said = await ended.communicate()
    assert ended.returncode == 1
    assert said.count(b"\n") == 1
    return said.decode()


async def test_the_reason_is_the_last_that_a_server_says(tmp_path: Path, database: str) -> None:
    where = ("--data", str(tmp_path), "--port", "0")
    nowhere = f"postgresql://diadem@/none?host={tmp_path}"
    assert await said_by("--cluster", nowhere, *where) == (
        "game-server: the database of --cluster cannot be used: it is not reached: No such file or directory\n"
    )
    listen = ("--cluster-listen", "192.0.2.1:7454")
    assert await said_by("--cluster", database, *listen, *where) == (
        "game-server: other nodes cannot dial 192.0.2.1:7454 (--cluster-listen): Cannot assign requested address\n"
    )
    said = await said_by("--cluster", database, *where, program=WITHOUT_ASYNCPG)
    assert "pip install asyncpg cryptography" in said


# Versions


async def test_nodes_play_on_while_a_newer_one_migrates_but_no_older_one_joins(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        joined(tmp_path, database) as older,
        Player(older.app.port, "Ana") as ana,
        Player(older.app.port, "Bob") as bob,
    ):
        table = await ana.make(CASTLES)
        await bob.join(table)
        await done(ana, protocol.Start)
        await play([ana, bob], 2)
        with monkeypatch.context() as newer:
            newer.setattr(schema, "SCHEMAS", (*schema.SCHEMAS, ADDED))
            playing = asyncio.create_task(play([ana, bob], 10))
            async with joined(tmp_path, database) as second:
                await playing
                await until(lambda: len(older.membership.nodes) == 2)
                await until(lambda: older.mesh and older.mesh.links)
                async with Player(second.app.port, "Cem") as cem:
                    await cem.join(table)
                    await play([ana, bob], 2)
            versions = len(schema.SCHEMAS)
        known = len(schema.SCHEMAS)
        assert await refused(database) == (
            "the database of --cluster belongs to a newer version of Diadem"
            f" (schema {versions}; this one knows {known})"
        )
        await play([ana, bob], 2)


async def test_of_many_that_start_at_once_one_migrates(database: str) -> None:
    journals = [PostgresJournal(database) for _ in range(8)]
    await asyncio.gather(*(each.start() for each in journals))
    connection = await asyncpg.connect(database)
    applied = await connection.fetch("SELECT version FROM schema_version ORDER BY version")
    await connection.close()
    for each in journals:
        await each.close()
    assert [row["version"] for row in applied] == list(range(1, len(schema.SCHEMAS) + 1))


# Copies


async def test_what_is_copied_as_the_server_says_goes_on_in_another_database(
    tmp_path: Path, postgres: Postgres, database: str
) -> None:
    copy = tmp_path / "a copy"
    said = await said_by("--cluster", database, "--backup", str(copy))
    command = said[said.index("pg_dump") :]
    async with joined(tmp_path, database) as first, Player(first.app.port, "Ana") as ana:
        table = await ana.make(CASTLES)
        await _run(f"{programs()}/{command}")
        restored = await postgres.create()
        await _run(f"{programs()}/pg_restore --dbname='{restored}' '{copy}'")
        token = ana.token
    async with joined(tmp_path, restored) as second:
        ana = Player(second.app.port, "Ana")
        ana.token = token
        async with ana:
            await ana.join(table)
            await done(ana, protocol.AddBot, "zombie")


async def _run(command: str) -> None:
    done = await asyncio.create_subprocess_shell(command)
    assert await done.wait() == 0


async def test_a_node_takes_no_more_connections_than_the_page_says(
    tmp_path: Path, database: str
) -> None:
    async with joined(tmp_path, database) as node:
        asked = [node.journal.ask(Statement("SELECT 1")) for _ in range(100)]
        await asyncio.gather(*asked, *(node.journal.settled() for _ in range(100)))
        connection = await asyncpg.connect(database)
        taken = await connection.fetchval(TAKEN)
        await connection.close()
    found = re.search(r"never more than (\d+) at a time", HOSTING)
    assert found is not None
    assert taken == int(found[1])
