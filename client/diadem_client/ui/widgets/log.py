"""Lines that come one after the other, wrapped, with the last ones in sight."""

from collections.abc import Iterable, Sequence
from unicodedata import combining, normalize

from rich.cells import cell_len, chop_cells
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from diadem_client.i18n import unbreakable_parts
from diadem_client.look import signs

FOUND = Style(reverse=True)
NEW = signs.FRESH.own
SCROLL_GAP = 1
"""Columns that part lines from the scroll bar."""


class Log(ScrollView, can_focus=True):
    DEFAULT_CSS = """
    Log { height: 1fr; width: 1fr; overflow-x: hidden;
          scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lines: tuple[str, ...] = ()
        self._new: frozenset[int] = frozenset()
        """The numbers of those that are marked as new."""
        self._wrapped: list[str] = []
        self._rows = 0
        """How many were in sight when lines were wrapped last."""
        self._first_rows: list[int] = []
        """Of each line, where it begins."""
        self._found: tuple[int, str] | None = None
        """The line that was found last, and what was looked for."""

    @property
    def text(self) -> str:
        return "\n".join(self._lines)

    def show(self, lines: Sequence[str], new: Iterable[int] = ()) -> None:
        """`new`: the numbers of those that are marked."""
        given = tuple(lines), frozenset(new)
        if given != (self._lines, self._new):
            self._lines, self._new = given
            self._found = None
            self._wrap()

    def on_resize(self) -> None:
        self._wrap()

    def _wrap(self) -> None:
        if not self.size:
            return  # not in sight yet, and so neither at its end nor anywhere else
        width = max(1, self.scrollable_content_region.width or self.size.width)
        seen = self.scroll_offset.y + max(self._rows, self.size.height)
        was_at_end, self._rows = seen >= len(self._wrapped), self.size.height
        self._wrapped, self._first_rows = [], []
        room = width if self._fits(width) else max(1, width - SCROLL_GAP)
        for number in range(len(self._lines)):
            self._first_rows.append(len(self._wrapped))
            self._wrapped += self._broken(number, room)
        self.virtual_size = Size(width, len(self._wrapped))
        self.refresh()
        if was_at_end:
            # Forced, as there is no scroll bar yet when lines overflow for the first time.
            self.scroll_end(animate=False, force=True, immediate=True)

    def _fits(self, width: int) -> bool:
        """Whether all lines are in sight, and no scroll bar is beside them."""
        count = len(self._lines)
        if count > self.size.height:
            return False
        return sum(len(self._broken(number, width)) for number in range(count)) <= self.size.height

    def _broken(self, number: int, width: int) -> list[str]:
        line = self._lines[number]
        return wrapped(f"{NEW} {line}" if number in self._new else line, width)

    def find(self, words: str) -> bool:
        """Mark the newest line with these words, or the one before the line that they were found in last."""
        having = [at for at, line in enumerate(self._lines) if folded(words) in folded(line)]
        again = self._found is not None and self._found[1] == words
        before = [at for at in having if again and self._found and at < self._found[0]]
        self._found = ((before or having)[-1], words) if having else None
        if self._found is not None and self._first_rows:
            row = self._first_rows[self._found[0]]
            self.scroll_to(y=row - self.size.height // 2, animate=False)
        self.refresh()
        return bool(having)

    def _is_found(self, row: int) -> bool:
        if self._found is None:
            return False
        at = self._found[0]
        end = [*self._first_rows, len(self._wrapped)][at + 1]
        return row in range(self._first_rows[at], end)

    def render_line(self, y: int) -> Strip:
        number = y + self.scroll_offset.y
        style = self.rich_style
        if self._is_found(number):
            style += FOUND
        text = self._wrapped[number] if number in range(len(self._wrapped)) else ""
        strip = Strip([Segment(text, style)], cell_len(text))
        return strip.adjust_cell_length(self.size.width, style)


def folded(text: str) -> str:
    """As it is looked for: without regard to case and accents."""
    return "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c))


def fitting(sentences: Iterable[str], width: int, rows: int) -> str:
    """As many of these as fit into so many rows, and the first in any case."""
    told = ""
    for sentence in sentences:
        longer = f"{told} {sentence}".strip()
        if told and len(wrapped(longer, width)) > rows:
            break
        told = longer
    return told


def wrapped(text: str, width: int) -> list[str]:
    """Broken between words, and within those that are too long; what goes on is set in a little."""
    rows: list[str] = []
    row = ""
    for word in unbreakable_parts(text):
        grown = f"{row} {word}" if row else word
        if cell_len(grown) <= width:
            row = grown
            continue
        if row.strip():
            rows.append(row)
        indent = "  " if width > 10 else ""
        pieces = chop_cells(word, max(1, width - len(indent)))
        rows += [indent + piece for piece in pieces[:-1]]
        row = indent + (pieces[-1] if pieces else "")
    return [*rows, row]
