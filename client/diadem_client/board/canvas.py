"""A sheet of character cells, and the inks they are written in."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias
from unicodedata import category, normalize

from msgspec import Struct
from rich.cells import get_character_cell_size

from diadem_client.i18n import unbreakable_parts


class Ink(StrEnum):
    """What a text means; every meaning shows in the characters as well, for who has no colours."""

    PLAIN = "plain"
    STRONG = "strong"
    FAINT = "faint"
    CURSOR = "cursor"
    DRAFT = "draft"
    FRESH = "fresh"
    GOOD = "good"
    BAD = "bad"
    BLUE = "blue"
    YELLOW = "yellow"
    PINK = "pink"
    GREEN = "green"
    RED = "red"


SEEN_ON_BLANKS = {Ink.CURSOR, Ink.DRAFT, Ink.FRESH}
"""Inks that show where nothing is written, by reverse or underline."""

Row: TypeAlias = tuple[tuple[str, Ink], ...]
"""One cell after the other; the second cell of a wide character is empty."""


class Rect(Struct, frozen=True):
    x: int
    y: int
    width: int
    height: int


class Canvas:
    def __init__(self, width: int, height: int, *, ascii_only: bool = False) -> None:
        self.width = width
        self.height = height
        self.ascii_only = ascii_only
        self._places: list[tuple[Rect, int]] = []
        self._cells = [[(" ", Ink.PLAIN)] * width for _ in range(height)]

    def sign(self, character: str, plain: str) -> str:
        """A character where the terminal may have it, else its stand-in."""
        return plain if self.ascii_only else character

    def put(self, x: int, y: int, text: str, ink: Ink = Ink.PLAIN) -> int:
        """Write, cut off at the edge; gives the column after the text."""
        if not 0 <= y < self.height:
            return x
        row = self._cells[y]
        for character in _printable(in_ascii(text) if self.ascii_only else text):
            size = get_character_cell_size(character)
            if size == 0:
                if 0 < x <= self.width:
                    before, its_ink = row[x - 1]
                    row[x - 1] = (before + character, its_ink)
                continue
            if x < 0 or x + size > self.width:
                return x
            blank = character == " " and ink not in SEEN_ON_BLANKS
            row[x] = _cell(character, Ink.PLAIN if blank else ink)
            if size == 2:
                row[x + 1] = ("", ink)
            x += size
        return x

    def place(self, area: Rect, what: int) -> None:
        """What a click in an area would mean, by a number of the drawing's own."""
        self._places.append((area, what))

    def placed_at(self, x: int, y: int) -> int | None:
        for area, what in self._places:
            if 0 <= x - area.x < area.width and 0 <= y - area.y < area.height:
                return what
        return None

    def rows(self) -> tuple[Row, ...]:
        return tuple(map(tuple, self._cells))

    def text(self) -> str:
        """All that is written, for a test or a file."""
        lines = ("".join(cell for cell, _ in row).rstrip() for row in self._cells)
        return "".join(line + "\n" for line in lines)


@lru_cache(1024)
def _cell(character: str, ink: Ink) -> tuple[str, Ink]:
    """One and the same wherever it stands: a sheet has few that differ."""
    return character, ink


def runs(row: Row) -> Iterator[tuple[str, Ink]]:
    """A row as texts of one ink each, and as few as can be: every change of ink costs bytes."""
    text, ink = "", Ink.PLAIN
    for cell, its_ink in row:
        blank = cell == " " and its_ink is Ink.PLAIN and ink not in SEEN_ON_BLANKS
        unwritten = not text.strip(" ") and {ink, its_ink}.isdisjoint(SEEN_ON_BLANKS)
        if its_ink is ink or blank:
            text += cell
        elif unwritten:
            text, ink = text + cell, its_ink
        else:
            yield text, ink
            text, ink = cell, its_ink
    if text:
        yield text, ink


def differing(before: Row, after: Row) -> tuple[int, int] | None:
    """The first and one past the last cell in which two rows of a width differ."""
    if before == after:
        return None
    unlike = [at for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    return unlike[0], unlike[-1] + 1


def in_ascii(text: str) -> str:
    """Without accents, and with a question mark for what has no like in ASCII."""
    if text.isascii():
        return text
    bare = "".join(c for c in normalize("NFKD", text) if category(c) != "Mn")
    return bare.encode("ascii", "replace").decode()


def fitted(text: str, width: int) -> str:
    """Cut to a number of cells, with a mark where something is missing."""
    sizes = [get_character_cell_size(character) for character in text]
    if sum(sizes) <= width:
        return text
    kept, room = "", width - 1
    for character, size in zip(text, sizes, strict=True):
        room -= size
        if room < 0:
            break
        kept += character
    return kept + "~"


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most so many cells, broken between words."""
    return flowed(filter(None, unbreakable_parts(text)), width, " ")


def flowed(parts: Iterable[str], width: int, gap: str = "  ") -> list[str]:
    """Parts set in lines of at most so many cells; none is broken."""
    lines: list[str] = []
    for part in parts:
        longer = lines[-1] + gap + part if lines else part
        if lines and _size(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(fitted(part, width))
    return lines


def _size(text: str) -> int:
    return sum(map(get_character_cell_size, text))


def _printable(text: str) -> str:
    """Names come from others: no control or direction characters reach a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "?" for c in text)
