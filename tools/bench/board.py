"""The client at a table, through a real terminal: first picture, keys, repaint, idling, memory.

The server is another process; what is measured is the client alone. Budgets are counts and ratios, for a terminal of 80x24
with 256 colours: the median of bytes, megabytes, and the processor time of the first screen in that of importing Textual,
taken right before it. A key is over once client and server have both slept for a moment and nothing was written: a machine that
is busy with other things makes this take longer, and bytes are told by it all the same. Milliseconds of processor time are told
without a verdict, as they depend on the machine and what else it does: those of the round in the middle, of several in which
the same keys are pressed.
"""

import os
import pty
import re
import select
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from fcntl import ioctl
from itertools import pairwise
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from termios import TIOCSWINSZ

from msgspec import Struct

from tests.patience import PATIENCE

QUIET, SHOWN = 0.05, 1.2
"""Seconds of sleep without a byte after which a screen is complete, and after which nothing waits to be shown."""
LOOK = 0.005
"""Seconds between two looks at who sleeps."""
SMALL, LARGE = (80, 24), (110, 36)
ARROWS = (b"\x1b[C", b"\x1b[B", b"\x1b[D", b"\x1b[A") * 2
REPAINT = b"\x0c"
ROUNDS = 5
IDLE_SECONDS = 3
MOVES = 5
KEY_BYTES, PICTURE_BYTES, MEGABYTES = 200, 7168, 48
START_RATIO = 2.5
"""The processor time of the first screen, in that of importing Textual."""
AS_INSTALLED = {"PYTHONDONTWRITEBYTECODE": ""}
"""Compiled once, not at every start."""


class Case(Struct, frozen=True):
    game: str
    seats: int
    size: tuple[int, int] = SMALL
    theme: str = "dark"
    colours: str = ""
    """What the terminal says of itself in COLORTERM."""

    @property
    def has_budgets(self) -> bool:
        return self.size == SMALL and not self.colours

    def __str__(self) -> str:
        width, height = self.size
        parts = [self.game, f"{self.seats} players", f"{width}x{height}", self.theme, self.colours]
        return ", ".join(filter(None, parts))


CASES = (
    Case("diamino-bonus", 2),
    Case("diamino-bonus", 2, colours="truecolor"),
    Case("diamino-bonus", 2, theme="terminal"),
    Case("diamino-bonus", 2, theme="light"),
    Case("diamino-bonus", 2, LARGE),
    Case("diamino-rummy", 2),
    Case("diamino-rummy", 8),
    Case("diadingo", 8),
    Case("diamoniak", 4),
)


def run() -> Iterator[str]:
    with at_table(CASES[0]):
        pass  # now everything is compiled, as it is wherever the client has run before
    for case in CASES:
        bare = min(_processor_seconds("import textual.app") for _ in range(3))
        with at_table(case) as (screen, hand, table):
            yield f"{case}{'' if case.has_budgets else ' (no budgets)'}"
            within = told_within if case.has_budgets else told
            yield (
                f"  first screen     {within(screen.start / bare, START_RATIO, 'x importing textual')};"
                f" {screen.start * 1000:.0f} ms; there after {screen.started:.2f} s"
            )
            wakes, idle = screen.idling(IDLE_SECONDS)
            for name, keys in keys_of(case, hand):
                cost = screen.cost_of(keys, idle)
                yield (
                    f"  {name:<16} {cost.milliseconds:7.2f} ms;"
                    f" {within(median(cost.sizes), KEY_BYTES, 'bytes')};"
                    f" {max(cost.sizes)} bytes at most"
                )
            yield f"  step of a move   {moves_shown(screen, table)}"
            cost = screen.cost_of([REPAINT], idle)
            yield (
                f"  full repaint     {cost.milliseconds:7.2f} ms;"
                f" {within(median(cost.sizes), PICTURE_BYTES, 'bytes')}"
            )
            yield (f"  idle             {idle * 1000:7.2f} ms a second, woken {wakes:.0f} times")
            yield f"  memory           {within(screen.resident(), MEGABYTES, 'MB')}"


def told(value: float, _budget: float, unit: str) -> str:
    return f"{value:7.0f} {unit}" if unit == "bytes" else f"{value:7.2f} {unit}"


def told_within(value: float, budget: float, unit: str) -> str:
    verdict = "ok" if value <= budget else f"OVER by {value / budget - 1:.0%}"
    return f"{told(value, budget, unit)} of {budget} {verdict}"


def moves_shown(screen: "Screen", table: subprocess.Popen[bytes]) -> str:
    """What is told after moves of anybody: each frame, and the table as it is then, is a step."""
    sizes: list[int] = []
    screen.settle()
    before = screen.cpu()
    for _ in range(MOVES):
        assert table.stdin is not None
        table.stdin.write(b"\n")
        table.stdin.flush()
        sizes += screen.steps()
    milliseconds = (screen.cpu() - before) * 1000 / len(sizes)
    return (
        f"{milliseconds:6.2f} ms CPU, {median(sizes):.0f} bytes, {max(sizes)} at most;"
        f" {len(sizes) / MOVES:.1f} steps a move"
    )


