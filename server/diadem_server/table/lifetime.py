"""When a table ends by itself. Nothing goes on for ever that nobody plays at or looks at."""

import asyncio
from collections.abc import Callable
from enum import Enum, auto

from diadem_server.table.seating import Seating
from diadem_shared.match import Match, Phase

EXPIRY_SECONDS = 7 * 24 * 60 * 60.0
"""After which a match that nobody has come to ends, although somebody may still come back to it."""
EXPIRY_AFTER_RESTART = 60 * 60.0
"""Seconds that are left for coming back to a table when the server was started again."""
ABANDONED_SECONDS = 3 * 60.0
"""After which a match ends that all have given up and nobody looks at."""
TOO_LONG_SECONDS = 1.0
"""After which a match ends that has as many entries as one may have."""
DEAL_ON_SECONDS = 10.0
"""After which bots among themselves begin their next round, where somebody looks on."""


class Due(Enum):
    """What a table does by itself after a while."""

    DEAL = auto()
    END = auto()
    """The match ends where it stands."""


class Lifetime:
    def __init__(
        self,
        seating: Seating,
        time_up: Callable[[], None],
        is_too_long: Callable[[Match], bool],
    ) -> None:
        """`time_up` is called when something is due; see `take_due`."""
        self._seating = seating
        self._is_too_long = is_too_long
        self._time_up = time_up
        self._loop = asyncio.get_running_loop()
        self._last_seen = self._loop.time()
        """When there was a person at the table."""
        self._was_watched = False
        self._due: Due | None = None
        self._timer: asyncio.TimerHandle | None = None

    def follow(self, match: Match) -> None:
        """Look at the table whenever something was done there: what is to be done by itself, and when."""
        is_watched = bool(self._seating.viewers)
        if is_watched or self._was_watched:  # or has been until now
            self._last_seen = self._loop.time()
        self._was_watched = is_watched
        due, seconds = self._what_is_due(match)
        if due == self._due:
            return
        self.stop()
        self._due = due
        if due is not None:
            self._timer = self._loop.call_later(seconds, self._timer_ends)

    def stop(self) -> None:
        self._due = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def take_due(self) -> Due | None:
        """What is to be done now, unless somebody came before. What cannot be written is due again
        after the same time."""
        if self._timer is not None:
            return None
        due, self._due = self._due, None
        return due

    def unseen_for(self, seconds: float) -> None:
        """At a table taken up again, at which nobody was seen for so long; less than nothing if the clock was put
        back."""
        most = EXPIRY_SECONDS - EXPIRY_AFTER_RESTART
        self._last_seen = self._loop.time() - min(max(seconds, 0.0), most)

    def has_expired(self, match: Match) -> bool:
        """Whether nobody has come to a match that runs for very long."""
        unseen = self._loop.time() - self._last_seen
        runs = match.phase in {Phase.PLAYING, Phase.BETWEEN}
        return runs and not self._seating.viewers and unseen > EXPIRY_SECONDS

    def _timer_ends(self) -> None:
        self._timer = None
        self._time_up()

    def _what_is_due(self, match: Match) -> tuple[Due | None, float]:
        seating = self._seating
        if match.phase in {Phase.PLAYING, Phase.BETWEEN} and self._is_too_long(match):
            return Due.END, TOO_LONG_SECONDS
        if match.phase is Phase.PLAYING and not seating.viewers and not seating.owned:
            return Due.END, ABANDONED_SECONDS
        if match.phase is Phase.BETWEEN and not seating.playing(match.players):
            if seating.viewers:
                return Due.DEAL, DEAL_ON_SECONDS
            if seating.all_were_left:
                return Due.END, ABANDONED_SECONDS
        return None, 0.0
