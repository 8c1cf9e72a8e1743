"""What a cluster costs: nodes over one PostgreSQL against a server alone with its own journal.

A recorded match is played at so many tables, as in `bench server`: slices of all arrangements take turns, and figures
are ratios of slices of one round. Processor time is that of all nodes together; PostgreSQL's is told beside it. All
nodes are on one core, PostgreSQL and the players on the other: what is told is what a move takes, not how many a larger
machine would make.

Several processes that take turns on one core cost more than one, whatever they are: so nodes are compared with as many
nodes that have a database each and do not know of each other, and as many tables. Tables that are spread over more nodes
cost more besides: the fewer a node has, the less it does in one turn of its loop, and in one commit.

Then nodes are killed, or hang, and players come back to their tables by another one; and one node has very many tables at
which nothing goes on.
"""

import asyncio
import signal
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tools.bench._cluster import Engine, Nodes, engine, node, nodes
from tools.bench._figures import Slice, ratio, tally, turns
from tools.bench._idle_tables import idle_tables
from tools.bench._load import Load
from tools.bench._serving import Serving, diadem, on_load_core
from tools.bench._takeovers import takeovers

ROUNDS = 12
SECONDS = 0.25
WARMING = 0.1
KILLS, FREEZES = 20, 5
TABLES_OF_KILLED = 25
MANY_TABLES, MANY_OTHERS = 300, 2
IDLE = 10_000


class Arrangement(NamedTuple):
    nodes: int
    """None for a server alone."""
    tables: int
    is_remote: bool = False
    """Tables at the first node, all players at another."""
    is_apart: bool = False
    """Each node has a database of its own, and knows of no other."""


COSTS = {
    tables: {
        "alone": Arrangement(0, tables),
        "1 node": Arrangement(1, tables),
        "remote": Arrangement(2, tables, is_remote=True),
    }
    for tables in (25, 100)
}
GROWTH = {
    f"{count} nodes": {
        "apart": Arrangement(count, 25 * count, is_apart=True),
        "together": Arrangement(count, 25 * count),
    }
    for count in (2, 3)
}
SPREAD = {
    "1 node": Arrangement(1, 25),
    "2 nodes": Arrangement(2, 25),
    "3 nodes": Arrangement(3, 25),
    "1 node, 8 tables": Arrangement(1, 8),
}


class Measured(NamedTuple):
    played: Slice
    engine: float
    """Seconds of processor."""


def run(only: Sequence[str] = ()) -> Iterator[str]:
    """All parts, or those that are named."""
    with on_load_core(), engine() as postgres:
        for name, part in PARTS.items():
            if not only or name in only:
                yield f"{name}:"
                for line in part(postgres):
                    yield f"  {line}"


# Moves


def _cost(postgres: Engine) -> Iterator[str]:
    for tables, arrangements in COSTS.items():
        yield f"{tables} tables of four; in {_ROUNDS}, against a server alone"
        yield from _moves(postgres, arrangements)


def _growth(postgres: Engine) -> Iterator[str]:
    for count, arrangements in GROWTH.items():
        yield f"{count} with 25 tables of four each; in {_ROUNDS}, against as many that do not know of each other"
        yield from _moves(postgres, arrangements)


def _spread(postgres: Engine) -> Iterator[str]:
    yield f"25 tables of four in all unless said otherwise; in {_ROUNDS}, against one node"
    yield from _moves(postgres, SPREAD)


_ROUNDS = f"{ROUNDS} rounds of {SECONDS} s, ratios with the middle half of them"


def _moves(postgres: Engine, arrangements: Mapping[str, Arrangement]) -> Iterator[str]:
    measured: dict[str, list[Measured]] = {name: [] for name in arrangements}
    with ExitStack() as stack:
        loads = {name: _load(stack, postgres, arranged) for name, arranged in arrangements.items()}
        for turn in turns(list(loads), ROUNDS):
            for name in turn:
                for load in loads.values():
                    load.hear()
                before = postgres.processor
                played = loads[name].play(SECONDS)
                measured[name].append(Measured(played, postgres.processor - before))
        for load in loads.values():
            load.close()
    yield from map(partial(_told, measured), measured)


def _told(measured: Mapping[str, Collection[Measured]], name: str) -> str:
    costs = {each: [one.played.cost for one in measured[each]] for each in measured}
    rate, cost, p50, p99 = tally([one.played for one in measured[name]])
    of_engine = median(one.engine / one.played.processor for one in measured[name])
    return (
        f"  {name}: {ratio(costs[name], costs[next(iter(costs))])} times the processor a move, {cost * 1e6:.0f} us;"
        f" PostgreSQL takes {of_engine:.2f} of that besides; {rate:.0f} moves/s, seen within {p50 * 1e3:.1f} ms (p50)"
        f" {p99 * 1e3:.1f} ms (p99)"
    )


def _load(stack: ExitStack, postgres: Engine, arranged: Arrangement) -> Load:
    server: Serving | Nodes
    if arranged.is_apart:
        databases = [asyncio.run(postgres.postgres.create()) for _ in range(arranged.nodes)]
        server = Nodes([stack.enter_context(node(database)) for database in databases])
    elif arranged.nodes:
        database = asyncio.run(postgres.postgres.create())
        server = stack.enter_context(nodes(database, arranged.nodes))
    else:
        server = stack.enter_context(
            diadem("asyncio", Path(stack.enter_context(TemporaryDirectory())))
        )
    load = Load(server, port_of=_port_of(arranged, server))
    load.come(arranged.tables)
    load.sit_down(arranged.tables)
    if arranged.is_remote:
        load.bring_makers(_ports(server)[1])
    load.play(WARMING)
    return load


def _port_of(arranged: Arrangement, server: Serving | Nodes) -> Callable[[int, int], int]:
    """Where the players of each table come in."""
    ports = _ports(server)
    if arranged.is_remote:
        return lambda _table, seat: ports[seat > 0]
    return lambda table, _seat: ports[table % len(ports)]


def _ports(server: Serving | Nodes) -> list[int]:
    return [each.port for each in server.each] if isinstance(server, Nodes) else [server.port]


# What happens seldom


def _killed(postgres: Engine) -> Iterator[str]:
    told = asyncio.run(takeovers(postgres, KILLS, TABLES_OF_KILLED, signal.SIGKILL))
    yield f"{KILLS} nodes of {TABLES_OF_KILLED} tables were killed: {told}"


def _killed_with_many(postgres: Engine) -> Iterator[str]:
    told = asyncio.run(takeovers(postgres, 1, MANY_TABLES, signal.SIGKILL, MANY_OTHERS))
    yield f"a node of {MANY_TABLES} tables was killed, with {MANY_OTHERS} others: {told}"


def _frozen(postgres: Engine) -> Iterator[str]:
    told = asyncio.run(takeovers(postgres, FREEZES, TABLES_OF_KILLED, signal.SIGSTOP))
    yield f"{FREEZES} nodes of {TABLES_OF_KILLED} tables were frozen: {told}"


def _idle(postgres: Engine) -> Iterator[str]:
    yield from asyncio.run(idle_tables(postgres, IDLE))


PARTS: Mapping[str, Callable[[Engine], Iterator[str]]] = {
    "cost": _cost,
    "growth": _growth,
    "spread": _spread,
    "takeover": _killed,
    "many": _killed_with_many,
    "freeze": _frozen,
    "idle": _idle,
}


if __name__ == "__main__":
    for told in run():
        print(told, flush=True)
