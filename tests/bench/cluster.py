"""What a cluster costs: nodes over one PostgreSQL against a server alone with its own journal.

A recorded match is played at so many tables, as in `bench server`: slices of all arrangements take turns, and figures
are ratios of slices of one round. Processor time is that of all nodes together; PostgreSQL's is told beside it. All of
them are on one core, and the players on the other: what is told is what a move takes, not how many a larger machine
would make.

Then nodes are killed, and players come back to their tables by another one; and one node has very many tables at which
nothing goes on.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.request import urlopen

from diadem import protocol
from diadem.entries import Setup
from diadem.protocol import Accepted, Welcome
from tests.bench._cluster import Engine, Nodes, engine, node, nodes
from tests.bench._figures import Slice, ratio, tally, turns
from tests.bench._load import Load
from tests.bench._serving import Serving, diadem, on_load_core
from tests.cluster.postgres import until
from tests.rig.wire import Player

TABLES = (25, 100)
ROUNDS = 12
SECONDS = 0.25
WARMING = 0.1
ALONE, ONE, TWO, THREE, REMOTE = "alone", "1 node", "2 nodes", "3 nodes", "remote"
"""The last: tables at one node, all players at another."""
KILLS = 20
TABLES_OF_KILLED = 25
IDLE = 10_000
IDLE_SECONDS = 5.0
AT_ONCE = 50
PAUSE = 0.02


class Measured(NamedTuple):
    played: Slice
    engine: float
    """Seconds of processor."""


def run() -> Iterator[str]:
    with engine() as postgres:
        with on_load_core():
            for tables in TABLES:
                yield from _moves(postgres, tables)
        yield asyncio.run(_takeovers(postgres))
        yield asyncio.run(_idle(postgres))


# Moves


def _moves(postgres: Engine, tables: int) -> Iterator[str]:
    yield (
        f"{tables} tables of four; {ROUNDS} rounds of {SECONDS} s; ratios with the middle half of them"
    )
    with ExitStack() as stack:
        loads = _loads(stack, postgres, tables)
        measured: dict[str, list[Measured]] = {name: [] for name in loads}
        for turn in turns(list(loads), ROUNDS):
            for name in turn:
                for load in loads.values():
                    load.hear()
                before = postgres.processor
                played = loads[name].play(SECONDS)
                measured[name].append(Measured(played, postgres.processor - before))
        for load in loads.values():
            load.close()
    costs = {name: [one.played.cost for one in each] for name, each in measured.items()}
    for name, each in measured.items():
        rate, cost, p50, p99 = tally([one.played for one in each])
        of_engine = [one.engine / one.played.processor for one in each]
        yield (
            f"  {name:>8}: {rate:6.0f} moves/s, seen within {p50 * 1e3:.1f} ms (p50) {p99 * 1e3:.1f} ms"
            f" (p99); {cost * 1e6:.0f} us of processor a move, {ratio(costs[name], costs[ALONE])} of"
            f" a server alone; PostgreSQL takes {median(of_engine):.2f} of that besides"
        )


def _loads(stack: ExitStack, postgres: Engine, tables: int) -> dict[str, Load]:
    folder = Path(stack.enter_context(TemporaryDirectory()))
    servers: dict[str, Serving | Nodes] = {
        ALONE: stack.enter_context(diadem("asyncio", folder)),
        **{
            name: stack.enter_context(nodes(asyncio.run(postgres.postgres.create()), count))
            for count, name in ((1, ONE), (2, TWO), (3, THREE), (2, REMOTE))
        },
    }
    loads = {name: Load(server, port_of=_port_of(name, server)) for name, server in servers.items()}
    for name, load in loads.items():
        load.come(tables)
        load.sit_down(tables)
        if name == REMOTE:
            load.bring_makers(_ports(servers[name])[1])
        load.play(WARMING)
    return loads


def _port_of(name: str, server: Serving | Nodes) -> Callable[[int, int], int]:
    """Where the players of each table come in."""
    ports = _ports(server)
    if name == REMOTE:
        return lambda _table, seat: ports[seat > 0]
    return lambda table, _seat: ports[table % len(ports)]


def _ports(server: Serving | Nodes) -> list[int]:
    return [each.port for each in server.each] if isinstance(server, Nodes) else [server.port]


# A node is killed


async def _takeovers(postgres: Engine) -> str:
    """Players come back by the node that is left; each time it is another node's turn to be killed."""
    database = await postgres.postgres.create()
    seconds: list[float] = []
    with ExitStack() as left:
        surviving = left.enter_context(node(database))
        for number in range(KILLS):
            async with AsyncExitStack() as stack:
                with node(database) as killed:
                    players = [
                        await stack.enter_async_context(Player(killed.port, f"p {number} {each}"))
                        for each in range(TABLES_OF_KILLED)
                    ]
                    codes = [await _begun(player) for player in players]
                began = time.perf_counter()
                coming = [
                    _seconds_until_back(player, surviving.port, code, began)
                    for player, code in zip(players, codes, strict=True)
                ]
                seconds += await asyncio.gather(*coming)
                for player in players:
                    await player.ask(protocol.Resign)
    return (
        f"{KILLS} nodes of {TABLES_OF_KILLED} tables were killed: players saw their tables again at another node"
        f" after {median(seconds):.2f} s (median), {max(seconds):.2f} s at most"
    )


