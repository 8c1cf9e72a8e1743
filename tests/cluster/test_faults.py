"""Whatever becomes of nodes and of the database: no acknowledged move is lost, and play goes on."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cluster.postgres import Postgres, Restartable
from tests.cluster.proxy import Proxy, proxied
from tests.cluster.world import World, world

KILLS = 4
BREAKS = 10
PAUSE_SECONDS = 30.0
KILLED_SECONDS, FROZEN_SECONDS, RESTART_SECONDS = 3.0, 10.0, 2.0
"""For which tables stand still at most when their node is killed, frozen, or told to end."""
LOADED_SECONDS = 6.0
"""What a machine may add to that which has other tests to run."""

Measure = Callable[[str, object], None]


@pytest.fixture
async def database(postgres: Postgres) -> str:
    return await postgres.create()


def check_gap(made: World, promised: float, measure: Measure) -> None:
    gap = made.history.longest_gap()
    measure("the longest gap in play", gap)
    assert gap <= promised + LOADED_SECONDS


async def test_nodes_are_killed_one_after_another(
    tmp_path: Path, database: str, record_property: Measure
) -> None:
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
    async with world(tmp_path, database) as made:
        before = await made.registered()
        node = await made.owner()
        node.freeze()
        await made.all_move()
        assert len(before - await made.registered()) == 1
        node.thaw()
        await made.all_move()
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


async def test_the_answers_of_commits_are_lost(
    tmp_path: Path, postgres: Postgres, database: str
) -> None:
    async with (
        proxied(postgres, database) as (proxy, by_proxy),
        world(tmp_path, database, (by_proxy, by_proxy)) as made,
    ):
        before = await made.registered()
        for number in range(BREAKS):
            proxy.swallowed.clear()
            proxy.swallows_answers_of = made.players[number % len(made.players)].table.encode()
            await proxy.swallowed.wait()
            await made.all_move(1)
        assert before == await made.registered()
        await made.stop_playing()
        assert await made.faults() == []


async def test_the_database_is_killed_and_started_again(tmp_path: Path) -> None:
    with Restartable.running() as engine:
        async with world(tmp_path, await engine.postgres.create()) as made:
            before = await made.registered()
            for _ in range(2):
                engine.kill()
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
            first.kill()
            second.promote()
            await made.all_move()
            assert before == await made.registered()
            await made.stop_playing()
            assert await made.faults() == []


async def test_all_nodes_are_replaced_by_newer_ones_while_people_play(
    tmp_path: Path, database: str, record_property: Measure
) -> None:
    async with world(tmp_path, database) as made:
        for node in list(made.nodes):
            await made.start_node()
            made.leave_out(node)
            assert await node.end() == 0
            await made.all_move()
        await made.stop_playing()
        assert await made.faults() == []
        check_gap(made, RESTART_SECONDS, record_property)
