"""While the database is away tables stand still, players are told, and nothing is lost."""

import asyncio
from pathlib import Path

import asyncpg
import pytest
from websockets.frames import CloseCode

from diadem_server.cluster import journal
from diadem_server.cluster import node as node_module
from diadem_server.cluster.node import Node
from diadem_shared import protocol
from tests.cluster.nodes import (
    closed_with,
    come_back,
    joined,
    running,
)
from tests.cluster.postgres import Postgres, until
from tests.cluster.proxy import proxied
from tests.patience import PATIENCE
from tests.rig.wire import Player
from tests.server import code, guess_wrong, started

pytestmark = pytest.mark.usefixtures("quick", "numbers")

END_READERS = """
WITH others AS MATERIALIZED (
    SELECT pid, query LIKE '%UNLISTEN%' AS is_of_pool FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
), ended AS MATERIALIZED (SELECT pg_terminate_backend(pid) FROM others WHERE is_of_pool)
SELECT count(*) + 0 * (SELECT count(*) FROM ended) FROM others
"""
"""How many there were. Only connections of a pool are reset like that, when they are given back."""
WRITER_AND_HEARTBEAT = 2


async def test_while_the_database_is_away_nothing_is_done_and_nothing_lost(
    postgres: Postgres, tmp_path: Path, database: str
) -> None:
    async with (
        proxied(postgres, database) as (proxy, address),
        joined(tmp_path, address) as node,
        Player(node.app.port, "Ana") as ana,
    ):
        table = await started(ana)
        assert await _health(node) == 200
        proxy.refuses = True
        proxy.cut()
        await until(lambda: node.journal.trouble is not None)
        assert await _health(node) == 503
        moving = asyncio.create_task(guess_wrong(ana, node.app))
        bob = Player(node.app.port, "Bob")
        assert code(await bob.connect()) == "journal_unavailable"
        await bob.disconnect()
        proxy.refuses = False
        assert code(await moving) == "journal_unavailable"
        await until(lambda: node.journal.trouble is None)
        assert await _health(node) == 200
        await guess_wrong(ana, node.app)
        assert not node.fenced.is_set()
        assert await node.ownership.owner(table) == node.journal.node


async def test_while_no_machine_of_the_database_takes_writes_tables_stand_still(
    postgres: Postgres, tmp_path: Path, database: str
) -> None:
    """As in the midst of a switchover: all that are named are standbys."""
    async with (
        proxied(postgres, database) as (proxy, address),
        joined(tmp_path, address) as node,
        Player(node.app.port, "Ana") as ana,
    ):
        await started(ana)
        connection = await asyncpg.connect(database)
        name = await connection.fetchval("SELECT current_database()")
        await connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        proxy.cut()
        await until(lambda: "takes no writes" in (node.journal.trouble or ""))
        assert await _health(node) == 503
        assert code(await guess_wrong(ana, node.app)) == "journal_unavailable"
        await connection.execute("SET default_transaction_read_only = off")
        await connection.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        await connection.close()
        await until(lambda: node.journal.trouble is None)
        await guess_wrong(ana, node.app)
        assert not node.fenced.is_set()


async def test_who_waits_for_a_commit_that_is_not_answered_is_told_to_come_again(
    postgres: Postgres, tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their move is neither acknowledged nor refused before it is known what has become of it."""
    async with (
        proxied(postgres, database) as (proxy, address),
        joined(tmp_path, address) as node,
        Player(node.app.port, "Bob") as bob,
    ):
        ana = Player(node.app.port, "Ana")
        await ana.connect()
        table = await started(ana)
        state = node.lobby.tables[table].match.state
        guess = f"guess {next(number for number in (1, 2) if number != state.secret)}"
        move = protocol.Play(next(ana.ids), guess)
        proxy.swallows_answers_of, proxy.refuses = guess.encode(), True
        with monkeypatch.context() as patch:
            patch.setattr(node_module, "UNSURE_SECONDS", 0.1)
            assert ana.socket is not None
            await ana.socket.send(protocol.pack(move))
            assert await closed_with(ana) == CloseCode.TRY_AGAIN_LATER
            assert code(ana.messages[-1]) == "journal_unavailable"
            assert isinstance(await bob.ask(protocol.Ping), protocol.Pong), "they wait for nothing"
            assert not [each for each in ana.messages if isinstance(each, protocol.Refused)]
        proxy.refuses = False
        await come_back(ana, node.app.port, table)
        assert isinstance(await ana.ask_again(move), protocol.Accepted)
        assert (
            len((await node.journal.load(table)).entries) == node.lobby.tables[table].match.entries
        )
        await ana.disconnect()


@pytest.mark.parametrize("is_told_twice", [False, True])
async def test_a_node_that_is_told_to_end_ends_though_the_database_does_not_answer(
    postgres: Postgres,
    tmp_path: Path,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_told_twice: bool,
) -> None:
    """And somebody waits for what has become of their move. It is over after some seconds, or once it is told again."""
    if not is_told_twice:
        monkeypatch.setattr(node_module, "END_SECONDS", 0.1)
    async with (
        proxied(postgres, database) as (proxy, address),
        joined(tmp_path, address) as other,
        running(tmp_path, address) as server,
    ):
        try:
            app = await server.apps.get()
            await until(lambda: len(other.membership.nodes) == 2)
            ana = Player(app.port, "Ana")
            await ana.connect()
            await started(ana)
            proxy.die()
            await ana.say(protocol.Play(next(ana.ids), "guess 1"))
            server.told_to_end.set()
            if is_told_twice:
                server.told_again.set()
            async with asyncio.timeout(PATIENCE):
                await asyncio.shield(server.task)
            await closed_with(ana)
        finally:
            proxy.heal()
        await ana.disconnect()


async def test_a_node_that_is_told_to_end_while_it_joins_ends_though_the_database_does_not_answer(
    postgres: Postgres, tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_module, "END_SECONDS", 0.1)
    monkeypatch.setattr(journal, "CONNECT_SECONDS", 4 * PATIENCE)
    async with proxied(postgres, database) as (proxy, address):
        proxy.die()
        try:
            async with asyncio.timeout(PATIENCE), running(tmp_path, address):
                await until(lambda: proxy.is_used)
        finally:
            proxy.heal()


async def test_a_node_that_gets_no_connection_to_read_over_says_that_it_lets_nobody_in(
    postgres: Postgres, tmp_path: Path, database: str
) -> None:
    """Writing goes on over the connection that is there, and so does play."""
    async with (
        proxied(postgres, database) as (proxy, address),
        joined(tmp_path, address) as node,
        Player(node.app.port, "Ana") as ana,
    ):
        await started(ana)
        assert await _status(node, "readyz") == 200
        proxy.refuses = True
        connection = await asyncpg.connect(database)
        async with asyncio.timeout(PATIENCE):
            while await connection.fetchval(END_READERS) > WRITER_AND_HEARTBEAT:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await connection.close()
        await until(lambda: node.journal.read_trouble is not None)
        assert code(await Player(node.app.port, "Bob").connect()) == "journal_unavailable"
        found = [await _status(node, path) for path in ("readyz", "healthz", "livez")]
        assert found == [503, 200, 200]
        await guess_wrong(ana, node.app)
        proxy.refuses = False
        await until(lambda: node.journal.read_trouble is None)
        assert await _status(node, "readyz") == 200


async def _health(node: Node) -> int:
    return await _status(node, "healthz")


async def _status(node: Node, path: str) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", node.app.port)
    writer.write(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    status = (await reader.readline()).split()[1]
    writer.close()
    await writer.wait_closed()
    return int(status)
