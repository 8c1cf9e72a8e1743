"""Grace periods: for how long each player who is away is waited for."""

import asyncio
from collections.abc import Callable


class GracePeriods:
    def __init__(self, expired: Callable[[int], None]) -> None:
        """`expired` is called with a session whose time is up; it counts as waited for until `end`."""
        self._expired = expired
        self._timers: dict[int, asyncio.TimerHandle] = {}

    def begin(self, session: int, seconds: float) -> None:
        self.end(session)
        loop = asyncio.get_running_loop()
        self._timers[session] = loop.call_later(seconds, self._expired, session)

    def end(self, session: int) -> None:
        if timer := self._timers.pop(session, None):
            timer.cancel()

    @property
    def sessions(self) -> list[int]:
        """Who is waited for."""
        return list(self._timers)

    def stop(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
