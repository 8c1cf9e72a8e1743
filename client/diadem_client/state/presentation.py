"""What of a table is shown: one entry after another, each for long enough to be seen.

Views come as fast as others play. They wait here, and everything on the screen (board, header, log, title,
bell) shows the table as of one and the same entry. No clock is read and no timer runs: who owns a
presentation says what time it is, and asks when something is due.
"""

from collections import deque
from collections.abc import Callable
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from diadem_client.state.client_state import KEPT_LINES, ClientState, TableState
from diadem_client.wording.match_events import UnknownEvent
from diadem_shared.entries import Started
from diadem_shared.match import Phase

PAUSES = {"slow": 1.2, "normal": 0.9, "fast": 0.6, "instant": 0.0}
"""Seconds for which a move is seen before the next, by the pace that the player has chosen."""
UNHURRIED = 3
"""So many entries wait without haste. Of more each is shown for less, and none of them moves."""
SHORTEST = 0.5
"""The part of its time that an entry is shown at least."""
MOST_WAITING = 24
"""What is older than these is not shown any more; the log tells it."""
END_OF_ROUND = 6.0
"""Seconds after the end of a round in which the next one is not begun to be shown."""

START_OF_ROUND = 2.0
"""Seconds in which a table is seen before anybody moves."""


class Motion(Struct, frozen=True):
    """How an entry is shown: seconds of each frame."""

    before: tuple[float, ...] = ()
    """Of those frames after which header and log, too, tell what happened."""
    after: tuple[float, ...] = ()
    look: float = 0.0
    """Seconds for which something is still marked afterwards. Nothing moves in them, and no key ends them."""


STILL = Motion()


class Frame(Struct, frozen=True):
    number: int
    """Counted from the first one before, and again from the first one after; the look is the last one."""
    coming: TableState | None = None
    """The table that is shown next, in the frames before it is."""


