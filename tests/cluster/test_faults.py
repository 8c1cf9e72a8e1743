"""Whatever becomes of nodes and of the database: no acknowledged move is lost, and play goes on."""

import asyncio
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from diadem_server.cluster.membership import DEAD_SECONDS
from tests.cluster import plants
from tests.cluster.postgres import Postgres, Restartable
from tests.cluster.proxy import proxied
from tests.cluster.world import World, world

KILLS = 4
BREAKS = 10


@pytest.fixture
async def database(postgres: Postgres) -> str:
    return await postgres.create()


async def test_nodes_are_killed_one_after_another(tmp_path: Path, database: str) -> None:
    async with world(tmp_path, database) as made:
        for _ in range(KILLS):
            node = await made.owner()
            node.kill()
            made.leave_out(node)
            await made.start_node()
            await made.all_move()
        await made.stop_playing()
        assert await made.faults() == []


async def test_a_node_is_frozen_and_wakes_up_when_others_have_its_tables(
    tmp_path: Path, database: str
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


async def test_a_node_is_cut_off_from_the_database(
    tmp_path: Path, postgres: Postgres, database: str
) -> None:
    async with (
        proxied(postgres, database) as (proxy, by_proxy),
        world(tmp_path, database, (by_proxy, "", "")) as made,
    ):
        before = await made.registered()
        proxy.refuses = True
        proxy.cut()
        await made.all_move()
        assert len(before - await made.registered()) == 1
        proxy.refuses = False
        await made.all_move()
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


async def test_the_database_pauses_for_longer_than_a_node_may_be_silent(tmp_path: Path) -> None:
    with Restartable.running() as engine:
        async with world(tmp_path, await engine.postgres.create()) as made:
            before = await made.registered()
            with engine.frozen():
                await asyncio.sleep(DEAD_SECONDS + 1)
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
    tmp_path: Path, database: str
) -> None:
    async with world(tmp_path, database) as made:
        for node in list(made.nodes):
            await made.start_node()
            made.leave_out(node)
            assert await node.end() == 0
            await made.all_move()
        await made.stop_playing()
        assert await made.faults() == []


async def test_a_node_that_acknowledges_before_it_has_written_is_found_out(
    tmp_path: Path, postgres: Postgres, database: str
) -> None:
    """A planted fault."""
    command = (sys.executable, "-m", plants.__name__, "acknowledge_first")
    async with (
        proxied(postgres, database) as (proxy, by_proxy),
        AsyncExitStack() as stack,
    ):
        made = World(tmp_path, database, stack)
        node = await made.start_node(by_proxy, command)
        await made.begin(tables=2)
        proxy.refuses = True
        proxy.cut()
        await made.all_move(1)
        node.kill()
        await made.stop_playing()
        assert any("is not in the journal" in each for each in await made.faults())
