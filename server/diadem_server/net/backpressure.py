"""Backpressure on whoever sends: what a server does not read stays with the system, which slows the sender.

A connection that is held is read on for the sake of control frames: a client that waits for its table has its pings answered,
and a line that is lost is noticed. Messages that come meanwhile have to be kept, so that reading ends with a few of them.
"""

import asyncio

PAUSE_SECONDS = 0.01
"""In which nothing is read, after a read that found as much as it could take."""
MOST_KEPT = 256
"""Bytes of messages that come while a connection is held, from which on it is not read: some ten commands."""


class Backpressure:
    """Whether one transport is read just now."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self.is_held = False
        """Messages are kept until it is released, and few are read."""
        self._kept = 0
        """Bytes of messages that have come since it was held."""

    def pause(self) -> None:
        """For a moment."""
        if self._pause is None:
            self._pause = self._loop.call_later(PAUSE_SECONDS, self._end_pause)
            self._update()

    def _end_pause(self) -> None:
        self._pause = None
        self._update()

    def hold(self) -> None:
        self.is_held = True
        self._update()

    def keep(self, size: int) -> None:
        """A message of so many bytes has come while it is held."""
        self._kept += size
        self._update()

    def release(self) -> None:
        self.is_held, self._kept = False, 0
        self._update()

    async def held(self) -> None:
        """Returns at once: what comes from now on is kept by the conversation that goes on."""

    def _update(self) -> None:
        if self._transport.is_closing():
            return
        if self._pause is not None or (self.is_held and self._kept >= MOST_KEPT):
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def stop(self) -> None:
        """The transport is gone."""
        if self._pause is not None:
            self._pause.cancel()
