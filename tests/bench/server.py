"""What a server carries: castles at many tables, over sockets, with the journal on.

The yardstick is a bare `websockets` server that sends ready-made frames of the same sizes to as many
connections. Ratios are of moves per second of the server's processor time: on a shared machine the
wall clock says more about the neighbours, and the clients of this bench need some of it too.
"""

import asyncio
import importlib.util
import os
import resource
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgpack

from diadem import protocol
from diadem.chance import Chance
from diadem.entries import Setup
from diadem.game import digest
from diadem.games import GAMES
from diadem.playout import play_out
from diadem_server.app import keep_room_for_reads
from diadem_server.storage.changes import Change, NewEntry, NewTable
from diadem_server.storage.records import EntryRow
from diadem_server.storage.sqlite import SqliteJournal
from tests.bench._line import Line, dial

PLAYERS = 4
TABLES = (1, 25, 100, 400)
SECONDS = 2.0
CROWD = 1_000
UNFINISHED = 1_000
"""Tables that a restart takes up."""
ENTRIES = 60
"""Of each of those."""
DEALT = 50
"""Tables that are weighed."""

VIEW = b"\xa4type\xa4view"
ACCEPTED = b"\xa4type\xa8accepted"
SETUP = Setup("diamoniak", rounds=20)
GAME = GAMES[SETUP.game]
PLAY_BYTES = 40