def keys_of(case: Case, hand: str) -> Iterator[tuple[str, Sequence[bytes]]]:
    yield "arrow", ARROWS
    if hand:
        first, second, last = (hand[at].lower().encode() for at in (1, len(hand) // 2, -1))
        back, remove = b"\x7f", b"\x1b[3~"
        tiles = (first, second, back, last, back, b" ", back, b".", remove, first, b"3")
        commands = (b"1", b"5", b"2", b"3", b"4", second, last, back, b"4", b"+", b"-", b"\r")
        yield "tile or command", tiles + commands
    elif case.game == "diadingo":
        yield "aim or command", (b"c", b"4", b"f", b"1", b"0")
    else:
        yield "command", (b"p", b"b", b"f", b" ")


class Cost(Struct):
    milliseconds: float
    """Of processor time, a key in the middle one of the rounds, less what idling takes in that time: a thread of Textual's looks
    ten times a second whether an escape was a key of its own."""
    sizes: list[int]


class Screen:
    def __init__(self, process: subprocess.Popen[bytes], line: int, server: int) -> None:
        self._process = process
        self._line = line
        self._awaited = process.pid, server
        self._read_since = b""
        begun = time.monotonic()
        self.reads(b"Your name")
        self.started = time.monotonic() - begun
        self.start = self.cpu()

    def reads(self, words: bytes) -> None:
        while words not in self._read_since:
            some = self._read(PATIENCE)
            if not some:
                raise TimeoutError(f"waited in vain for {words!r}: {self._read_since[-500:]!r}")
            self._read_since += some

    def cost_of(self, keys: Sequence[bytes], idle: float) -> Cost:
        """`idle`: seconds of processor time in a second without any."""
        self.settle()
        spent, sizes = [self.cpu() - idle * time.monotonic()], list[int]()
        for _ in range(ROUNDS):
            sizes += map(self.bytes_after, keys)
            spent.append(self.cpu() - idle * time.monotonic())
        rounds = (after - before for before, after in pairwise(spent))
        return Cost(median(rounds) * 1000 / len(keys), sizes)

    def bytes_after(self, key: bytes) -> int:
        os.write(self._line, key)
        return self.settle()

    def steps(self) -> list[int]:
        """The sizes of what comes until nothing waits to be shown, parted where nothing comes for a moment."""
        sizes: list[int] = []
        last = time.monotonic()
        while time.monotonic() - last < SHOWN:
            if size := self.settle():
                sizes.append(size)
                last = time.monotonic()
        return sizes

    def idling(self, seconds: float) -> tuple[float, float]:
        """How often it wakes in a second, and the seconds of processor time it takes in one."""
        self.settle(SHOWN)
        wakes, cpu = self._wakes(), self.cpu()
        time.sleep(seconds)
        return (self._wakes() - wakes) / seconds, (self.cpu() - cpu) / seconds

    def cpu(self) -> float:
        """Seconds of processor time so far, of all threads."""
        threads = _of_threads(self._process.pid, "schedstat")
        return sum(int(each.split()[0]) for each in threads) / 1e9

    def resident(self) -> float:
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def settle(self, quiet: float = QUIET) -> int:
        """Read until client and server have slept so long; how many bytes came."""
        size, end, since = 0, time.monotonic() + PATIENCE, time.monotonic()
        while time.monotonic() - since < quiet:
            found = self._read(LOOK)
            size += len(found)
            if found or not all(map(_sleeps, self._awaited)):
                since = time.monotonic()
            if since > end:
                raise TimeoutError("the client is never at rest")
        return size

    def _wakes(self) -> int:
        threads = _of_threads(self._process.pid, "status")
        found = (re.search(r"^voluntary.*?(\d+)", each, re.MULTILINE) for each in threads)
        return sum(int(each[1]) for each in found if each)

    def _read(self, seconds: float) -> bytes:
        if not select.select([self._line], [], [], seconds)[0]:
            return b""
        return os.read(self._line, 1 << 16)


@contextmanager
def at_table(case: Case) -> Iterator[tuple[Screen, str, subprocess.Popen[bytes]]]:
    """A client at a table where it is the player's turn, what they hold, and the table."""
    with TemporaryDirectory() as home, serving(case, home) as table:
        port, code = _line(table).split()
        settings = Path(home, "diadem", "client.json")
        settings.parent.mkdir()
        settings.write_text(f'{{"theme": "{case.theme}"}}')
        where = ["--host", f"127.0.0.1:{port}", "--table", code, "--name", "Ana", "--lang", "en"]
        with terminal(case, home, where, table.pid) as screen:
            hand = _line(table)
            screen.reads(b"YOUR TURN")
            screen.settle(SHOWN)
            yield screen, hand, table


@contextmanager
def serving(case: Case, home: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tools.bench._table", case.game, str(case.seats), home]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def terminal(case: Case, home: str, arguments: Sequence[str], server: int) -> Iterator[Screen]:
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", case.size[1], case.size[0], 0, 0))
    folders = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), home)
    terminal = {"TERM": "xterm-256color", "COLORTERM": case.colours, "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        [sys.executable, "-c", "from diadem_client.cli import main; main()", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, **folders, **terminal, **AS_INSTALLED},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Screen(process, ours, server)
    finally:
        with suppress(OSError):
            os.write(ours, b"\x11")
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
        os.close(ours)


def _line(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().decode().strip()


def _of_threads(process: int, file: str) -> Iterator[str]:
    for task in Path(f"/proc/{process}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            yield (task / file).read_text()


def _sleeps(process: int) -> bool:
    """Whether none of its threads runs, or waits for a processor that others have."""
    states = (each.rpartition(") ")[2][:1] for each in _of_threads(process, "stat"))
    return all(state == "S" for state in states)


def _processor_seconds(code: str) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | AS_INSTALLED)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
