"""Whatever becomes of nodes and of the database: no acknowledged move is lost, and play goes on."""

import asyncio
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from diadem_server.cluster import membership, node
from diadem_shared import protocol
from tests.cluster.nodes import CASTLES, MOVES, SENT_AWAY, closed_with, come_back, play
from tests.cluster.postgres import Postgres, Restartable
from tests.cluster.proxy import Proxy, proxied
from tests.cluster.world import World, world
from tests.patience import PATIENCE
from tests.rig.crashing_server import STEPS
from tests.rig.wire import Player
from tests.server import started

CRASHING = (sys.executable, "-m", "tests.cluster.crashing")
KILLS = 2
BREAKS = 10
PAUSE_SECONDS = node.ISOLATED_SECONDS + membership.DEAD_SECONDS
KILLED_SECONDS, FROZEN_SECONDS, RESTART_SECONDS = 3.0, 10.0, 2.0
"""For which tables stand still at most when their node is killed, frozen, or told to end."""

Measure = Callable[[str, object], None]


@pytest.fixture
async def database(postgres: Postgres) -> str:
    return await postgres.create()


def check_gap(made: World, promised: float, measure: Measure) -> None:
    gap = made.history.longest_gap()
    measure("the longest gap in play", gap)
    assert gap <= promised + PATIENCE


async def test_a_node_crashes_at_any_step_of_a_move_of_players_at_others(
    tmp_path: Path, database: str, record_property: Measure
) -> None:
    async with world(tmp_path, database, ways=("", ""), tables=2) as made:
        for step in STEPS:
            node = await made.start_node(command=(*CRASHING, step))
            made.leave_out(node)
            await made.begin_at(node)
            node.signal(signal.SIGUSR1)
            await node.ended()
            await made.all_move()
        await made.stop_playing()
        assert await made.faults() == []
        check_gap(made, KILLED_SECONDS, record_property)


async def test_nodes_are_killed_one_after_another(
    tmp_path: Path, database: str, record_property: Measure
) -> None:
    """With players of their own, who come by others."""
    async with world(tmp_path, database) as made:
        for _ in range(KILLS):
            node = await made.owner()
            node.kill()
            made.leave_out(node)
            await made.start_node()
            await made.all_move()
        await made.stop_playing()
        assert await made.faults() == []
        check_gap(made, KILLED_SECONDS, record_property)


async def test_a_node_is_frozen_and_wakes_up_when_others_have_its_tables(
    tmp_path: Path, database: str, record_property: Measure
) -> None:
    """It writes nothing of what it was sent, closes its lines, and joins anew."""
    async with world(tmp_path, database) as made:
        before = await made.registered()
        node = await made.owner()
        cem, dee = Player(node.port, "Cem"), Player(node.port, "Dee")
        for player in (cem, dee):
            await player.connect()
        table = await started(cem, dee, setup=CASTLES)
        await play([cem, dee], MOVES)
        entries = await made.entries(table)
        node.freeze()
        for player in (cem, dee):
            assert player.socket is not None
            await player.socket.send(protocol.pack(protocol.Play(next(player.ids), "draw")))
        await made.all_move()
        assert before - await made.registered() == {node.number}
        node.thaw()
        for player in (cem, dee):
            assert await closed_with(player) in SENT_AWAY
        await made.all_move()
        await come_back(cem, node.port, table)
        await come_back(dee, node.port, table)
        assert await made.entries(table) == entries
        after = await made.registered()
        assert len(after) == len(before)
        assert min(after - before) > max(before)
        await play([cem, dee], MOVES)
        for player in (cem, dee):
            await player.disconnect()
        await made.stop_playing()
        assert await made.faults() == []
        check_gap(made, FROZEN_SECONDS, record_property)


def refused(proxy: Proxy) -> None:
    proxy.refuses = True
    proxy.cut()


def silent(proxy: Proxy) -> None:
    """As when a cable is pulled: nobody is told that the connections are gone."""
    proxy.die()


