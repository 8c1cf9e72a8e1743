"""Backpressure on whoever sends: what a server does not read stays with the system, which slows the sender."""

import asyncio

PAUSE_SECONDS = 0.01
"""In which nothing is read, after a read that found as much as it could take."""


class Backpressure:
    """Whether one transport is read just now."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self.is_held = False
        """Nothing is read until it is released."""

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

    def release(self) -> None:
        self.is_held = False
        self._update()

    async def held(self) -> None:
        """Returns once nothing comes any more that was read before it was held."""

    def _update(self) -> None:
        if self._transport.is_closing():
            return
        if self._pause is not None or self.is_held:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def stop(self) -> None:
        """The transport is gone."""
        if self._pause is not None:
            self._pause.cancel()