async def _begun(player: Player) -> str:
    code = await player.make(Setup("diadingo"))
    await player.ask(protocol.AddBot, "zombie")
    await player.ask(protocol.Start)
    await player.seen(lambda view: view.public["phase"] != "gathering")
    return code


async def _seconds_until_back(player: Player, port: int, code: str, began: float) -> float:
    await player.disconnect()
    player.url, player.view = f"ws://127.0.0.1:{port}", None
    while True:
        if isinstance(await player.connect(), Welcome) and isinstance(
            await player.ask(protocol.Join, code), Accepted
        ):
            break
        await player.disconnect()
        await asyncio.sleep(PAUSE)
    await player.seen(partial(_is_of, code))
    return time.perf_counter() - began


def _is_of(code: str, view: protocol.TableView) -> bool:
    return view.table == code


# Tables at which nothing goes on


async def _idle(postgres: Engine) -> str:
    database = await postgres.postgres.create()
    with node(database) as idle:
        empty = idle.memory
        for first in range(0, IDLE, AT_ONCE):
            await asyncio.gather(
                *(_leave_behind(idle.port, first + each) for each in range(AT_ONCE))
            )
        memory = idle.memory - empty
        before, of_engine = idle.processor, postgres.processor
        await asyncio.sleep(IDLE_SECONDS)
        spent, of_engine = idle.processor - before, postgres.processor - of_engine
    began = time.perf_counter()
    with node(database) as other:
        claimed = time.perf_counter()
        await until(lambda: _tables(other) == IDLE)
        seconds, processor = time.perf_counter() - claimed, other.processor
    return (
        f"{IDLE} tables at which nothing goes on: {memory / IDLE:.1f} KiB each; in {IDLE_SECONDS:.0f} s the node took"
        f" {spent * 1e3:.0f} ms of processor, PostgreSQL {of_engine * 1e3:.0f} ms;"
        f" after a kill another had all of them {seconds:.1f} s after it was open"
        f" ({claimed - began:.1f} s after it was started, {processor / IDLE * 1e3:.2f} ms of processor a table)"
    )


async def _leave_behind(port: int, number: int) -> None:
    async with Player(port, f"idle {number}", address=_address(number)) as player:
        await _begun(player)


def _address(number: int) -> str:
    return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"


def _tables(serving: Serving) -> int:
    """As the server itself counts them."""
    with urlopen(f"http://127.0.0.1:{serving.port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("diadem_tables "))


if __name__ == "__main__":
    for told in run():
        print(told, flush=True)
