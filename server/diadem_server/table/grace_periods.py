"""Grace periods: for how long each player who is away is waited for."""

import asyncio
from collections.abc import Callable

from diadem_shared.lesson import is_lesson
from diadem_shared.match import Match, Phase

BEFORE_THE_START = 120
"""Seconds a seat is kept for who is away, at a table that otherwise would wait for ever."""
AFTER_THE_END = 120
"""Seconds a finished table is kept for players who have lost the connection, and have not seen how it ended."""


def grace_seconds(match: Match) -> int | None:
    """Seconds for which somebody who is away is waited for; None for ever."""
    if match.phase is Phase.GATHERING or is_lesson(match.setup):
        return match.setup.patience or BEFORE_THE_START
    return AFTER_THE_END if match.phase is Phase.OVER else match.setup.patience


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
