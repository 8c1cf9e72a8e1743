"""Paints what has changed on a screen past Textual, where nothing lies over it (docs/decisions/0053)."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from textual.screen import Screen
from textual.widget import Widget

from diadem_client.terminal.diff import Span

FRAME = 1 / 60
"""Seconds from one frame to the next at least, as Textual has it."""


class Terminal(Protocol):
    def paint(self, spans: Sequence[Span]) -> bool:
        """Show these cells at once; whether that could be done."""


class Paintable(Protocol):
    """What a widget that can be painted here has to tell."""

    def spans(self, x: int, y: int) -> Iterator[Span]:
        """All that is still to be painted; the widget begins at this cell of the screen. None if that is for Textual."""

    def painted(self) -> None:
        """None of it is to be painted any more."""

    def leave_to_textual(self) -> None:
        """What is still to be painted cannot be painted here."""


class DirectPainter:
    def __init__(self, screen: Screen[Any], terminal: Terminal) -> None:
        self._screen = screen
        self._terminal = terminal
        self._waiting: dict[Widget, Paintable] = {}
        self._seen_whole: dict[Widget, bool] = {}
        """Of which widgets all is seen, since the screen was laid out last."""
        self._next_frame: asyncio.Handle | None = None
        self._painted_at = 0.0
        self._holds = 0
        screen.screen_layout_refresh_signal.subscribe(screen, self._laid_out, immediate=True)

    def _laid_out(self, _screen: Screen[Any]) -> None:
        self._seen_whole.clear()

    def takes(self, widget: Widget, paintable: Paintable) -> bool:
        """Whether what has changed of a widget will be painted, or left to Textual, with the next frame."""
        if not self._sees(widget):
            return False
        self._waiting[widget] = paintable
        self._plan()
        return True

    @contextmanager
    def held(self) -> Iterator[None]:
        """Meanwhile nothing is painted; then all of it at once."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self._plan()

    def _plan(self) -> None:
        """Paint with a later turn of the loop, which may bring more, and no more often than can be seen."""
        if self._waiting and self._next_frame is None and not self._holds:
            loop = asyncio.get_running_loop()
            wait = max(0.0, self._painted_at + FRAME - loop.time())
            self._next_frame = loop.call_later(wait, self._paint)

    def _paint(self) -> None:
        self._next_frame = None
        if self._holds or not self._screen.is_attached:
            return
        self._painted_at = asyncio.get_running_loop().time()
        waiting, self._waiting = self._waiting, {}
        spans: list[Span] = []
        told = set[Widget]()
        for widget, paintable in waiting.items():
            if widget.is_attached and self._sees(widget):
                of_it = list(paintable.spans(*widget.region.offset))
                spans += of_it
                if of_it:
                    told.add(widget)
        done = bool(spans) and self._terminal.paint(spans)
        for widget, paintable in waiting.items():
            if done and widget in told:
                paintable.painted()
            elif widget.is_attached:
                paintable.leave_to_textual()

    def _sees(self, widget: Widget) -> bool:
        """Whether nothing lies over it, on its screen or as another screen, and it reaches nowhere out of sight."""
        if self._screen.app.screen is not self._screen:
            return False
        if widget not in self._seen_whole:
            region, around = widget.region, {widget, *widget.ancestors}
            others = (each for each in self._screen.walk_children(Widget) if each not in around)
            self._seen_whole[widget] = (
                bool(region)
                and self._screen.find_widget(widget).visible_region == region
                and not any(region.overlaps(each.region) for each in others)
            )
        return self._seen_whole[widget]
