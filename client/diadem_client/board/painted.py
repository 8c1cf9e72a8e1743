"""A pane that is rows of cells: what differs is repainted, and if nothing lies over it, without Textual (docs/decisions/0053)."""

from collections.abc import Iterator

from rich.segment import Segment
from rich.style import Style
from textual.color import TRANSPARENT
from textual.geometry import Region
from textual.strip import Strip

from diadem_client.board.canvas import Row, differing, runs
from diadem_client.board.look_of_app import look_of
from diadem_client.board.pane import GamePane
from diadem_client.look.palette import Look, Paint, style_of
from diadem_client.terminal import sgr
from diadem_client.terminal.diff import Span, code_of
from diadem_client.terminal.writer import Cell

MOST_SEEN = 1024
"""Cells that are kept as the terminal is told them; more than any board has that differ."""


class PaintedPane(GamePane):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as every widget calls it
        super().__init__(id=id)
        self._rows: list[Row] = []
        self._strips: dict[int, tuple[Row, Strip]] = {}
        """What Textual was given of each row."""
        self._ground: Style | None = None
        """Its style by the style sheets: reckoning it takes as long as painting a line."""
        self._styles: dict[Paint, Style] = {}
        """Of each paint on that ground."""
        self._codes: dict[Paint, sgr.Style] = {}
        """Of each paint, as the terminal is told it."""
        self._seen: dict[tuple[str, Paint], Cell] = {}
        """Of each cell that was painted before, what the terminal is told of it: a board has few that differ."""
        self._look: Look | None = None
        self._unpainted: dict[int, tuple[int, int]] = {}
        """By row, the first column that is still to be painted and the one after the last."""
        self._is_due = False
        """Whether it is to be drawn before it is painted."""

    # What is shown

    def draw_now(self) -> None:
        """Draw what there is to show, and `take_rows` of it."""
        raise NotImplementedError

    def draw_in_time(self) -> None:
        """Draw what there is to show before it is painted: what changes several times until then is drawn once."""
        self._is_due = True
        if self.direct_painter is None or not self.direct_painter.takes(self, self):
            self.leave_to_textual()

    def finish_drawing(self) -> None:
        if self._is_due:
            self._is_due = False
            self.draw_now()

    def take_rows(self, rows: tuple[Row, ...]) -> None:
        """Find what differs from the rows before."""
        before, self._rows = self._rows, list(rows)
        if len(before) != len(rows) or (before and len(before[0]) != len(rows[0])):
            self._unpainted.clear()
            self.refresh()
            return
        changed = self._unpainted
        for y, (old, new) in enumerate(zip(before, rows, strict=True)):
            span = differing(old, new)
            if span is None:
                self._rows[y] = old  # of which there is a strip
            elif y in changed:
                changed[y] = min(span[0], changed[y][0]), max(span[1], changed[y][1])
            else:
                changed[y] = span

    def spans(self, x: int, y: int) -> Iterator[Span]:
        """None if it was given another size and is not drawn in it yet: it would reach over others."""
        self.finish_drawing()
        width, height = self.size
        if len(self._rows) != height or any(len(row) != width for row in self._rows):
            return
        self._follow_look()
        seen = self._seen
        for row, (start, end) in self._unpainted.items():
            cells = self._rows[row][start:end]
            yield Span.of(y + row, x + start, [seen.get(each) or self._see(each) for each in cells])

    def painted(self) -> None:
        self._unpainted.clear()

    def leave_to_textual(self) -> None:
        self.finish_drawing()
        changed = self._unpainted.items()
        if changed:
            self.refresh(*(Region(start, y, end - start, 1) for y, (start, end) in changed))
        self._unpainted.clear()

    # In Textual's terms

    def render_lines(self, crop: Region) -> list[Strip]:
        """Called for what is to be repainted; what was given is kept here, for as long as it shows the same."""
        self.finish_drawing()
        width = self.size.width
        strips = [self._strip(y, width) for y in crop.line_range]
        return [strip.crop(*crop.column_span) for strip in strips]

    def _strip(self, y: int, width: int) -> Strip:
        if y >= len(self._rows) or len(self._rows[y]) != width:
            strip = self.render_line(y).adjust_cell_length(width, self.rich_style)
            return self._filtered(strip)
        row = self._rows[y]
        kept = self._strips.get(y)
        if kept is not None and kept[0] is row:
            return kept[1]
        strip = self._filtered(self.render_line(y))
        self._strips[y] = row, strip
        return strip

    def render_line(self, y: int) -> Strip:
        if y >= len(self._rows):
            return Strip.blank(self.size.width, self.rich_style)
        row = self._rows[y]
        look = self._follow_look()
        painted = [Segment(text, self._style(paint, look)) for text, paint in runs(row)]
        return Strip(painted, len(row))

    def _filtered(self, strip: Strip) -> Strip:
        filters = self.get_line_filters()
        ground = self.background_colors[1] if filters else TRANSPARENT
        for each in filters:
            strip = strip.apply_filter(each, ground)
        return strip

    def _follow_look(self) -> Look:
        look = look_of(self.app)
        if look != self._look:
            self._look = look
            self._forget_styles()
        return look

    def _style(self, paint: Paint, look: Look) -> Style:
        if paint not in self._styles:
            if self._ground is None:
                self._ground = self.rich_style
            self._styles[paint] = self._ground + style_of(paint, look)
        return self._styles[paint]

    def _see(self, cell: tuple[str, Paint]) -> Cell:
        if len(self._seen) == MOST_SEEN:
            self._seen.clear()
        text, paint = cell
        return self._seen.setdefault(cell, sgr.seen(text, self._code(paint)))

    def _code(self, paint: Paint) -> sgr.Style:
        """As Textual would say it."""
        if paint not in self._codes:
            strip = self._filtered(
                Strip([Segment("x", self._style(paint, self._follow_look()))], 1)
            )
            self._codes[paint] = code_of(strip.render(self.app.console))
        return self._codes[paint]

    def notify_style_update(self) -> None:
        """Another theme has other colours."""
        super().notify_style_update()
        self._forget_styles()

    def _forget_styles(self) -> None:
        self._ground = None
        self._styles.clear()
        self._codes.clear()
        self._seen.clear()
        self._strips.clear()