@pytest.mark.parametrize("cut_off", [refused, silent])
async def test_a_node_is_cut_off_from_the_database(
    cut_off: Callable[[Proxy], None], tmp_path: Path, postgres: Postgres, database: str
) -> None:
    async with (
        proxied(postgres, database) as (proxy, by_proxy),
        world(tmp_path, database, (by_proxy, "", "")) as made,
    ):
        before = await made.registered()
        cut_off(proxy)
        while before <= await made.registered():
            await made.all_move(1)
        assert before - await made.registered() == {made.nodes[0].number}
        await made.all_move()
        proxy.refuses = False
        proxy.heal()
        await made.all_move()
        while len(await made.registered()) < len(before):
            await made.all_move(1)
        await made.stop_playing()
        assert await made.faults() == []


async def test_connections_to_the_database_break_in_the_midst_of_commits(
    tmp_path: Path, postgres: Postgres, database: str
) -> None:
    async with (
        proxied(postgres, database) as (proxy, by_proxy),
        world(tmp_path, database, (by_proxy, by_proxy)) as made,
    ):
        before = await made.registered()
        for _ in range(BREAKS):
            proxy.cut()
            await made.all_move(1)
        assert before == await made.registered()  # which fences nobody
        await made.stop_playing()
        assert await made.faults() == []


@pytest.mark.parametrize(
    ("times", "silently"), [(BREAKS, False), (2, True)], ids=["cut", "silently"]
)
async def test_the_answers_of_commits_are_lost(
    times: int, tmp_path: Path, postgres: Postgres, database: str, *, silently: bool
) -> None:
    """With the connection; or this is mute, and given up after some seconds."""
    async with (
        proxied(postgres, database) as (proxy, by_proxy),
        world(tmp_path, database, (by_proxy, by_proxy)) as made,
    ):
        before = await made.registered()
        proxy.swallows_silently = silently
        for number in range(times):
            proxy.swallowed.clear()
            proxy.swallows_answers_of = made.players[number % len(made.players)].table.encode()
            await proxy.swallowed.wait()
            await made.all_move(1)
        assert before == await made.registered()
        await made.stop_playing()
        assert await made.faults() == []


async def test_the_database_is_ended_and_started_again(tmp_path: Path) -> None:
    with Restartable.running() as engine:
        async with world(tmp_path, await engine.postgres.create()) as made:
            before = await made.registered()
            for end in (engine.kill, engine.shut_down):
                end()
                engine.start()
                await made.all_move()
            assert before == await made.registered()
            await made.stop_playing()
            assert await made.faults() == []


async def test_the_database_pauses_for_much_longer_than_a_node_may_be_silent(
    tmp_path: Path,
) -> None:
    with Restartable.running() as engine:
        async with world(tmp_path, await engine.postgres.create()) as made:
            before = await made.registered()
            with engine.frozen():
                await asyncio.sleep(PAUSE_SECONDS)
            await made.all_move()
            assert before == await made.registered()
            await made.stop_playing()
            assert await made.faults() == []


async def test_a_standby_is_promoted(tmp_path: Path) -> None:
    """One that was synchronous has all that was acknowledged."""
    with Restartable.running() as first, first.standby() as second:
        database = await first.postgres.create()
        either = (
            database.replace(f"host={first.postgres.folder}", "")
            + f"host={first.postgres.folder},{second.postgres.folder}"
            + "&target_session_attrs=read-write"
        )
        async with world(tmp_path, either) as made:
            before = await made.registered()
            first.end()
            second.promote()
            await made.all_move()
            assert before == await made.registered()
            await made.stop_playing()
            assert await made.faults() == []


async def test_all_nodes_are_replaced_by_newer_ones_while_people_play(
    tmp_path: Path, database: str, record_property: Measure
) -> None:
    async with world(tmp_path, database, ways=("", "")) as made:
        for node in list(made.nodes):
            await made.start_node()
            made.leave_out(node)
            assert await node.end() == 0
            await made.all_move()
        await made.stop_playing()
        assert await made.faults() == []
        check_gap(made, RESTART_SECONDS, record_property)
