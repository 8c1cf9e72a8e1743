"""A widget that is drawn whole in memory, cell by cell, by the roles of colours."""

from typing import TYPE_CHECKING, cast

from rich.segment import Segment
from textual.events import Resize
from textual.strip import Strip
from textual.widget import Widget

from diadem_client.board.canvas import Canvas, Row, runs
from diadem_client.board.look_of_app import look_of
from diadem_client.look.color_depth import ColorDepth
from diadem_client.look.palette import style_of

if TYPE_CHECKING:
    from diadem_client.app import DiademApp


class Drawing(Widget):
    """`draw` fills a sheet; `redraw` is to be called when it would be filled otherwise."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002, as every widget calls it
        super().__init__(id=id)
        self._rows: tuple[Row, ...] = ()
        self._canvas = Canvas(0, 0)

    def draw(self, canvas: Canvas) -> None:
        raise NotImplementedError

    def redraw(self) -> None:
        ascii_only = cast("DiademApp", self.app).ascii_only
        plain = look_of(self.app).tier is ColorDepth.NONE
        canvas = Canvas(*self.size, ascii_only=ascii_only, without_colour=plain)
        self.draw(canvas)
        self._canvas = canvas
        rows = canvas.rows()
        if rows != self._rows:
            self._rows = rows
            self.refresh()

    def placed_at(self, x: int, y: int) -> int | None:
        """What was placed there by the drawing."""
        return self._canvas.placed_at(x, y)

    def render_line(self, y: int) -> Strip:
        if y >= len(self._rows):
            return Strip.blank(self.size.width, self.rich_style)
        row, look = self._rows[y], look_of(self.app)
        strip = Strip([Segment(text, style_of(paint, look)) for text, paint in runs(row)], len(row))
        return strip.apply_style(self.rich_style)

    def on_resize(self, _: Resize) -> None:
        self.redraw()
