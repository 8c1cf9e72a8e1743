"""What honest players feel of hostile clients: latency as a ratio to quiet, and memory afterwards.

The model is a server on a machine of its own, attacked by others with machines of theirs. So the
server has a core to itself; players and attackers share another, where the players come first (the
attackers are scheduled as idle): the attackers lose nothing but the little that the players use, and
the players wait for nobody but the server. Each kind of attack goes on all the time, all kinds at once,
each from an address of its own. There are three families of them: those who break every limit, those who keep within
all of them, those who come over ssh, and those who come as browsers do; one family attacks at a time.

Two cores are not two machines: the kernel works for the attackers on the players' core. So there is a
neighbour, a second server that stands back for the first one and is attacked in the same way: what
the players feel of that is the machine's. What is left is the server's.

The latency that counts is that of a move, until every player has seen it; a ping, that touches
neither table nor journal, is the most sensitive there is. A key is that of a player in a browser, until something of it is
shown: it shares the gate with those who attack the page, and the server's core with their hosted clients. Quiet and attack take turns, and every ratio
is the median of those of one round.

Memory is that of another server, at which nobody plays: matches grow while they are played. A small
attack of every kind comes before the first figure, so that what the process takes once is not taken for
what an attack leaves behind.
"""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from diadem_shared import protocol
from tests.rig.gates import descendants
from tools.bench._attackers import BREAKING, KEEPING
from tools.bench._browsers import Browser, come_in
from tools.bench._line import Line, dial
from tools.bench._players import PLAYERS, Group
from tools.bench._serving import Serving

TABLES = 8
ASKING = 8
"""Who sit at no table, and send pings."""
BROWSERS = 4
KEY_PAUSE = 0.15
PAUSE = 0.06
"""Seconds between the commands of honest players, who keep within what a server allows."""
SECONDS = 4.0
ROUNDS = 4
STARTING, PATIENCE = 60.0, 90.0
"""Seconds after which attackers that do not start, or players who see no end of their moves, are an error."""
CALM = 2.0
"""Seconds after an attack: what it leaves behind is to be gone by then."""
SMALL = ("1", "50")
LARGE = ("5", "1000")
"""Attackers of each kind, and half-open handshakes at a time."""
OVER_SSH = (
    "ignore_before_login",
    "garbage",
    "key_exchanges",
    "global_requests",
    "unended_osc",
)
IN_BROWSERS = (
    "endless_headers",
    "pages",
    "idle_windows",
    "fragments",
    "keys",
    "paste",
    "mouse",
    "reads_nothing",
    "resumes",
    "reloads",
    "guesses",
)
SSH, WEB = "ssh", "web"
FAMILIES = {"breaking": BREAKING, "keeping": KEEPING, SSH: OVER_SSH, WEB: IN_BROWSERS}
"""Those who break every limit, those who keep within all, and those who come by a gate."""
MEMORY = "memory"
OPEN = r"open, port (\d+).*Over ssh, port (\d+).*In the browser, port (\d+)"
LONGER = "60"
"""Seconds, more than any attack is left to go on."""
GATE_ATTACKER = """\
import os, sys
from importlib import import_module
attack = import_module(sys.argv.pop(1)).main
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
print("attacking.", flush=True)
while True:  # also whoever is cut off comes back
    attack()
"""
SERVER = """\
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from diadem_server.cli import main
main()
"""
ROOT = Path(__file__).parents[2]


class Felt(NamedTuple):
    """By the players, in a few seconds. Seconds."""

    moves: list[float]
    pings: list[float]
    keys: list[float]
    busy: float
    """What the server used of its core."""


class Round(NamedTuple):
    quiet: Felt
    beside: Felt
    """While the neighbour is attacked."""
    attacked: Felt


class Target(NamedTuple):
    serving: Serving
    ssh: int
    """Its port for ssh."""
    web: int
    """Its port for browsers."""


