"""Writes cells to a terminal in few bytes, and tracks its cursor and style."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from diadem_client.terminal.sgr import BLOCK, PLAIN, Style, change, shows_on_blanks

Cell: TypeAlias = tuple[str, Style]
"""A character and its style. The second cell of a wide character is empty, as is one that is not known."""
LONGEST_GAP = 8
"""Unchanged cells that may be cheaper to write again than to skip."""


class Writer:
    def __init__(self, width: int) -> None:
        self._width = width
        self._parts: list[str] = []
        self._style = PLAIN
        self._at: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def write(self, row: int, cells: Sequence[Cell], columns: Sequence[int]) -> None:
        """Write those columns of a row whose cells are all one column wide."""
        for column in columns:
            if self._at != (row, column):
                self._go(row, column, cells)
            character, style = cells[column]
            if style is self._style:
                self._parts.append(character)
            else:
                self._put(cells, column)
            after = column + 1
            # At the right edge terminals differ about where the cursor is.
            self._at = (row, after) if after < self._width else None

    def write_wide(self, row: int, column: int, cells: Sequence[Cell]) -> None:
        """Write cells of which some are wide; terminals differ about where the cursor is then."""
        self._parts.append(_move(self._at, (row, column)))
        for at in range(len(cells)):
            self._put(cells, at)
        self._at = None

    def rest(self, row: int, column: int) -> None:
        """Reset the style, and put the cursor where the frame leaves it."""
        self._parts += [change(self._style, PLAIN), _move(self._at, (row, column))]

    def _go(self, row: int, column: int, cells: Sequence[Cell]) -> None:
        """Skip to a column, or write again what lies between if that is cheaper."""
        moved = _move(self._at, (row, column))
        if (
            self._at is not None
            and self._at[0] == row
            and _can_be_written(cells, self._at[1], column)
        ):
            skipped = len(moved) + len(change(self._style, self._fitting(cells, column)))
            parts, style = self._parts, self._style
            self._parts = []
            for between in range(self._at[1], column):
                self._put(cells, between)
            written = self._parts
            last = change(self._style, self._fitting(cells, column))
            if sum(map(_size, written)) + len(last) <= skipped:
                self._parts = parts + written
                return
            self._parts, self._style = parts, style
        self._parts.append(moved)

    def _put(self, cells: Sequence[Cell], column: int) -> None:
        wanted = self._fitting(cells, column)
        if wanted != self._style:
            self._parts.append(change(self._style, wanted))
            self._style = wanted
        self._parts.append(cells[column][0])

    def _fitting(self, cells: Sequence[Cell], column: int) -> Style:
        """A style in which a cell looks as it should: on a blank any ink does, below a block any ground."""
        character, style = cells[column]
        if character not in {" ", BLOCK} or shows_on_blanks(style):
            return style
        if character == BLOCK:
            return Style(style.ink, self._style.ground, style.marks)
        hidden = not shows_on_blanks(self._style)
        if hidden and self._style.ground == style.ground:
            return self._style
        return self._fitting_blank(style.ground, cells[column + 1 :], hidden=hidden)

    def _fitting_blank(self, ground: str, following: Sequence[Cell], *, hidden: bool) -> Style:
        for character, style in following:
            if style.ground != ground or shows_on_blanks(style):
                break
            if character != " ":
                return style
        return Style(self._style.ink, ground, self._style.marks) if hidden else Style(ground=ground)


def _can_be_written(cells: Sequence[Cell], start: int, end: int) -> bool:
    """Whether these are few cells, all known and one column wide."""
    return 0 < end - start <= LONGEST_GAP and all(len(each[0]) == 1 for each in cells[start:end])


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


@lru_cache(256)
def _move(at: tuple[int, int] | None, to: tuple[int, int]) -> str:
    """The shortest sequence that takes the cursor there."""
    if at == to:
        return ""
    row, column = to
    ways = [f"\x1b[{row + 1};{column + 1}H" if column else f"\x1b[{row + 1 if row else ''}H"]
    if at is not None:
        down = row - at[0]
        vertical = _steps(abs(down), "B" if down > 0 else "A")
        across = column - at[1]
        ways.append(vertical + _steps(abs(across), "C" if across > 0 else "D"))
        ways.append(vertical + "\r" + _steps(column, "C"))
        if across < 0:
            ways.append(vertical + "\b" * -across)
    return min(ways, key=len)


def _steps(count: int, way: str) -> str:
    if not count:
        return ""
    return f"\x1b[{way}" if count == 1 else f"\x1b[{count}{way}"
