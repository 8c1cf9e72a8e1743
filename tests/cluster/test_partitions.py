"""Nodes that do not reach each other, or only in one direction, or slowly: play goes on where it can, and whoever has come
by the wrong node is told."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.frames import CloseCode

from diadem_server.cluster import link, ownership
from diadem_shared import protocol
from diadem_shared.protocol import Accepted
from tests.cluster.nodes import closed_with, come_back
from tests.cluster.partition import Partition, partition
from tests.cluster.world import Process, World, world
from tests.patience import PATIENCE
from tests.rig.wire import Player, lasting_port
from tests.server import code, done, looks_on

LINK_SECONDS = link.DEAD_SECONDS + link.BEAT_SECONDS + PATIENCE
TOLD_SECONDS = ownership.PARKED_SECONDS + PATIENCE
DELAY = 0.1


class Parted(NamedTuple):
    """Two nodes, and what is between them."""

    world: World
    home: Process
    """Of the first table."""
    front: Process
    between: Partition


@asynccontextmanager
async def parted(folder: Path, database: str) -> AsyncIterator[Parted]:
    """Three nodes, of which the last, which the others dial, can be cut off from these."""
    async with world(folder, database, ways=("", ""), tables=0) as made:
        port = lasting_port()
        async with partition(port) as between:
            here, there = f"127.0.0.1:{port}", f"127.0.0.1:{between.port}"
            last = await made.start_node("", "--cluster-listen", here, "--cluster-address", there)
            await made.begin(tables=4)
            home = await made.owner()
            front = made.nodes[0] if home is last else last
            yield Parted(made, home, front, between)


def there(between: Partition) -> None:
    between.there.die()


def back(between: Partition) -> None:
    between.back.die()


def both(between: Partition) -> None:
    for way in between.ways:
        way.die()


@pytest.mark.parametrize("break_", [there, back, both])
async def test_nodes_do_not_reach_each_other(
    break_: Callable[[Partition], None],
    tmp_path: Path,
    database: str,
    record_property: Callable[[str, object], None],
) -> None:
    loop = asyncio.get_running_loop()
    async with parted(tmp_path, database) as (made, home, front, between):
        before = await made.registered()
        table = made.players[0].table
        cem = Player(front.port, "Cem")
        await cem.connect()
        await looks_on(cem, table)
        break_(between)
        began = loop.time()
        async with asyncio.timeout(LINK_SECONDS):
            assert await closed_with(cem) == CloseCode.SERVICE_RESTART
        record_property("closed after", loop.time() - began)
        await cem.disconnect()
        await cem.connect()
        began = loop.time()
        async with asyncio.timeout(TOLD_SECONDS):
            assert code(await cem.ask(protocol.Join, table)) == "journal_unavailable"
        record_property("told after", loop.time() - began)
        await made.all_move()
        async with Player(home.port, "Dee") as dee:
            await done(dee, protocol.Join, table)
        for way in between.ways:
            way.heal()
        await made.all_move()
        async with asyncio.timeout(TOLD_SECONDS):
            while not isinstance(await cem.ask(protocol.Join, table), Accepted):
                pass  # the nodes have yet to dial again
        await cem.seen(lambda view: view.table == table)
        await cem.disconnect()
        assert before == await made.registered(), "which fences nobody"
        await made.stop_playing()
        assert await made.faults() == []


async def test_what_nodes_say_to_each_other_is_slow(tmp_path: Path, database: str) -> None:
    async with parted(tmp_path, database) as (made, _, front, between):
        before = await made.registered()
        async with Player(front.port, "Cem") as cem:
            await looks_on(cem, made.players[0].table)
            for way in between.ways:
                way.delay = DELAY
            await made.all_move()
            await cem.ask(protocol.Ping)
            assert cem.socket is not None
            assert cem.socket.close_code is None, "the link lives"
        assert before == await made.registered()
        await made.stop_playing()
        assert await made.faults() == []


async def test_links_break_in_the_midst_of_a_frame(tmp_path: Path, database: str) -> None:
    async with parted(tmp_path, database) as (made, _, front, between):
        before = await made.registered()
        cem = Player(front.port, "Cem")
        for way in (*between.ways, *between.ways):
            await come_back(cem, front.port, made.players[0].table)
            way.breaks = True
            async with asyncio.timeout(LINK_SECONDS):
                assert await closed_with(cem) == CloseCode.SERVICE_RESTART
            way.heal()
            await made.all_move(1)
        await cem.disconnect()
        assert before == await made.registered()
        await made.stop_playing()
        assert await made.faults() == []
