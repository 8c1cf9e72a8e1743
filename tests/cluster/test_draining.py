"""A node that is told to end gives its tables to others, with their players."""

import asyncio
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from websockets.frames import CloseCode

from diadem import protocol
from diadem_server.cluster import node
from diadem_server.cluster.channels import Channels
from diadem_server.cluster.forwarding import Forwarder
from diadem_server.net.outbox import Outbox
from diadem_server.table import shuffling
from tests.cluster.nodes import (
    CASTLES,
    MOVES,
    closed_with,
    come_back,
    joined,
    owners,
    play,
    process,
    running,
)
from tests.cluster.postgres import until
from tests.rig.shuffling import commit, is_sealed, open_it
from tests.rig.wire import Player, play_to_the_end
from tests.server import NUMBERS, code, done, guess_wrong, started

pytestmark = pytest.mark.usefixtures("quick", "numbers")


async def test_a_node_that_is_told_to_end_gives_its_tables_to_another(
    tmp_path: Path, database: str
) -> None:
    async with (
        joined(tmp_path, database) as second,
        running(tmp_path, database) as server,
    ):
        first = await server.apps.get()
        await until(lambda: len(second.membership.nodes) == 2)
        ana, bob = Player(first.port, "Ana"), Player(first.port, "Bob")
        await ana.connect()
        await bob.connect()
        table = await started(ana)
        await guess_wrong(ana, first)
        server.told_to_end.set()
        assert await closed_with(ana) == CloseCode.SERVICE_RESTART
        await come_back(ana, second.app.port, table)
        assert await owners(database) == {table: second.journal.node}
        assert await closed_with(bob) == CloseCode.SERVICE_RESTART
        await play_to_the_end(ana)
        await server.task
        await ana.disconnect()
        await until(lambda: len(second.membership.nodes) == 1)


async def test_what_was_sealed_for_a_shuffle_stays_so_at_the_node_that_takes_the_table(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shuffling, "WAITS_SECONDS", 1000.0)
    monkeypatch.setattr(Outbox, "hold", lambda _: None)  # nobody goes along: all come anew
    async with (
        joined(tmp_path, database) as second,
        running(tmp_path, database) as server,
    ):
        first = await server.apps.get()
        await until(lambda: len(second.membership.nodes) == 2)
        ana, bob = players = Player(first.port, "Ana"), Player(first.port, "Bob")
        await ana.connect()
        await bob.connect()
        table = await ana.make(NUMBERS)
        await bob.join(table)
        sealed = [await commit(ana), await commit(bob)]
        for player in players:
            await done(player, protocol.Ready, ready=True)
        await open_it(ana)
        server.told_to_end.set()
        for player in players:
            assert await closed_with(player) == CloseCode.SERVICE_RESTART
            await come_back(player, second.app.port, table)
            view = await player.seen(is_sealed)
            assert view.public["shuffle"]["added"] == sealed
        openings = [await open_it(ana), await open_it(bob)]
        for player in players:
            await player.seen(lambda view: view.public["phase"] == "playing")
            assert player.events("started") == [{"type": "started", "openings": openings}]
        await server.task
        await ana.disconnect()
        await bob.disconnect()


async def test_who_plays_by_another_node_stays_connected_when_the_table_goes_there(
    tmp_path: Path, database: str
) -> None:
    async with (
        joined(tmp_path, database) as second,
        running(tmp_path, database) as server,
        Player(second.app.port, "Bob") as bob,
    ):
        first = await server.apps.get()
        await until(lambda: second.mesh is not None and second.mesh.links)
        ana = Player(first.port, "Ana")
        await ana.connect()
        table = await ana.make(CASTLES)
        await bob.join(table)
        await done(ana, protocol.Start)
        await play([ana, bob], MOVES)
        server.told_to_end.set()
        await until(lambda: table in second.lobby.tables)
        await come_back(ana, second.app.port, table)
        await play([ana, bob], MOVES)
        assert bob.socket is not None
        assert bob.socket.close_code is None
        await ana.disconnect()


async def test_a_node_does_not_end_before_all_have_gone_along_with_their_tables(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their node may be slow to say that nothing more comes from them."""
    monkeypatch.setattr(node, "DRAIN_SECONDS", 0.0)
    hold, gone = Forwarder.hold, Channels.gone
    held: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
    waits = asyncio.Event()

    async def waiting(channels: Channels) -> None:
        waits.set()
        await gone(channels)

    monkeypatch.setattr(Channels, "gone", waiting)
    async with (
        joined(tmp_path, database) as second,
        running(tmp_path, database) as server,
        Player(second.app.port, "Bob") as bob,
    ):
        first = await server.apps.get()
        await until(lambda: second.mesh is not None and second.mesh.links)
        ana = Player(first.port, "Ana")
        await ana.connect()
        table = await ana.make(CASTLES)
        await bob.join(table)
        monkeypatch.setattr(
            Forwarder, "hold", lambda *given: held.put_nowait(partial(hold, *given))
        )
        server.told_to_end.set()
        say_held = await held.get()
        assert await closed_with(ana) == CloseCode.SERVICE_RESTART
        await waits.wait()
        say_held()
        await server.task
        assert isinstance(await bob.ask(protocol.Say, "still here"), protocol.Accepted)
        await ana.disconnect()


async def test_a_node_without_others_ends_like_a_server_alone(
    tmp_path: Path, database: str
) -> None:
    async with process(tmp_path, database) as (server, port), Player(port, "Ana") as ana:
        await ana.make(CASTLES)
        server.send_signal(signal.SIGTERM)
        bye = await ana.until(
            lambda: next((each for each in ana.messages if isinstance(each, protocol.Bye)), None)
        )
        assert code(bye) == "server_closing"
        assert await closed_with(ana) == CloseCode.GOING_AWAY
        async with asyncio.timeout(30):
            await server.wait()
        assert server.returncode == 0
