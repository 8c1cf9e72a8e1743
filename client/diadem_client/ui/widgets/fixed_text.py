"""A text that stands where it stands."""

from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.visual import Visual
from textual.widgets import Static

from diadem_client.i18n import unbreakable_parts
from diadem_client.terminal.diff import Span, read_cells
from diadem_client.ui.direct_painter import DirectPainter

MOST_KEPT = 24
"""Texts that were painted before: what is said at a table, and its keys, come again and again."""


class FixedText(Static):
    """A text of fixed size; a new one does not lay the screen out again."""

    direct_painter: DirectPainter | None = None
    """Where there is one, nothing of the style sheets counts for it but colours, text style and room beside the text."""

    def __init__(self, text: str | Content = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(as_content(text), id=id, markup=False)
        self._said = as_content(text)
        self._strips: dict[object, list[Strip]] = {}
        self._spans: dict[object, list[Span]] = {}

    @property
    def text(self) -> str:
        return self._said.plain

    def set_text(self, text: str | Content, *, layout: bool = False) -> None:
        content = as_content(text)
        if content.is_same(self._said):
            return
        self._said = content
        if (
            layout
            or self.direct_painter is None
            or not self._is_bare
            or not self.direct_painter.takes(self, self)
        ):
            self.update(content, layout=layout)

    @property
    def _is_bare(self) -> bool:
        """Whether there is nothing of it but its text, with room beside it."""
        padding = self.styles.padding
        beside = (0, padding.right, 0, padding.left)
        return self.text_selection is None and self.styles.gutter == beside

    def spans(self, x: int, y: int) -> Iterator[Span]:
        """All of it: what differs is found by the terminal's driver."""
        what = self._what
        rows = self._spans.get(what)
        if rows is None:
            if len(self._spans) == MOST_KEPT:
                self._spans.clear()
            lines = (self._line(row).render(self.app.console) for row in range(self.size.height))
            rows = [Span.of(row, 0, read_cells(line)) for row, line in enumerate(lines)]
            self._spans[what] = rows
        for each in rows:
            yield Span(y + each.row, x, each.cells, each.is_narrow)

    def painted(self) -> None:
        """What Textual asks for is always the newest."""

    def leave_to_textual(self) -> None:
        self.update(self._said, layout=False)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Called for what is to be repainted. Textual would give what it has kept, and was not told of all."""
        if self.direct_painter is None or not self._is_bare:
            return super().render_lines(crop)
        return [self._line(y).crop(*crop.column_span) for y in crop.line_range]

    def _line(self, y: int) -> Strip:
        """With what is beside it."""
        padding, style = self.styles.padding, self.visual_style.rich_style
        line = self.render_line(y).crop_pad(self.size.width, padding.left, padding.right, style)
        for each in self.get_line_filters():
            line = line.apply_filter(each, self.background_colors[1])
        return line

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._broken(width).get_height(self.styles.get_rules(), width) if width else 0

    def render(self) -> Content:
        return self._broken(self.content_size.width)

    def _broken(self, width: int) -> Content:
        styles = self.styles
        if styles.text_wrap == "nowrap" or styles.is_auto_width:
            return self._said
        return broken(self._said, width)

    def render_line(self, y: int) -> Strip:
        """To have a line painted takes longer than all else that a key does to it."""
        if self.text_selection is not None:
            return super().render_line(y)
        what = self._what
        strips = self._strips.get(what)
        if strips is None:
            if len(self._strips) == MOST_KEPT:
                self._strips.clear()
            strips = Visual.to_strips(self, self.render(), *self.size, self.visual_style)
            self._strips[what] = strips
        return (
            strips[y]
            if y < len(strips)
            else Strip.blank(self.size.width, self.visual_style.rich_style)
        )

    @property
    def _what(self) -> tuple[object, ...]:
        """All that decides what is painted, but for the styles that are told of by `notify_style_update`."""
        return self._said.plain, tuple(self._said.spans), self.visual_style, self.size

    def notify_style_update(self) -> None:
        """Other styles, or a theme with other colours."""
        super().notify_style_update()
        self._strips.clear()
        self._spans.clear()


def as_content(text: str | Content) -> Content:
    return text if isinstance(text, Content) else Content(text)


def lines(parts: Iterable[str | Content]) -> Content:
    return Content("\n").join(as_content(part) for part in parts)


def broken(text: Content, width: int) -> Content:
    """In lines of its own wherever Textual, which knows no spaces that may not be broken, would break one."""
    if not any(" " in part for part in unbreakable_parts(text.plain)):
        return text
    return lines(piece for line in text.split(allow_blank=True) for piece in _pieces(line, width))


def _pieces(line: Content, width: int) -> Iterator[Content]:
    if line.cell_length <= width:
        yield line
        return
    breaks: list[int] = []
    at, room = 0, width
    for part in unbreakable_parts(line.plain):
        size = cell_len(part)
        if size > room and at:
            breaks.append(at)
            room = width
        at += len(part) + 1
        room -= size + 1
    for piece in line.divide(breaks):
        yield piece.rstrip(" ")
