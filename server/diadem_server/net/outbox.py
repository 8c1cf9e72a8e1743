"""What waits to be sent to one client, and never more than it should.

Messages of one turn of the loop are written together. While the socket takes nothing (backpressure), they wait here, and
a view that has not been written yet is replaced by a newer one: a slow reader misses what lay between, and
nothing grows. Whoever reads nothing for long is disconnected; the seat is kept.
"""

import asyncio
import itertools
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from diadem_server.sessions.outbox import Going

log = logging.getLogger(__name__)

HIGH_WATER = 64 * 1024
"""Bytes waiting in the socket from which on messages are held back."""
MOST_WAITING = 1024 * 1024
"""Bytes beyond which a client is disconnected."""
STALLED_SECONDS = 30.0
"""For which a client may leave the socket full."""


class Stream(Protocol):
    """Where messages are written to."""

    @property
    def unsent(self) -> int:
        """Bytes that were written, and that the system has not taken yet."""

    def write(self, messages: Sequence[bytes]) -> None: ...
    def close(self, code: int, reason: str) -> None: ...
    def abort(self) -> None: ...


class Flusher:
    """Flushes all outboxes that were filled in one turn of the loop, at its end. A callback for each would take longer."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._filled: list[Outbox] = []

    def add(self, outbox: "Outbox") -> None:
        if not self._filled:
            self._loop.call_soon(self._flush)
        self._filled.append(outbox)

    def _flush(self) -> None:
        filled, self._filled = self._filled, []
        for outbox in filled:
            outbox.flush()


class Outbox:
    def __init__(self, stream: Stream, flusher: Flusher) -> None:
        self.stream = stream
        self._flusher = flusher
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[int | str, bytes] = {}
        """In order; an offer that may be replaced by its kind, all else by a number."""
        self._numbers = itertools.count()
        self._size = 0
        """Bytes of what is waiting."""
        self._is_due = False
        """It will be flushed at the end of this turn of the loop."""
        self._stalled: asyncio.TimerHandle | None = None
        """Disconnects a client that leaves the socket full; None while it is not."""
        self._is_closed = False
        self.holder: Callable[[], Going | None] = lambda: None
        """Holds the conversation that this belongs to."""

    def send(self, message: bytes) -> None:
        """Answers, chat and the like: all of them, in order."""
        self._add(next(self._numbers), message)

    def offer(self, kind: str, message: bytes) -> None:
        """What the next of its kind replaces, should this one still wait by then."""
        if self._stalled is None:
            self.send(message)
            return
        self._size -= len(self._waiting.pop(kind, b""))
        self._add(kind, message)

    def _add(self, key: int | str, message: bytes) -> None:
        if self._is_closed:
            return
        self._waiting[key] = message
        self._size += len(message)
        if self._stalled is not None:
            if self._size + self.stream.unsent > MOST_WAITING:
                self._give_up()
        elif not self._is_due:
            self._is_due = True
            self._flusher.add(self)

    def flush(self) -> None:
        self._is_due = False
        if self._stalled is not None or not self._waiting:
            return
        try:
            self.stream.write(self.take())
        except Exception:
            log.exception("nothing can be sent to a client")
            self._give_up()

    def take(self) -> list[bytes]:
        """All that waits, to be written by whoever takes it."""
        messages = list(self._waiting.values())
        self._waiting.clear()
        self._size = 0
        return messages

    def pause(self) -> None:
        """The socket is full."""
        if self._stalled is None and not self._is_closed:
            self._stalled = self._loop.call_later(STALLED_SECONDS, self._give_up)

    @property
    def is_paused(self) -> bool:
        return self._stalled is not None

    def succeed(self, older: "Outbox") -> None:
        """Send what still waits there; nothing is sent by that one any more."""
        for message in older.take():
            self.send(message)
        if older.is_paused:
            self.pause()
        older.close()

    def resume(self) -> None:
        """It takes more."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        self.flush()

    def hold(self) -> Going | None:
        return self.holder()

    def disconnect(self, code: int, reason: str) -> None:
        self.stream.close(code, reason)

    def _give_up(self) -> None:
        self.close()
        self.stream.abort()

    def close(self) -> None:
        """Nothing is sent any more."""
        self._is_closed = True
        self._waiting.clear()
        if self._stalled is not None:
            self._stalled.cancel()