def run(only: Sequence[str] | None = None) -> Iterator[str]:
    chosen = only or [*FAMILIES, MEMORY]
    for family in FAMILIES:
        if family in chosen:
            yield from asyncio.run(_latency(family))
    if MEMORY in chosen:
        yield asyncio.run(_memory())


async def _latency(family: str) -> list[str]:
    rounds: list[Round] = []
    async with (
        _serving(stands_back=True) as neighbour,
        _serving() as server,
        AsyncExitStack() as windows,
    ):
        players = await Players.come_in(server, windows)
        await players.feel()
        for _ in range(ROUNDS):
            quiet = await players.feel()
            async with _attack(neighbour, LARGE, family):
                beside = await players.feel()
            async with _attack(server, LARGE, family):
                attacked = await players.feel()
            rounds.append(Round(quiet, beside, attacked))
    used = [median(felt.busy for felt in each) for each in zip(*rounds, strict=True)]
    return [
        f"attackers: {family}",
        *_compared("move", [[felt.moves for felt in each] for each in rounds]),
        *_compared("ping", [[felt.pings for felt in each] for each in rounds]),
        *_compared("key", [[felt.keys for felt in each] for each in rounds]),
        "the server used {:.0%} of its core when quiet, {:.0%} with its neighbour attacked,"
        " {:.0%} when attacked itself".format(*used),
    ]


async def _memory() -> str:
    async with _serving() as server:
        kilobytes = [server.serving.memory]
        for size in (SMALL, *[LARGE] * ROUNDS):
            async with AsyncExitStack() as attacks:
                for family in FAMILIES:
                    await attacks.enter_async_context(_attack(server, size, family))
                await asyncio.sleep(SECONDS)
            # Those it cut off are waited for no longer than this.
            await asyncio.sleep(CALM)
            kilobytes.append(server.serving.memory)
    fresh, before, *later = (each / 1024 for each in kilobytes)
    each = ", ".join(f"{megabytes:.1f}" for megabytes in later)
    return (
        f"memory: {fresh:.1f} MB at first, {before:.1f} after a small attack,"
        f" then {each} after each attack: {later[-1] / before:.2f}x"
    )


def _compared(what: str, rounds: list[list[list[float]]]) -> Iterator[str]:
    """Times of every round: when quiet, with the neighbour attacked, and when attacked."""
    yield (
        f"{what:>8} {'quiet':>10} {'neighbour':>11} {'attacked':>11}"
        "   attacked / neighbour, each round (aim: 2x), and attacked / quiet (aim: 3x)"
    )
    for percent in (50, 99):
        felt = [
            [quantiles(times, n=100)[percent - 1] for times in each]
            for each in zip(*rounds, strict=True)
        ]
        shown = " ".join(f"{median(each) * 1e6:8.0f} us" for each in felt)
        quiet, beside, attacked = felt
        ratios = [ours / theirs for ours, theirs in zip(attacked, beside, strict=True)]
        to_quiet = median(ours / theirs for ours, theirs in zip(attacked, quiet, strict=True))
        each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        yield f"     p{percent} {shown}   {median(ratios):.2f}x ({each}), {to_quiet:.2f}x of quiet"


