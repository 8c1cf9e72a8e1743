"""Whose time is running at one table, and when it is up. Monotonic: no change of the clock matters."""

import asyncio
from collections.abc import Callable, Sequence

from diadem_shared.entries import (
    Entry,
    GameClock,
    Hinted,
    NoClock,
    OfSeat,
    Returned,
    Started,
    TakenOver,
    TurnClock,
)
from diadem_shared.game import Seat
from diadem_shared.match import Match

NO_NEW_TIME = (Hinted, TakenOver, Returned)
"""Entries by which nobody gains time."""


class Clocks:
    def __init__(self, time_up: Callable[[], None]) -> None:
        self._time_up = time_up
        self._loop = asyncio.get_running_loop()
        self._since: dict[Seat, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._match: Match | None = None
        self._deadlines: dict[Seat, float] = {}
        """When time is up for those who have not for ever."""
        self._held: set[Seat] = set()
        self.by_rules: int | None = None
        """Seconds that the rules give to whom they wait for, to judge a play; None in a turn."""

    @property
    def now(self) -> float:
        """The time of the event loop, by which deadlines are measured."""
        return self._loop.time()

    def follow(self, match: Match, entry: Entry | None, actors: Sequence[Seat]) -> None:
        """Look at the table after an entry: who has begun to think, who has ceased to.

        Whoever the entry was about has the time anew, if it is still their turn; but nobody gains any
        by handing the seat to a bot and taking it back.
        """
        self._match = match
        now = self.now
        if isinstance(entry, OfSeat) and not isinstance(entry, NO_NEW_TIME):
            self._since.pop(entry.seat, None)
        by_rules = _by_rules(match) if actors else None
        if isinstance(entry, Started) or by_rules != self.by_rules:
            self._since = {}  # a turn is another thing to wait for than a vote, of the same seat too
        self.by_rules = by_rules
        self._since = {seat: self._since.get(seat, now) for seat in actors}
        self._deadlines = self._reckoned(match)
        self._set_timer()

    def hold(self, seat: Seat) -> None:
        """This seat's time does not run before its player has come back to a server restarted."""
        self._held.add(seat)

    def release(self, seat: Seat) -> None:
        if seat in self._held:
            self._held.remove(seat)
            self._since.pop(seat, None)
            if self._match is not None:
                self.follow(self._match, None, self._match.actors)

    def spent(self, seat: Seat) -> int:
        """Milliseconds this seat has been thinking."""
        since = None if seat in self._held else self._since.get(seat)
        return 0 if since is None else int((self.now - since) * 1000)

    def left(self) -> int | None:
        """Milliseconds until somebody's time is up."""
        if not self._deadlines:
            return None
        return max(0, int((min(self._deadlines.values()) - self.now) * 1000))

    def overdue(self) -> Sequence[Seat]:
        """The seats whose time is up."""
        now = self.now
        return [seat for seat, deadline in self._deadlines.items() if deadline <= now]

    def stop(self) -> None:
        self._since, self._deadlines = {}, {}
        if self._timer:
            self._timer.cancel()

    def _set_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._deadlines:
            deadline = min(self._deadlines.values())
            self._timer = self._loop.call_at(deadline, self._time_up)

    def _reckoned(self, match: Match) -> dict[Seat, float]:
        if not self._since:
            return {}
        if self.by_rules is not None:
            return {seat: since + self.by_rules for seat, since in self._since.items()}
        clock = match.setup.clock
        if isinstance(clock, NoClock):
            return {}
        return {
            seat: since + _seconds(match, clock, seat)
            for seat, since in self._since.items()
            if seat not in self._held and not match.players[seat].played_by
        }


def _by_rules(match: Match) -> int | None:
    return match.game.patience(match.game.public(match.state))


def _seconds(match: Match, clock: TurnClock | GameClock, seat: Seat) -> float:
    """For which this seat may think."""
    return clock.seconds if isinstance(clock, TurnClock) else match.left[seat] / 1000
