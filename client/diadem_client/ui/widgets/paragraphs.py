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
    def __init__(self, text: str) -> None:
        super().__init__(id="body")
        self._text = text

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(rebroken(self._text, width))

    def render(self) -> Content:
        return lines(rebroken(self._text, self.size.width))


def rebroken(text: str, width: int) -> list[str]:
    """Its lines; where one is too long, paragraphs are broken anew and keep their indent."""
    rows = text.splitlines()
    if all(cells_of(row) <= width for row in rows):
        return rows
    found: list[str] = []
    for paragraph in _paragraphs(rows):
        words = paragraph.lstrip(" ")
        indent = " " * (len(paragraph) - len(words))
        is_drawn = "  " in words or cells_of(paragraph) <= width
        broken = [words] if is_drawn else wrapped(words, max(1, width - len(indent)))
        found += [indent + row for row in broken]
    return found


def _paragraphs(rows: list[str]) -> Iterator[str]:
    """Each line with those in which it goes on."""
    paragraph = last = ""
    for number, row in enumerate(rows):
        if _goes_on(last, row):
            paragraph += " " + row.strip()
        else:
            if number:
                yield paragraph
            paragraph = row
        last = row
    yield paragraph


def _goes_on(row: str, following: str) -> bool:
    words = following.split()
    return (
        bool(row and words)
        and _indent_of(row) == _indent_of(following)
        and cells_of(row) + 1 + cells_of(words[0]) > FULL
    )


def _indent_of(row: str) -> int:
    return len(row) - len(row.lstrip(" "))