class Players:
    def __init__(
        self, server: Serving, groups: list[Group], asking: list[Line], browsers: list[Browser]
    ) -> None:
        self._server = server
        self._groups = groups
        self._asking = asking
        self._browsers = browsers

    @classmethod
    async def come_in(cls, target: Target, windows: AsyncExitStack) -> "Players":
        server = target.serving
        lines = [await dial(server.port) for _ in range(TABLES * PLAYERS + ASKING + BROWSERS)]
        for number, line in enumerate(lines):
            await line.greet(f"Ana {number}")
        groups = [Group(lines[at::TABLES][:PLAYERS]) for at in range(TABLES)]
        for group in groups:
            await group.sit_down()
        asking = lines[TABLES * PLAYERS :][:ASKING]
        browsers = await come_in(windows, target.web, lines[-BROWSERS:])
        return cls(server, groups, asking, browsers)

    async def feel(self) -> Felt:
        """Play for some seconds."""
        used, started = self._server.processor, perf_counter()
        until = started + SECONDS
        pings: list[float] = []
        keys: list[float] = []
        for group in self._groups:
            group.latencies.clear()
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as all_at_once:
            for browser in self._browsers:
                all_at_once.create_task(browser.play(until, KEY_PAUSE, keys))
            for number, group in enumerate(self._groups):
                all_at_once.create_task(_later(number / TABLES, group.play(until, PAUSE)))
            for number, line in enumerate(self._asking):
                all_at_once.create_task(_later(number / ASKING, _ask(line, until, pings)))
        moves = [each for group in self._groups for each in group.latencies]
        busy = (self._server.processor - used) / (perf_counter() - started)
        return Felt(moves, pings, keys, busy)


async def _later(part: float, does: Coroutine[Any, Any, None]) -> None:
    """People do not act in step."""
    await asyncio.sleep(PAUSE * part)
    await does


async def _ask(line: Line, until: float, times: list[float]) -> None:
    while (start := perf_counter()) < until:
        line.command(protocol.Ping)
        await line.frames.get()
        times.append(perf_counter() - start)
        await asyncio.sleep(PAUSE)


@asynccontextmanager
async def _serving(*, stands_back: bool = False) -> AsyncIterator[Target]:
    cores = os.sched_getaffinity(0)
    with TemporaryDirectory() as folder:
        where = ("--host", "127.0.0.1", "--port", "0", "--data", folder)
        gates = ("--ssh", "0", "--ssh-guests", "--web", "0")
        async with _process(OPEN, "-c", SERVER, *where, *gates) as (pid, said):
            os.sched_setaffinity(0, {max(cores)})
            if stands_back:
                _stand_back(pid)
            yield Target(Serving(pid, int(said[1]), 0.0), int(said[2]), int(said[3]))
    os.sched_setaffinity(0, cores)


def _stand_back(server: int) -> None:
    """Once it is open, or else on a busy machine it would never be. What it starts from now on stands back too."""
    for process in (server, *descendants(server)):
        for task in Path(f"/proc/{process}/task").iterdir():
            os.sched_setscheduler(int(task.name), os.SCHED_IDLE, os.sched_param(0))


@asynccontextmanager
async def _attack(target: Target, size: tuple[str, str], family: str) -> AsyncIterator[None]:
    async with AsyncExitStack() as attackers:
        async with asyncio.timeout(STARTING), asyncio.TaskGroup() as starting:
            for command in _commands(target, size, family):
                attacker = _process("attacking", *command)
                starting.create_task(attackers.enter_async_context(attacker))
        yield


def _commands(target: Target, size: tuple[str, str], family: str) -> Iterator[tuple[str, ...]]:
    gates = {SSH: ("tests.ssh.attackers", target.ssh), WEB: ("tests.web.attackers", target.web)}
    if family in gates:
        module, port = gates[family]
        for kind in FAMILIES[family]:
            yield "-c", GATE_ATTACKER, module, kind, "127.0.0.1", str(port), LONGER
    else:
        yield "-m", "tools.bench._attackers", str(target.serving.port), *size, *FAMILIES[family]


@asynccontextmanager
async def _process(until: str, *arguments: str) -> AsyncIterator[tuple[int, re.Match[str]]]:
    """A Python of its own, once it has said what is waited for."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    said = ""
    try:
        while not (found := re.search(until, said, re.DOTALL)):
            line = await process.stdout.readline()
            assert line, f"it has ended: {said}"
            said += line.decode()
        rest = asyncio.create_task(process.stdout.read())
        yield process.pid, found
        rest.cancel()
    finally:
        for each in (process.pid, *descendants(process.pid)) if process.returncode is None else ():
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        await process.wait()