class Presentation:
    def __init__(
        self, motion_of: Callable[[TableState], Motion], pause: Callable[[], float]
    ) -> None:
        """`pause`: seconds for which an entry is shown at least before the next."""
        self.client_state = ClientState()
        """What is shown: the newest client state, but with the table as of an entry that may be an older one."""
        self.newest = ClientState()
        self.frame: Frame | None = None
        """What moves now; None where nothing does."""
        self._parts: tuple[ClientState, TableState | None] = self.newest, None
        """What the client state is put together of."""
        self._motion_of = motion_of
        self._pause = pause
        self._shown: TableState | None = None
        self._waiting: deque[TableState] = deque()
        """The entries to be shown next, the oldest first. One whose frames before run is still among them."""
        self._motion = STILL
        self._frame_ends = inf
        self._since = -inf
        """When the entry that is shown came into sight."""
        self._hold = 0.0
        """Seconds for which it stays there, if others wait."""
        self._hurried: tuple[int, ...] | None = None
        """Whose turn it is that the player wants to see the end of."""

    # When

    @property
    def due(self) -> float | None:
        """When `advance` has something to do; None for as long as nothing arrives."""
        due = self._frame_ends
        if self._waiting and not self._is_before:
            due = min(due, self._ready)
        return None if due == inf else due

    @property
    def longest_pause(self) -> float:
        """Seconds for which the player wants to wait for each move of others."""
        return self._pause() if self._hurried is None else 0.0

    @property
    def is_behind(self) -> bool:
        """Whether something is still to be shown."""
        return bool(self._waiting)

    @property
    def _is_before(self) -> bool:
        return self.frame is not None and self.frame.coming is not None

    @property
    def _ready(self) -> float:
        """When the next entry may begin."""
        haste = UNHURRIED / max(UNHURRIED, len(self._waiting))
        return self._since + self._hold * max(haste, SHORTEST)

    # What happens

    def take(self, client_state: ClientState, now: float) -> None:
        """A newer client state has arrived."""
        before, self.newest = self.newest.table, client_state
        table = client_state.table
        last = self._waiting[-1] if self._waiting else self._shown
        if table is None or last is None or not _follows(table, last):
            self._waiting.clear()
            self._hurried = None
            self._show(table, now)
        elif table.entry > last.entry:
            self._waiting.append(table)
            if self._is_urgent(table):
                self._skip_to(1)
                self._hold = 0.0
            else:
                self._skip_to(MOST_WAITING)
        elif table is not before:
            self._take_again(table, last)
        self.advance(now)

    def advance(self, now: float) -> None:
        """Go on to what should be seen by now."""
        while (due := self.due) is not None and due <= now:
            if self._is_before:
                self._next_frame(self._motion.before, now)
            elif self._waiting and self._ready <= now:
                self._begin(now)
            else:
                self._next_frame(self._frames_after, now)
        self._compose()

    def settle(self, now: float) -> None:
        """The player does something: what moves is at its end."""
        if self._is_before:
            self._arrive(now)
        if self.frame is not None and self.frame.number < len(self._motion.after):
            self._pose(len(self._motion.after), self._frames_after, now)
        self._compose()

    def catch_up(self, now: float) -> None:
        """Show the newest entry at once."""
        if self._waiting:
            self._skip_to(1)
            self._motion = self._motion_of(self._waiting[0])
            self._arrive(now)
        self.settle(now)
        self._hold = 0.0

    def hurry(self, now: float) -> None:
        """Show the newest entry at once, and for as long as this turn lasts what else comes."""
        self.catch_up(now)
        table = self.newest.table
        if table is not None and not table.my_turn:
            self._hurried = table.public.actors

    # The steps

    def _is_urgent(self, table: TableState) -> bool:
        """Whether it is shown without waiting for its turn: what the player did, or has a clock running for."""
        if self._hurried is not None:
            if table.public.actors != self._hurried:
                self._hurried = None
            return True
        return _is_own(table) or (table.my_turn and table.deadline is not None)

    def _take_again(self, table: TableState, last: TableState) -> None:
        """The same entry: somebody came, or the history of the table did."""
        if table.log is not last.log:
            self._waiting = deque(_with_log_of(table, each) for each in self._waiting)
            self._shown = None if self._shown is None else _with_log_of(table, self._shown)
        again = replace(table, happened=last.happened)
        if self._waiting:
            self._waiting[-1] = again
        else:
            self._shown = again

    def _skip_to(self, most: int) -> None:
        """Of those that wait only the newest are shown; what happened in others is told with the next."""
        if self._is_before and (len(self._waiting) > most or most == 1):
            self.frame, self._frame_ends = None, inf
        while len(self._waiting) > most:
            skipped = self._waiting.popleft()
            self._waiting[0] = _told_too(skipped, self._waiting[0])

    def _begin(self, now: float) -> None:
        coming = self._waiting[0]
        calm = len(self._waiting) <= UNHURRIED
        self._motion = self._motion_of(coming) if calm and self._hurried is None else STILL
        if self._motion.before and (self._pause() or _is_own(coming)):
            self._pose(0, self._motion.before, now, coming)
        else:
            self._arrive(now)

    def _arrive(self, now: float) -> None:
        table, before, given = self._waiting.popleft(), self._shown, self._parts[1]
        if before is not None and given is not None and before.entry != given.entry:
            table = _told_too(
                before, table
            )  # nobody has seen the one before, as it was over at once
        self._show(table, now)
        if self._frames_after:
            self._pose(0, self._frames_after, now)

    def _show(self, table: TableState | None, now: float) -> None:
        self._shown, self.frame, self._frame_ends = table, None, inf
        self._since, self._hold = now, 0.0 if table is None else self._hold_of(table)

    def _hold_of(self, table: TableState) -> float:
        pause = self._pause() if table.game_events else 0.0
        if not pause:
            return 0.0
        if table.public.phase in {Phase.BETWEEN, Phase.OVER}:
            return END_OF_ROUND
        if any(isinstance(each.event, Started) for each in table.happened):
            return START_OF_ROUND
        return pause

    @property
    def _frames_after(self) -> tuple[float, ...]:
        look = self._motion.look
        return (*self._motion.after, look) if look else self._motion.after

    def _next_frame(self, frames: tuple[float, ...], now: float) -> None:
        assert self.frame is not None  # noqa: S101, only a frame can have ended
        self._pose(self.frame.number + 1, frames, now, self.frame.coming)

    def _pose(
        self,
        number: int,
        frames: tuple[float, ...],
        now: float,
        coming: TableState | None = None,
    ) -> None:
        """Show a frame; after the last one before, what happened is shown, and after the last one after, nothing."""
        if number < len(frames):
            self.frame, self._frame_ends = Frame(number, coming), now + frames[number]
        elif coming is not None:
            self._arrive(now)
        else:
            self.frame, self._frame_ends = None, inf

    def _compose(self) -> None:
        """The client state stays the very same value for as long as nothing in it changes."""
        parts = self.newest, self._shown
        if self._parts[0] is parts[0] and self._parts[1] is parts[1]:
            return
        self._parts = parts
        newest, shown = self.newest.table, self._shown
        if newest is None or shown is None or shown is newest:
            self.client_state = self.newest
            return
        shown = replace(shown, chat=newest.chat, muted=newest.muted, banned=newest.banned)
        self.client_state = replace(self.newest, table=shown)


def _follows(table: TableState, last: TableState) -> bool:
    """Whether this comes of something that happened after the last one, and not of being there anew."""
    return (
        table.code == last.code
        and table.seat == last.seat
        and (table.entry == last.entry or (table.entry > last.entry and bool(table.happened)))
        and Phase.GATHERING not in {table.public.phase, last.public.phase}
    )


def _is_own(table: TableState) -> bool:
    """Whether the player made this move themself."""
    events = [each.event for each in table.happened if not isinstance(each.event, UnknownEvent)]
    if not events or not isinstance(events[0], table.game.event_type):
        return False  # moves alone are told without their entry
    movers = (seat for each in events if (seat := getattr(each, "seat", None)) is not None)
    mover = next(movers, None)
    return mover is not None and mover == table.seat and not table.public.players[mover].away


def _told_too(skipped: TableState, table: TableState) -> TableState:
    """What happened in an entry that is not shown for itself is told with the one after it."""
    return replace(table, happened=(*skipped.happened, *table.happened)[-KEPT_LINES:])


def _with_log_of(newest: TableState, table: TableState) -> TableState:
    log = tuple(line for line in newest.log if line.entry <= table.entry)
    return replace(table, log=log, log_is_whole=newest.log_is_whole)
