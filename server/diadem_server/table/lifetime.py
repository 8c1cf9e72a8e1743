"""When a table ends by itself. Nothing goes on for ever that nobody plays at or looks at."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from diadem.entries import Adjudicated
from diadem.match import Phase

if TYPE_CHECKING:
    from diadem_server.table.table import Table

Work = Callable[[], Awaitable[None]]

EXPIRY_SECONDS = 7 * 24 * 60 * 60.0
"""After which a match that nobody has come to ends, although somebody may still come back to it."""
EXPIRY_AFTER_RESTART = 60 * 60.0
"""Seconds that are left for coming back to a table when the server was started again."""
ABANDONED_SECONDS = 3 * 60.0
"""After which a match ends that all have given up and nobody looks at."""
DEAL_ON_SECONDS = 10.0
"""After which bots among themselves begin their next round, where somebody looks on."""


class Lifetime:
    def __init__(self, table: "Table") -> None:
        self._table = table
        self._last_seen = asyncio.get_running_loop().time()
        """When there was a person at the table."""
        self._was_watched = False
        self._due: Work | None = None
        self._timer: asyncio.TimerHandle | None = None

    def follow(self) -> None:
        """Look at the table whenever something was done there: what is to be done by itself, and when."""
        is_watched = bool(self._table.seating.viewers)
        if is_watched or self._was_watched:  # or has been until now
            self._last_seen = asyncio.get_running_loop().time()
        self._was_watched = is_watched
        due, seconds = self._what_is_due()
        if due == self._due:
            return
        self.stop()
        self._due = due
        if due is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._time_is_up)

    def stop(self) -> None:
        self._due = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def unseen_for(self, seconds: float) -> None:
        """At a table taken up again, at which nobody was seen for so long."""
        most = EXPIRY_SECONDS - EXPIRY_AFTER_RESTART
        self._last_seen = asyncio.get_running_loop().time() - min(seconds, most)

    @property
    def is_over(self) -> bool:
        """Nobody is here or coming, and nothing goes on."""
        match, seating = self._table.match, self._table.seating
        if seating.viewers:
            return False
        unclaimed = match.phase is Phase.GATHERING and not any(seating.owners)
        return unclaimed or (match.phase is Phase.OVER and not seating.is_waiting)

    @property
    def has_expired(self) -> bool:
        """Whether nobody has come to a match that runs for very long."""
        unseen = asyncio.get_running_loop().time() - self._last_seen
        runs = self._table.match.phase in {Phase.PLAYING, Phase.BETWEEN}
        return runs and not self._table.seating.viewers and unseen > EXPIRY_SECONDS

    async def end_if_expired(self) -> None:
        if self.has_expired:
            await self.end()

    async def end(self) -> None:
        """The match ends where it stands."""
        await self._table.enter(Adjudicated())

    def _time_is_up(self) -> None:
        self._timer = None
        self._table.post(self._do_what_is_due)

    async def _do_what_is_due(self) -> None:
        """Unless somebody came before. What cannot be written is due again after the same time."""
        if self._timer is None and self._due is not None:
            due, self._due = self._due, None
            await due()

    def _what_is_due(self) -> tuple[Work | None, float]:
        phase, seating = self._table.match.phase, self._table.seating
        if phase is Phase.PLAYING and not seating.viewers and not any(seating.owners):
            return self.end, ABANDONED_SECONDS
        if phase is Phase.BETWEEN and not any(map(seating.plays, range(len(seating.owners)))):
            if seating.viewers:
                return self._table.dealing.deal, DEAL_ON_SECONDS
            if all(map(seating.was_left, range(len(seating.owners)))):
                return self.end, ABANDONED_SECONDS
        return None, 0.0
