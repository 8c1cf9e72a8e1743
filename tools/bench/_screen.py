"""A program on a terminal of its own, as its player has it: 80 by 24."""

import os
import pty
import select
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import ioctl
from termios import TIOCSWINSZ
from time import perf_counter

QUIET = 0.05
"""Seconds without a byte after which a screen is complete."""


class Screen:
    def __init__(self, process: int, line: int) -> None:
        self.process = process
        self._line = line

    def press(self, key: bytes) -> None:
        self.settle()
        self.send(key)

    def send(self, key: bytes) -> None:
        os.write(self._line, key)

    def settle(self) -> int:
        """Read until nothing more comes: how many bytes that were."""
        read = 0
        while some := self._read(QUIET):
            read += len(some)
        return read

    def reads(self, *words: bytes) -> bytes:
        """Wait for one of these; which it was."""
        said = self.all_until(*words)
        return next(each for each in words if each in said)

    def all_until(self, *words: bytes) -> bytes:
        """Wait for one of these; all that came."""
        said = b""
        while not any(each in said for each in words):
            some = self._read(20)
            assert some, f"waited in vain for {words!r}: {said[-500:]!r}"
            said += some
        return said

    def time_of(self, key: bytes) -> float:
        """Seconds until the first of what changes on the screen has come."""
        self.press(key)
        begun = perf_counter()
        assert self._read(20)
        return perf_counter() - begun

    def _read(self, seconds: float) -> bytes:
        if not select.select([self._line], [], [], seconds)[0]:
            return b""
        return os.read(self._line, 1 << 16)


@contextmanager
def on_a_terminal(*command: str, **environment: str) -> Iterator[Screen]:
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Screen(process.pid, ours)
    finally:
        os.close(ours)
        with suppress(ProcessLookupError):
            process.terminate()
        process.wait()
