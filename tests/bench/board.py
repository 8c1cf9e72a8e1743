"""A key on the Diamino board, through a real terminal: processor time, bytes, and the first picture."""

import os
import pty
import select
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import ioctl
from itertools import product
from pathlib import Path
from statistics import median
from termios import TIOCSWINSZ

from msgspec import Struct

QUIET = 0.05
"""Seconds without a byte after which a screen is complete."""
ARROWS = [b"\x1b[C", b"\x1b[B", b"\x1b[D", b"\x1b[A"]
LETTERS = [b"e", b"n", b"\x7f", b"r", b"\x7f", b" ", b"\x7f", b"1"]
ROUNDS = 12
KEY_BYTES, KEY_MILLISECONDS, PICTURE_BYTES, START_MILLISECONDS = 400, 5, 4096, 600


def run() -> Iterator[str]:
    bare = min(_seconds("import textual.app") for _ in range(3))
    for size, theme in product(((80, 24), (110, 36)), ("textual-dark", "ansi-dark")):
        with terminal(size, theme) as screen:
            yield f"{size[0]}x{size[1]}, {theme}"
            start = screen.started * 1000
            yield (
                f"  first board      {start:6.0f} ms  ({start / START_MILLISECONDS:.2f} of the budget,"
                f" {screen.started / bare:.1f} x importing textual)"
            )
            for name, keys in (("arrow", ARROWS), ("tile or command", LETTERS)):
                yield f"  {name:<16} {screen.cost_of(keys * ROUNDS)}"
            repaint = screen.bytes_after(b"\x0c")
            yield f"  full repaint     {repaint:6} bytes  ({repaint / PICTURE_BYTES:.2f} of the budget)"
            before = screen.cpu()
            time.sleep(2)
            yield f"  two idle seconds {(screen.cpu() - before) * 1000:6.1f} ms of processor time"


class Cost(Struct):
    keys: int
    milliseconds: float
    sizes: list[int]

    def __str__(self) -> str:
        return (
            f"{self.milliseconds:6.2f} ms CPU ({self.milliseconds / KEY_MILLISECONDS:.2f} of the"
            f" budget), {median(self.sizes):.0f} bytes, {max(self.sizes)} at most"
            f" ({max(self.sizes) / KEY_BYTES:.2f})"
        )


class Screen:
    def __init__(self, process: subprocess.Popen[bytes], line: int) -> None:
        self._process = process
        self._line = line
        begun = time.monotonic()
        painted = b""
        while b"Hand" not in painted:
            painted += self._read(10)
        self.started = time.monotonic() - begun
        self._settle()

    def cost_of(self, keys: list[bytes]) -> Cost:
        before = self.cpu()
        sizes = [self.bytes_after(key) for key in keys]
        return Cost(len(keys), (self.cpu() - before) * 1000 / len(keys), sizes)

    def bytes_after(self, key: bytes) -> int:
        os.write(self._line, key)
        return self._settle()

    def cpu(self) -> float:
        """Seconds of processor time so far, of all threads."""
        tasks = Path(f"/proc/{self._process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def _settle(self) -> int:
        size = 0
        while found := self._read(QUIET):
            size += len(found)
        return size

    def _read(self, seconds: float) -> bytes:
        if not select.select([self._line], [], [], seconds)[0]:
            return b""
        return os.read(self._line, 1 << 16)


@contextmanager
def terminal(size: tuple[int, int], theme: str) -> Iterator[Screen]:
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench._board_app", theme],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLORTERM": ""},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Screen(process, ours)
    finally:
        with suppress(OSError):
            os.write(ours, b"\x11")
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
        os.close(ours)


def _seconds(code: str) -> float:
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.monotonic() - begun
