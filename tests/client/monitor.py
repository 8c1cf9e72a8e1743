"""A terminal on which widgets are painted past Textual, and what Textual would show of them."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.widget import Widget

from diadem_client.terminal.diff import ScreenBuffer, Span
from tests.client.emulator import Terminal
from tests.patience import PATIENCE


class Monitor:
    """Nothing else stands on it."""

    def __init__(self, app: App[Any], *widgets: Widget) -> None:
        self._app = app
        self._widgets = widgets
        self.takes = True
        self.frames: list[list[Span]] = []
        self._size = app.size
        self._buffer, self.terminal = ScreenBuffer(), Terminal(self._size)
        self.repaint()

    @property
    def painted(self) -> list[Span]:
        return [span for frame in self.frames for span in frame]

    def paint(self, spans: Sequence[Span]) -> bool:
        if not self.takes:
            return False
        self.frames.append(list(spans))
        data = self._buffer.paint(spans, self._size)
        self.terminal.feed(data or "")
        return data is not None

    def repaint(self) -> None:
        self.terminal.feed(self._buffer.diff("".join(self._whole()), self._size))

    @property
    def is_right(self) -> bool:
        """Whether all that stands there is what Textual would show."""
        terminal = Terminal(self._size)
        terminal.feed("".join(self._whole()))
        return terminal.cells == self.terminal.cells

    def _whole(self) -> Iterator[str]:
        width, height = self._size
        for y in range(height):
            yield f"\x1b[{y + 1};1H{' ' * width}"
        for widget in self._widgets:
            lines = widget.render_lines(widget.outer_size.region)
            for y, line in enumerate(lines, start=widget.region.y + 1):
                yield f"\x1b[{y};{widget.region.x + 1}H{line.render(self._app.console)}"
        yield "\x1b[1;1H"


async def until(pilot: Pilot[Any], holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await pilot.pause()
