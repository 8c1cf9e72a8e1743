"""A text that stands where it stands."""

from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Static

from diadem_client.i18n import unbreakable_parts

MOST_KEPT = 24
"""Lines that were painted before: what is said at a table, and its keys, come again and again."""


class FixedText(Static):
    """A text of fixed size; a new one does not lay the screen out again."""

    def __init__(self, text: str | Content = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(as_content(text), id=id, markup=False)
        self._said = as_content(text)
        self._painted: dict[object, Strip] = {}

    @property
    def text(self) -> str:
        return self._said.plain

    def set_text(self, text: str | Content, *, layout: bool = False) -> None:
        content = as_content(text)
        if not content.is_same(self._said):
            self._said = content
            self.update(content, layout=layout)

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
        what = self._said.plain, tuple(self._said.spans), self.visual_style, self.size, y
        strip = self._painted.get(what)
        if strip is None:
            if len(self._painted) == MOST_KEPT:
                self._painted.clear()
            strip = self._painted[what] = super().render_line(y)
        return strip

    def notify_style_update(self) -> None:
        """Other styles, or a theme with other colours."""
        super().notify_style_update()
        self._painted.clear()


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
