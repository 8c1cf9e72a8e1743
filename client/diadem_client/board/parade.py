"""What happens is shown one thing after another, each for long enough to be seen."""

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from textual.timer import Timer
from textual.widget import Widget

T = TypeVar("T")

LONGEST_QUEUE = 12
"""How far the parade may lag behind the table; what is older is left to the log."""
BRIEFEST = 0.6
"""Seconds that are left to each thing when many wait."""


class Parade(Generic[T]):
    def __init__(
        self, widget: Widget, redraw: Callable[[], None], *, seconds: float, lasting: bool
    ) -> None:
        """`lasting`: the last thing stays in sight until another comes."""
        self._widget = widget
        self._redraw = redraw
        self.seconds = seconds
        self._lasting = lasting
        self._waiting: deque[T] = deque(maxlen=LONGEST_QUEUE)
        self._timer: Timer | None = None
        self.shown: T | None = None

    def add(self, item: T, *, at_once: bool = False) -> None:
        """`at_once`: it came of what the player did, who need not wait for what was before."""
        self._waiting.append(item)
        if at_once:
            self.hurry()
        if at_once or self._timer is None:
            self._next()

    def hurry(self) -> None:
        """The player goes on: of all that waits, only the last is worth a look."""
        while len(self._waiting) > 1:
            self._waiting.popleft()

    def clear(self) -> None:
        """Nothing of what was before is worth a look any more."""
        self._waiting.clear()
        self.shown = None

    def _next(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._waiting:
            self.shown = self._waiting.popleft()
            brief = min(BRIEFEST, self.seconds)
            seconds = max(self.seconds / (1 + len(self._waiting)), brief)
            self._timer = self._widget.set_timer(seconds, self._next)
        elif not self._lasting:
            self.shown = None
        self._redraw()
