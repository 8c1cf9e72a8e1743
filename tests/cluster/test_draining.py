"""A node that is told to end gives its tables to others, with their players."""

import asyncio
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from websockets.frames import CloseCode

from diadem_server.cluster import draining
from diadem_server.cluster.front_side import Forwarder
from diadem_server.cluster.home_side import Channels
from diadem_server.net.outbox import Outbox
from diadem_server.sessions import bot_tokens
from diadem_server.table import commit_reveal
from diadem_shared import protocol
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from diadem_shared.protocol import MOVES as MOVES_WANTED
from tests.cluster.nodes import (
    CASTLES,
    closed_with,
    come_back,
    joined,
    owners,
    process,
    running,
)
from tests.cluster.postgres import until
from tests.patience import PATIENCE
from tests.rig.shuffling import commit, is_sealed, open_it
from tests.rig.wire import Player, play_to_the_end
from tests.server import NUMBERS, Far, code, done, guess_wrong, is_in, seat_is, started

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
    monkeypatch.setattr(commit_reveal, "WAITS_SECONDS", 1000.0)
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


async def test_who_comes_by_another_node_stays_connected_when_the_table_goes_there(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot is told its moves as it wished, and may send as much as its token allows; one of the server's own plays on."""
    monkeypatch.setitem(GAMES, "numbers", Far())
    token = bot_tokens.make(tmp_path, "Rook")
    async with (
        joined(tmp_path, database) as second,
        running(tmp_path, database) as server,
    ):
        first = await server.apps.get()
        await until(lambda: second.mesh is not None and second.mesh.links)
        ana, rook = Player(first.port, "Ana"), Player(second.app.port, wants=(MOVES_WANTED,))
        rook.token = token
        await ana.connect()
        await rook.connect()
        table = await ana.make(NUMBERS)
        await rook.join(table)
        await done(ana, protocol.AddBot, "zombie")
        await done(ana, protocol.Start)
        server.told_to_end.set()
        await until(lambda: table in second.lobby.tables)
        await come_back(ana, second.app.port, table)
        view = await ana.seen(lambda view: view.public["actors"] in ([0], [1]))  # the bot may begin
        if view.public["actors"] == [0]:
            await guess_wrong(ana, second.app)
        view = await rook.seen(lambda view: view.moves is not None)
        assert view.public["players"][1]["name"] == "Rook"
        moved = await guess_wrong(rook, second.app)
        await rook.seen(lambda view: view.entry > moved.entry)
        assert [each.name for each in second.lobby.sessions if each.has_bot_token] == ["Rook"]
        assert rook.socket is not None
        assert rook.socket.close_code is None
        for player in (ana, rook):
            await player.disconnect()


async def test_a_match_that_is_over_is_seen_and_played_again_at_the_node_that_takes_the_table(
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
        table = await started(ana, bob)
        await play_to_the_end(ana, bob)
        await done(ana, protocol.Again)
        await bob.seen(seat_is(0, ready=True))
        server.told_to_end.set()
        assert await closed_with(ana) == CloseCode.SERVICE_RESTART
        await come_back(ana, second.app.port, table)
        await ana.seen(seat_is(0, ready=True))
        await done(bob, protocol.Again)
        for player in (ana, bob):
            await player.seen(lambda view: view.table != table and is_in(Phase.PLAYING)(view))
        await server.task
        await ana.disconnect()


async def test_who_makes_a_table_at_a_node_that_is_told_to_end_makes_it_at_another_at_once(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are not refused, and do not wait for their turn to be sent away. Once nobody is left, the node is gone."""
    monkeypatch.setattr(draining, "LINES_SECONDS", 4 * PATIENCE)
    async with (
        joined(tmp_path, database) as second,
        running(tmp_path, database) as server,
        Player(second.app.port, "Cem") as cem,
    ):
        first = await server.apps.get()
        await until(lambda: second.mesh is not None and second.mesh.links)
        ana, bob = Player(first.port, "Ana"), Player(first.port, "Bob")
        for each in (ana, bob):
            await each.connect()
        table = await cem.make(NUMBERS)
        await bob.join(table)
        await done(bob, protocol.Part)
        server.told_to_end.set()
        async with asyncio.timeout(PATIENCE):
            (left,) = {ana, bob} - {await _first_closed(ana, bob)}
            make = protocol.Make(next(left.ids), NUMBERS)
            await left.say(make)
            assert await closed_with(left) == CloseCode.SERVICE_RESTART
            assert not [each for each in left.messages if isinstance(each, protocol.Refused)]
            await asyncio.shield(server.task)
        left.url = f"ws://127.0.0.1:{second.app.port}"
        await left.disconnect()
        await left.connect()
        assert isinstance(await left.ask_again(make), protocol.Accepted)
        for each in (ana, bob):
            await each.disconnect()


async def test_who_has_left_a_table_of_a_node_that_is_told_to_end_stays_connected(
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
        await bob.join(await ana.make(NUMBERS))
        await done(bob, protocol.Part)
        await server.end()
        await bob.make(NUMBERS)
        assert bob.socket is not None
        assert bob.socket.close_code is None
        await ana.disconnect()


async def _first_closed(*players: Player) -> Player:
    """Of several, whose line the node closes first."""
    waiting = {asyncio.create_task(closed_with(each)): each for each in players}
    closed, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting.keys() - closed:
        task.cancel()
    return waiting[closed.pop()]


async def test_a_node_does_not_end_before_all_have_gone_along_with_their_tables(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their node may be slow to say that nothing more comes from them."""
    monkeypatch.setattr(draining, "LINES_SECONDS", 0.0)
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
        async with asyncio.timeout(PATIENCE):
            await server.wait()
        assert server.returncode == 0