class Serving(NamedTuple):
    pid: int
    port: int
    seconds: float
    """Until it was open."""

    @property
    def processor(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> int:
        """Resident, in KB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)


class Figures(NamedTuple):
    rate: float
    """Moves a second by the clock."""
    processor_rate: float
    """Moves a second of the server's processor time."""
    latencies: list[float]
    view_bytes: float
    view: bytes
    """One of those that were sent."""


@asynccontextmanager
async def serving(loop: str, *what: str) -> AsyncIterator[Serving]:
    with subprocess.Popen(  # noqa: ASYNC220, nothing else runs meanwhile
        [sys.executable, "-m", "tests.bench._serving", loop, *what],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        port, seconds = (await asyncio.to_thread(process.stdout.readline)).split()
        yield Serving(process.pid, int(port), float(seconds))
        process.stdin.close()
        await asyncio.to_thread(process.wait)


class Group:
    """Four players at a table. Each move is made when everybody has seen the one before."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.latencies: list[float] = []
        self.views = 0
        self.view_bytes = 0
        self._due = 0
        self._all_seen: asyncio.Future[None] | None = None
        self.last = b""
        self._id = 10**6
        self._zombie = GAME.bots["zombie"](Chance(b"bench"))

    async def sit_down(self) -> None:
        maker, *others = self.lines
        for line in self.lines:
            line.hear = line.frames.put_nowait
        maker.command(protocol.Make, SETUP)
        table = (await _view(maker, lambda view: view["entry"] == 1))["table"]
        for line in others:
            line.command(protocol.Join, table)
            await _view(line, lambda view: view["table"] == table)
            line.command(protocol.Sit)
            await _view(line, lambda view: view["seat"] is not None)
        for line in self.lines[:-1]:
            await _view(line, lambda view: view["entry"] == PLAYERS)
        for line in self.lines:
            line.hear = self._hear
        await self._seen_by_all(maker, protocol.pack(protocol.Start(self._id)))

    async def play(self, until: float, pause: float = 0.0) -> None:
        clock = time.perf_counter
        while (started := clock()) < until:
            self._id += 1
            line, command = self._next(msgpack.unpackb(self.last), self._id)
            if command is None:
                await self.sit_down()
                continue
            await self._seen_by_all(line, command)
            self.latencies.append(clock() - started)
            if pause:
                await asyncio.sleep(pause)

    async def press(self, until: float, view: bytes) -> None:
        """As much work for the clients, but no game: for the yardstick."""
        clock = time.perf_counter
        frame = bytes(PLAY_BYTES)
        for line in self.lines:
            line.send(b"")
            await line.frames.get()
            line.hear = self._count
        while (started := clock()) < until:
            self._next(msgpack.unpackb(view), 1)
            line = self.lines[len(self.latencies) % PLAYERS]
            await self._seen_by_all(line, frame, frames=PLAYERS + 1)
            self.latencies.append(clock() - started)

    def _next(self, view: dict[str, Any], id_: int) -> tuple[Line, bytes | None]:
        public = view["public"]
        if public["phase"] == "playing":
            seat = public["actors"][0]
            move = self._zombie.choose(GAME.read_view(seat, public["game"], None))
            return self.lines[seat], protocol.pack(protocol.Play(id_, GAME.notate(move)))
        over = public["phase"] == "over"
        return self.lines[0], None if over else protocol.pack(protocol.Start(id_))

    async def _seen_by_all(self, line: Line, frame: bytes, frames: int = PLAYERS) -> None:
        self._due = frames
        self._all_seen = asyncio.get_running_loop().create_future()
        line.send(frame)
        await self._all_seen

    def _hear(self, frame: bytes) -> None:
        if frame.startswith(VIEW, 1):
            self.views += 1
            self.view_bytes += len(frame)
            self.last = frame
            self._count(frame)
        else:
            assert frame.startswith(ACCEPTED, 1), msgpack.unpackb(frame)

    def _count(self, _: bytes) -> None:
        self._due -= 1
        if self._due == 0 and self._all_seen:
            self._all_seen.set_result(None)


async def _view(line: Line, as_wished: Any = bool) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = msgpack.unpackb(await line.frames.get())
        if message["type"] == "view" and as_wished(message):
            return message


async def load(server: Serving, tables: int, yardstick: bytes | None = None) -> Figures:
    """Play at so many tables; or, given a view, do without a game what can be done without."""
    real = yardstick is None
    groups = []
    for table in range(tables):
        lines = [await dial(server.port, f"/{table}") for _ in range(PLAYERS)]
        if real:
            for seat, line in enumerate(lines):
                await line.greet(f"{table} {seat}")
        groups.append(Group(lines))
    if real:
        await asyncio.gather(*(group.sit_down() for group in groups))
    before, started = server.processor, time.perf_counter()
    until = started + SECONDS
    if yardstick is None:
        await asyncio.gather(*(group.play(until) for group in groups))
    else:
        await asyncio.gather(*(group.press(until, yardstick) for group in groups))
    seconds, processor = time.perf_counter() - started, server.processor - before
    latencies = [each for group in groups for each in group.latencies]
    views = sum(group.views for group in groups)
    for group in groups:
        for line in group.lines:
            line.close()
    return Figures(
        len(latencies) / seconds,
        len(latencies) / processor,
        latencies,
        sum(group.view_bytes for group in groups) / max(1, views),
        groups[0].last,
    )


async def moves(loop: str, tables: int) -> str:
    with TemporaryDirectory() as folder:
        async with serving(loop, "diadem", folder) as server:
            real = await load(server, tables)
    async with serving(loop, "bare", str(round(real.view_bytes))) as server:
        bare = await load(server, tables, real.view)
    cuts = quantiles(real.latencies, n=100)
    return (
        f"{tables} tables of {PLAYERS}, {loop}: {real.rate:.0f} moves/s,"
        f" every view within {cuts[49] * 1e3:.1f} ms (p50), {cuts[98] * 1e3:.1f} ms (p99),"
        f" {1e6 / real.processor_rate:.0f} us of processor a move;"
        f" bare {bare.rate:.0f} moves/s, {1e6 / bare.processor_rate:.0f} us;"
        f" ratio {real.processor_rate / bare.processor_rate:.2f} by processor,"
        f" {real.rate / bare.rate:.2f} by the clock; {real.view_bytes:.0f} bytes a view"
    )


async def crowd(loop: str) -> AsyncIterator[str]:
    """A thousand who come at once, and what they weigh."""
    with TemporaryDirectory() as folder:
        async with serving(loop, "diadem", folder) as server:
            empty, started = server.memory, time.perf_counter()
            lines = await asyncio.gather(*(_come(server, number) for number in range(CROWD)))
            seconds = time.perf_counter() - started
            full = server.memory
            yield (
                f"{CROWD} connections at once, {loop}: {seconds:.2f} s until all are welcome;"
                f" {(full - empty) / CROWD:.0f} KB each"
            )
            groups = [Group(lines[at : at + PLAYERS]) for at in range(0, DEALT * PLAYERS, PLAYERS)]
            for group in groups:
                await group.sit_down()
            yield f"a table that was dealt: {(server.memory - full) / DEALT:.0f} KB"
            for line in lines:
                line.close()


async def _come(server: Serving, number: int) -> Line:
    line = await dial(server.port)
    await line.greet(f"guest {number}")
    return line


async def restart(tables: int) -> str:
    with TemporaryDirectory() as folder:
        await _leave_behind(Path(folder), tables)
        async with serving("asyncio", "diadem", folder) as server:
            return (
                f"restart with {tables} unfinished tables of {ENTRIES} entries:"
                f" {server.seconds:.2f} s, {server.seconds / tables * 1e3:.1f} ms a table"
            )


async def _leave_behind(folder: Path, tables: int) -> None:
    """A journal as a server leaves it that was ended in the midst of all that."""
    kept = SqliteJournal(folder)
    kept.start()
    for number in range(tables):
        code, seed = f"T{number}", number.to_bytes(32, "big")
        changes: list[Change] = [NewTable(code, float(number), SETUP, seed, GAME.version)]
        for at, step in enumerate(play_out(SETUP, ["zombie"] * PLAYERS, seed), start=1):
            if at > ENTRIES:
                break
            row = EntryRow(at, step.entry, None, None, digest(step.match))
            changes.append(NewEntry(code, row))
        await kept.write(*changes)
    kept.close()


def run() -> Iterator[str]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    keep_room_for_reads()
    loops = ["asyncio", *(["uvloop"] if importlib.util.find_spec("uvloop") else [])]
    for loop in loops:
        for tables in TABLES:
            yield asyncio.run(moves(loop, tables))
    yield from asyncio.run(_all(crowd("asyncio")))
    yield asyncio.run(restart(UNFINISHED))


async def _all(lines: AsyncIterator[str]) -> list[str]:
    return [line async for line in lines]


if __name__ == "__main__":
    for told in run():
        print(told, flush=True)
