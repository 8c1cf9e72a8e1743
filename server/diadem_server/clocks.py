"""Whose time is running at one table, and when it is up. Monotonic: no change of the clock matters."""

import asyncio
from collections.abc import Callable, Sequence

from diadem.entries import Entry, GameClock, OfSeat, Returned, Started, TakenOver, TurnClock
from diadem.game import Seat
from diadem.match import Match


class Clocks:
    def __init__(self, time_up: Callable[[], None]) -> None:
        self._time_up = time_up
        self._since: dict[Seat, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._match: Match | None = None
        self._held: set[Seat] = set()

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def follow(self, match: Match, entry: Entry | None) -> None:
        """Look at the table after an entry: who has begun to think, who has ceased to.

        Whoever the entry was about has the time anew, if it is still her turn; but nobody gains any
        by handing the seat to a bot and taking it back.
        """
        self._match = match
        now = self._now
        if isinstance(entry, OfSeat) and not isinstance(entry, TakenOver | Returned):
            self._since.pop(entry.seat, None)
        elif isinstance(entry, Started):
            self._since = {}
        self._since = {seat: self._since.get(seat, now) for seat in match.actors}
        self._set_timer()

    def hold(self, seat: Seat) -> None:
        """This seat's time does not run before its player has come back to a server restarted."""
        self._held.add(seat)

    def release(self, seat: Seat) -> None:
        if seat in self._held:
            self._held.remove(seat)
            self._since.pop(seat, None)
            if self._match is not None:
                self.follow(self._match, None)

    def spent(self, seat: Seat) -> int:
        """Milliseconds this seat has been thinking."""
        since = None if seat in self._held else self._since.get(seat)
        return 0 if since is None else int((self._now - since) * 1000)

    def left(self) -> int | None:
        """Milliseconds until somebody's time is up."""
        deadline = self._deadline()
        return None if deadline is None else max(0, int((deadline - self._now) * 1000))

    def overdue(self) -> Sequence[Seat]:
        """The seats whose time is up."""
        now = self._now
        return [seat for seat in self._since if self._is_over(seat, now)]

    def _is_over(self, seat: Seat, now: float) -> bool:
        deadline = self._deadline_of(seat)
        return deadline is not None and deadline <= now

    def stop(self) -> None:
        self._since = {}
        if self._timer:
            self._timer.cancel()

    def _set_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        deadline = self._deadline()
        if deadline is not None:
            self._timer = asyncio.get_running_loop().call_at(deadline, self._time_up)

    def _deadline(self) -> float | None:
        deadlines = [at for seat in self._since if (at := self._deadline_of(seat)) is not None]
        return min(deadlines, default=None)

    def _deadline_of(self, seat: Seat) -> float | None:
        if self._match is None:
            return None
        since = self._since[seat]
        rules = self._match.game.patience(self._match.game.public(self._match.state))
        if rules is not None:
            return since + rules
        if seat in self._held or self._match.players[seat].played_by:
            return None
        match self._match.setup.clock:
            case TurnClock(seconds):
                return since + seconds
            case GameClock():
                return since + self._match.left[seat] / 1000
            case _:
                return None
