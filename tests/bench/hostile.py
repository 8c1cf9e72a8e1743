"""What honest players feel of hostile clients: latency as a ratio to quiet, and memory afterwards.

The server, those who play, and those who attack are a process each.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from diadem import protocol
from diadem.protocol import SUBPROTOCOL, Hello
from tests.rig.wire import Player

HONEST = 8
ROUND_TRIPS = 60
PAUSE = 0.06
"""Seconds between the commands of an honest player, who keeps within what a server allows."""
FLOODERS = 10
HALF_OPEN = 300
ATTACKS = 4
"""The first makes the process as large as it gets; what leaks shows in those that follow."""
SERVER = "from diadem_server.cli import main; main()"
ROOT = Path(__file__).parents[2]


def run() -> Iterator[str]:
    yield from asyncio.run(_measure())


async def _measure() -> list[str]:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        options = ("--host", "127.0.0.1", "--port", "0", "--data", folder)
        server, port = await stack.enter_async_context(_process("-c", SERVER, *options))
        players = [
            await stack.enter_async_context(Player(port, f"Ana {number}"))
            for number in range(HONEST)
        ]
        await _latencies(players)
        memory = [_memory(server.pid)]
        quiet = await _latencies(players)
        for _ in range(ATTACKS):
            async with _process("-m", "tests.bench.hostile", str(port)):
                attacked = await _latencies(players)
            calm = await _latencies(players)
            memory.append(_memory(server.pid))
    lines = [f"{'':>10} {'p50':>9} {'p99':>9}"]
    for name, times in (("quiet", quiet), ("attacked", attacked), ("afterwards", calm)):
        lines.append(f"{name:>10} {times[49] * 1e6:6.0f} us {times[98] * 1e6:6.0f} us")
    lines.append(
        f"latency under attack: {attacked[49] / quiet[49]:.2f}x quiet at p50,"
        f" {attacked[98] / quiet[98]:.1f}x at p99 (aim: 2x)"
    )
    first, *later = (kilobytes / 1024 for kilobytes in memory)
    each = ", ".join(f"{megabytes:.1f}" for megabytes in later)
    lines.append(
        f"memory: {first:.1f} MB before, after each attack {each};"
        f" the last left {later[-1] / later[-2]:.2f}x what the one before did"
    )
    return lines


async def _latencies(players: Sequence[Player]) -> list[float]:
    """Percentiles of the time from a command to its answer."""
    times: list[float] = []
    await asyncio.gather(*(_ask(player, times) for player in players))
    return quantiles(times, n=100)


async def _ask(player: Player, times: list[float]) -> None:
    for _ in range(ROUND_TRIPS):
        await asyncio.sleep(PAUSE)
        start = perf_counter()
        await player.ask(protocol.Ping)
        times.append(perf_counter() - start)


def _memory(pid: int) -> int:
    """Kilobytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


@asynccontextmanager
async def _process(*arguments: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    """A Python of its own, once it has said something; the last number in what it said."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    try:
        said = (await process.stdout.readline()).decode()
        yield process, int(said.rpartition("port ")[2].partition(".")[0])
    finally:
        process.kill()
        await process.wait()


# The attackers


async def attack(port: int) -> None:
    sys.stdout.write(f"attacking port {port}.\n")
    sys.stdout.flush()
    async with asyncio.TaskGroup() as attackers:
        for number in range(FLOODERS):
            attackers.create_task(_flood(port, number))
        attackers.create_task(_open_by_half(port))


async def _flood(port: int, number: int) -> None:
    """As many commands as the line takes, or rubbish, and back as soon as one is sent away."""
    url = f"ws://127.0.0.1:{port}"
    good, bad = protocol.pack(protocol.Ping(1)), b"\xc1" * 1_000
    while True:
        with suppress(WebSocketException, OSError):
            async with connect(
                url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None
            ) as socket:
                await socket.send(protocol.pack(Hello(f"Cem {number}")))
                while True:
                    await socket.send(good if number % 2 else bad)
        await asyncio.sleep(0.05)


async def _open_by_half(port: int) -> None:
    while True:
        writers = []
        for _ in range(HALF_OPEN):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\n")
            writers.append(writer)
        await asyncio.sleep(1)
        for writer in writers:
            writer.transport.abort()


if __name__ == "__main__":
    asyncio.run(attack(int(sys.argv[1])))
