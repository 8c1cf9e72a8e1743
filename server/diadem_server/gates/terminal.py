"""A pty of this machine, and the bytes between it and a remote player."""

import asyncio
import fcntl
import os
import re
import struct
import termios
from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol

from diadem_server.limits.rate_limits import Bucket

WIDTH, HEIGHT = 80, 24
"""The size of a terminal that does not tell its size."""
WIDEST, HIGHEST = 500, 200
RESIZE_SECONDS = 0.2
"""Seconds over which changes of size are debounced; a client repaints everything for each."""
CHUNK = 1 << 16
KEYS_A_SECOND, KEYS_AT_ONCE = 2 * 1024, 16 * 1024
"""The rate limit of typed and pasted bytes, and its burst; a client needs some 100 us a key."""
HANDED_AT_ONCE = 1024

ALLOWED = re.compile(r"COLORTERM|LANG|LC_[A-Z]+|NO_COLOR")
"""Environment variables that players may set; TERM is sent separately."""
HARMLESS = re.compile(r"[A-Za-z0-9_.,@:+/-]{1,64}")
ANY_TERMINAL = "xterm-256color"
OURS = ("PATH", "HOME", "TMPDIR", "TZ")

# Leave the alternate screen, show the cursor, end mouse reports, bracketed paste and key protocols.
RESTORE = (
    b"\x1b[?1049l\x1b[?25h\x1b[?7h\x1b[0m\x1b[<u"
    b"\x1b[?1000l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?2048l"
)
"""Restores a terminal whose program could not restore it itself."""


class Channel(Protocol):
    """The way to the player, and how fast they may send."""

    def write(self, data: bytes) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...


def environment(term: str, sent: Mapping[str, str]) -> dict[str, str]:
    """The environment of a client: what the player's terminal says, and the little that Python needs."""
    told = {
        name: value
        for name, value in sent.items()
        if ALLOWED.fullmatch(name) and HARMLESS.fullmatch(value)
    }
    ours = {name: os.environ[name] for name in OURS if name in os.environ}
    return ours | told | {"TERM": term if HARMLESS.fullmatch(term) else ANY_TERMINAL}


class Terminal:
    """A pseudo-terminal with backpressure both ways: nothing is buffered for a side that does not read."""

    def __init__(self, channel: Channel, size: tuple[int, int]) -> None:
        self._channel = channel
        self._ours, self.theirs = os.openpty()
        os.set_blocking(self._ours, False)
        self._pending = b""
        self._reads = False
        self._is_open = True
        self.is_drained = asyncio.Event()
        """Set when all of the program's output has been read."""
        self._loop = asyncio.get_running_loop()
        self._keys = Bucket(KEYS_A_SECOND, KEYS_AT_ONCE)
        self._next_push: asyncio.TimerHandle | None = None
        self._size = size
        self._next_resize: asyncio.TimerHandle | None = None
        self._resize()
        self._disable_echo()
        self.resume()

    def _disable_echo(self) -> None:
        """Turn off echo and signals for keys that are typed before the client reads them."""
        modes = termios.tcgetattr(self.theirs)
        modes[3] &= ~(termios.ECHO | termios.ISIG)
        termios.tcsetattr(self.theirs, termios.TCSANOW, modes)

    def hand_over(self) -> None:
        """Close our descriptor of the program's side, once the program has its own."""
        os.close(self.theirs)

    def resize(self, width: int, height: int) -> None:
        self._size = width, height
        if self._next_resize is None and self._is_open:
            self._resize()
            self._next_resize = self._loop.call_later(
                RESIZE_SECONDS, self._resize_again, self._size
            )

    def _resize_again(self, before: tuple[int, int]) -> None:
        self._next_resize = None
        if self._size != before:
            self.resize(*self._size)

    def _resize(self) -> None:
        width, height = self._size
        size = min(height or HEIGHT, HIGHEST), min(width or WIDTH, WIDEST)
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))

    # To the player

    def pause(self) -> None:
        if self._reads:
            self._reads = False
            self._loop.remove_reader(self._ours)

    def resume(self) -> None:
        if not self._reads and self._is_open and not self.is_drained.is_set():
            self._reads = True
            self._loop.add_reader(self._ours, self._pull)

    def _pull(self) -> None:
        try:
            said = os.read(self._ours, CHUNK)
        except BlockingIOError:
            return
        except OSError:  # EIO: the program has closed its side
            said = b""
        with suppress(BrokenPipeError):  # the player is gone; the pty is hung up soon
            self._channel.write(said)
        if not said:
            self.pause()
            self.is_drained.set()

    # From the player

    def feed(self, typed: bytes) -> None:
        """Pass typed bytes on, throttled, as fast as the program reads them."""
        if self._is_open:
            self._pending += typed
            if self._next_push is None:
                self._push()

    def _push(self) -> None:
        self._next_push = None
        self._loop.remove_writer(self._ours)
        try:
            taken = os.write(self._ours, self._pending[:HANDED_AT_ONCE])
        except BlockingIOError:
            self._channel.pause_reading()
            self._loop.add_writer(self._ours, self._push)
            return
        except OSError:  # the program has closed its side
            taken = len(self._pending)
        self._pending = self._pending[taken:]
        wait = self._keys.spend(taken)
        if self._pending or wait:
            self._channel.pause_reading()
            self._next_push = self._loop.call_later(wait, self._push)
        else:
            self._channel.resume_reading()

    def hang_up(self) -> None:
        if self._is_open:
            self.pause()
            self._loop.remove_writer(self._ours)
            for timer in (self._next_push, self._next_resize):
                if timer is not None:
                    timer.cancel()
            self._is_open = False
            self.is_drained.set()
            os.close(self._ours)
