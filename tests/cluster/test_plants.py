"""The tests would notice if a node did what it must not do: each plant is one fault, and must be found."""

import signal
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from diadem_server.cluster.membership import DEAD_SECONDS
from diadem_shared import protocol
from tests.cluster import plants
from tests.cluster.nodes import COMMAND
from tests.cluster.postgres import Postgres
from tests.cluster.proxy import proxied
from tests.cluster.test_fence import entry, fenced_writes_nothing
from tests.cluster.world import World
from tests.rig.wire import Player
from tests.server import done

MOVES_PATIENCE = 10.0
"""For which a table that may be spoilt is watched."""
PLANTED = "from tests.cluster import plants; plants.run()"
CLOCK = """
import signal, time
now, late = time.time, []
time.time = lambda: now() - sum(late)
signal.signal(signal.SIGUSR1, lambda *_: late.append(3600))
"""
"""The clock of this machine is put back by a signal."""


def planted(plant: str, before: str = "") -> Sequence[str]:
    return (sys.executable, "-c", before + PLANTED, plant)


# Acknowledge first


async def test_a_node_that_acknowledges_before_it_has_written_is_found_out(
    tmp_path: Path, postgres: Postgres, database: str
) -> None:
    async with (
        proxied(postgres, database) as (proxy, by_proxy),
        AsyncExitStack() as stack,
    ):
        made = World(tmp_path, database, stack)
        node = await made.start_node(by_proxy, command=planted(plants.acknowledge_first.__name__))
        await made.begin(tables=2)
        proxy.refuses = True
        proxy.cut()
        await made.all_move(1)
        node.kill()
        await made.stop_playing()
        assert any("is not in the journal" in each for each in await made.faults())


# No fence


async def append_late(
    folder: Path, postgres: Postgres, database: str, command: Sequence[str] = COMMAND
) -> list[str]:
    """What becomes of a table when an append of its node comes to PostgreSQL only after another has the table."""
    async with (
        proxied(postgres, database) as (proxy, by_proxy),
        AsyncExitStack() as stack,
    ):
        made = World(folder, database, stack)
        node = await made.start_node(by_proxy, command=command)
        await made.begin(tables=1)
        proxy.holds = made.players[0].table.encode()
        await proxy.held.wait()
        made.leave_out(node)
        node.kill()
        other = await made.start_node()
        made.ports.remove(other.port)
        async with Player(other.port, "Cem") as cem:
            await done(cem, protocol.Join, made.players[0].table)
            assert await made.owner() is other
            proxy.release()
            await proxy.all_gone()
            made.ports.append(other.port)
            try:
                await made.all_move(patience=MOVES_PATIENCE)
            except AssertionError as stuck:
                return [str(stuck)]
        await made.stop_playing()
        return await made.faults()


async def test_an_append_that_comes_too_late_is_not_written(
    tmp_path: Path, postgres: Postgres, database: str
) -> None:
    assert await append_late(tmp_path, postgres, database) == []


async def test_a_node_without_fence_is_found_out(
    tmp_path: Path, postgres: Postgres, database: str
) -> None:
    command = planted(plants.no_fence.__name__)
    assert await append_late(tmp_path, postgres, database, command) != []


async def test_a_journal_without_fence_is_found_out(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    plants.no_fence(monkeypatch.setattr)
    with pytest.raises(pytest.fail.Exception):
        await fenced_writes_nothing(await postgres.create(), [entry(2)])


# Expiry by wall clock


async def fenced_for_its_clock(
    folder: Path, database: str, exact: Sequence[str], late: Sequence[str]
) -> set[int]:
    """The nodes that are gone from the register though all beat, when the clock of one is put back."""
    async with AsyncExitStack() as stack:
        made = World(folder, database, stack)
        node, *_ = [await made.start_node(command=each) for each in (late, exact, exact)]
        before = await made.registered()
        await made.begin(tables=2)
        node.signal(signal.SIGUSR1)
        await made.all_beat(int(DEAD_SECONDS) + 2)
        await made.all_move()
        after = await made.registered()
        await made.stop_playing()
        assert await made.faults() == []
        return before - after


async def test_a_node_whose_clock_is_off_is_as_good_as_any(tmp_path: Path, database: str) -> None:
    late = (sys.executable, "-c", CLOCK + COMMAND[-1])
    assert not await fenced_for_its_clock(tmp_path, database, COMMAND, late)


async def test_expiry_by_wall_clock_is_found_out(tmp_path: Path, database: str) -> None:
    name = plants.expiry_by_wall_clock.__name__
    assert await fenced_for_its_clock(tmp_path, database, planted(name), planted(name, CLOCK))
