"""A text that was broken into lines for more room than there may be."""

from collections.abc import Iterator

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from diadem_client.board.canvas import cells_of, wrapped
from diadem_client.ui.widgets.fixed_text import lines

FULL = 68
"""Columns: a line is one of several if it would be longer than this with the first word of the next."""


class Paragraphs(Widget):
    def __init__(self, text: str, marked: range = range(0)) -> None:
        """With the lines of the text that are marked, because they were asked for."""
        super().__init__(id="body")
        self._text = text
        self._marked = marked

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(placed(self._text, width))

    def render(self) -> Content:
        found = placed(self._text, self.size.width)
        return lines(
            Content.styled(row, "bold $accent") if number in self._marked else row
            for number, row in found
        )

    def marked_rows(self) -> range:
        """Where they are shown."""
        found = placed(self._text, self.size.width)
        rows = [at for at, (number, _row) in enumerate(found) if number in self._marked]
        return range(rows[0], rows[-1] + 1) if rows else range(0)


def placed(text: str, width: int) -> list[tuple[int, str]]:
    """Its lines; where one is too long, paragraphs are broken anew and keep their indent. Each with the number of
    the line that it, or the paragraph it is of, begins with."""
    rows = text.splitlines()
    if all(cells_of(row) <= width for row in rows):
        return [*enumerate(rows)]
    found: list[tuple[int, str]] = []
    for number, paragraph in _paragraphs(rows):
        words = paragraph.lstrip(" ")
        indent = " " * (len(paragraph) - len(words))
        is_drawn = "  " in words or cells_of(paragraph) <= width
        broken = [words] if is_drawn else wrapped(words, max(1, width - len(indent)))
        found += [(number, indent + row) for row in broken]
    return found


def _paragraphs(rows: list[str]) -> Iterator[tuple[int, str]]:
    """Each line with those in which it goes on, and its number."""
    paragraph, first, last = "", 0, ""
    for number, row in enumerate(rows):
        if _goes_on(last, row):
            paragraph += " " + row.strip()
        else:
            if number:
                yield first, paragraph
            paragraph, first = row, number
        last = row
    yield first, paragraph


def _goes_on(row: str, following: str) -> bool:
    words = following.split()
    return (
        bool(row and words)
        and _indent_of(row) == _indent_of(following)
        and cells_of(row) + 1 + cells_of(words[0]) > FULL
    )


def _indent_of(row: str) -> int:
    return len(row) - len(row.lstrip(" "))
