"""What a server carries: castles at many tables, over sockets, with the journal on.

A recorded match is played at so many tables, and a move is made when all four players have seen the
one before. All servers that are compared are alive at the same time, each with all its threads on one core, and are
loaded in turn, in short slices and in another order each round, from the other core. Figures are ratios of
slices of one round, with the middle half of them: the machine itself is not steady.

The yardsticks send the same views, and do nothing else (see _yardsticks.py). `--against FOLDER` measures the
server of another checkout in the same run, which tells whether a change made it faster.
"""

import importlib.util
import resource
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tools.bench._figures import Slice, ratio, tally, turns
from tools.bench._load import Load
from tools.bench._recorded import PLAYERS
from tools.bench._serving import LOOPS, ROOT, Serving, diadem, on_load_core, yardstick

TABLES = (25, 100)
ALL_TABLES = (1, 25, 100, 400)
ROUNDS = 16
SECONDS = 0.25
"""Of one slice."""
WARMING = 0.1
CROWD = 250
"""Tables whose players come at once."""
DEALT = 250
"""Tables that are weighed."""
PLAYED = 200
"""Entries of each of those, that are weighed as well."""
UNFINISHED = 1_000
"""Tables that a restart takes up."""
ENTRIES = 55
"""Of each of those, besides the four who sit down."""
OURS, OTHER, LEAST, LIBRARY = "diadem", "against", "sans-I/O", "websockets"


def run(against: Path | None = None, *, long: bool = False) -> Iterator[str]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    checkouts = {OURS: ROOT} | ({OTHER: against.resolve()} if against else {})
    with on_load_core():
        for loop in LOOPS if importlib.util.find_spec("uvloop") else LOOPS[:1]:
            for tables in ALL_TABLES if long else TABLES:
                yield from _moves(loop, tables, checkouts)
        yield from _memory(checkouts)
        for name, checkout in checkouts.items():
            yield _restart(name, checkout)


# Moves


def _moves(loop: str, tables: int, checkouts: dict[str, Path]) -> Iterator[str]:
    yield (
        f"{tables} tables of {PLAYERS}, {loop}; {ROUNDS} rounds of {SECONDS} s;"
        " ratios with the middle half of them"
    )
    with _servers(loop, checkouts) as servers:
        loads = {
            name: Load(server, is_yardstick=name not in checkouts)
            for name, server in servers.items()
        }
        for load in loads.values():
            load.come(tables)
            load.sit_down(tables)
            load.play(WARMING)
        slices: dict[str, list[Slice]] = {name: [] for name in loads}
        for turn in turns(list(loads), ROUNDS):
            for name in turn:
                for load in loads.values():
                    load.hear()
                slices[name].append(loads[name].play(SECONDS))
        for load in loads.values():
            load.close()
    for name, each in slices.items():
        rate, cost, p50, p99 = tally(each)
        yield (
            f"  {name:>10}: {rate:6.0f} moves/s, all have seen it within {p50 * 1e3:.1f} ms (p50)"
            f" {p99 * 1e3:.1f} ms (p99); {cost * 1e6:.0f} us of processor a move;"
            f" {loads[name].bytes_a_view:.0f} bytes a view"
        )
    pairs = [(OURS, LEAST), (OURS, LIBRARY)]
    if OTHER in slices:
        pairs += [(OTHER, LEAST), (OURS, OTHER)]
    for one, other in pairs:
        rates = ratio([each.rate for each in slices[one]], [each.rate for each in slices[other]])
        costs = ratio([each.cost for each in slices[other]], [each.cost for each in slices[one]])
        yield f"  {one} / {other}: {rates} by moves/s, {costs} by moves per second of processor"


@contextmanager
def _servers(loop: str, checkouts: dict[str, Path]) -> Iterator[dict[str, Serving]]:
    with ExitStack() as stack:
        servers = {}
        for name, checkout in checkouts.items():
            folder = Path(stack.enter_context(TemporaryDirectory()))
            servers[name] = stack.enter_context(diadem(loop, folder, checkout))
        servers[LEAST] = stack.enter_context(yardstick(loop, "sans_io"))
        servers[LIBRARY] = stack.enter_context(yardstick(loop, "websockets"))
        yield servers


# Memory


class Weight(NamedTuple):
    welcome: float
    """Seconds until all were."""
    connection: float
    """KiB; so is the rest."""
    table: float = 0.0
    entry: float = 0.0


def _memory(checkouts: dict[str, Path]) -> Iterator[str]:
    with _servers("asyncio", checkouts) as servers:
        for name, server in servers.items():
            weight = _weigh(server, is_yardstick=name not in checkouts)
            yield (
                f"{name}, {CROWD * PLAYERS} connections at once: {weight.welcome:.2f} s until all are"
                f" welcome; {weight.connection:.1f} KiB a connection"
                + (
                    f"; {weight.table:.1f} KiB a table that was dealt, {weight.entry:.2f} an entry"
                    if name in checkouts
                    else ""
                )
            )


def _weigh(server: Serving, *, is_yardstick: bool) -> Weight:
    load, empty = Load(server, is_yardstick=is_yardstick), server.memory
    welcome, connected = load.come(CROWD), server.memory
    connection = (connected - empty) / len(load.guests)
    if is_yardstick:
        return Weight(welcome, connection)
    load.sit_down(DEALT)
    load.play(most=1)
    dealt = server.memory
    load.play(most=PLAYED)
    played = server.memory
    load.close()
    return Weight(
        *(welcome, connection),
        *((dealt - connected) / DEALT, (played - dealt) / (DEALT * PLAYED)),
    )


# Restart


def _restart(name: str, checkout: Path) -> str:
    """After a server was killed in the midst of all that."""
    with TemporaryDirectory() as folder:
        data = Path(folder)
        with diadem("asyncio", data, checkout) as server:
            fresh, load = (server.seconds, server.processor), Load(server)
            load.come(UNFINISHED)
            load.sit_down(UNFINISHED)
            load.play(most=ENTRIES)
            load.close()
        with diadem("asyncio", data, checkout) as server:
            seconds, processor = server.seconds - fresh[0], server.processor - fresh[1]
    return (
        f"{name}, restart with {UNFINISHED} unfinished tables of {ENTRIES + PLAYERS} entries:"
        f" {seconds:.2f} s, {processor / UNFINISHED * 1e3:.2f} ms of processor a table"
    )


if __name__ == "__main__":
    for told in run():
        print(told, flush=True)
