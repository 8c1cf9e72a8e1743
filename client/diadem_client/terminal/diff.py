"""Sends the terminal only the cells that differ between two frames, in few bytes.

Textual repaints more than has changed, and sets all colours before every piece of text. Here each
frame is compared, cell by cell, with a buffer of the screen, and only the difference is passed on.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from rich.cells import cell_len, get_character_cell_size

from diadem_client.terminal import sgr
from diadem_client.terminal.sgr import PLAIN, Style
from diadem_client.terminal.writer import Cell, Writer

TOKENS = re.compile(
    r"(?:\x1b\[(?P<style>[\d;]*)m)?(?P<text>[^\x00-\x1f\x7f-\x9f]+)(?P<plain>\x1b\[0?m)?"
    r"|\x1b\[(?P<row>\d+);(?P<column>\d+)H"
    r"|\x1b\[(?P<change>[\d;]*)m"
    r"|(?P<line>\r?\n)"
)
"""Mostly a piece of text between the sequence that sets its style and the one that resets it."""
MOVES_NOTHING = re.compile(
    r"(\x1b\[\?(25|2026)[hl]|\x1b\[6n|\x07|\x1b\][012];[^\x00-\x1f]*(\x07|\x1b\\)|\x1b\[2[23];[012]t)*"
)
"""Sequences that change no cell: cursor, synchronized output, the question where the cursor is, bell, window title."""
UNKNOWN: Cell = ("", PLAIN)


class Row(Struct):
    cells: list[Cell]
    is_narrow: bool = False
    """Whether all cells are known, and one column wide."""


class Span(Struct):
    row: int
    column: int
    cells: list[Cell]
    is_narrow: bool

    @classmethod
    def of(cls, row: int, column: int, cells: list[Cell]) -> "Span":
        """With a look at how wide its cells are."""
        characters = [character for character, _style in cells]
        text = "".join(characters)
        whole = len(text) == len(cells) and "" not in characters
        return cls(row, column, cells, whole and (text.isascii() or _is_narrow(text)))

    def ends_at(self, row: int, column: int) -> bool:
        return (self.row, self.column + len(self.cells)) == (row, column)


class UnknownSequence(Exception):
    """The frame holds more than styled text at given places."""


class ScreenBuffer:
    """What the terminal shows, as far as it is known."""

    def __init__(self) -> None:
        self._size = (0, 0)
        self._rows: list[Row] = []
        self._cursor: tuple[int, int] | None = None
        """Where the last frame left it."""

    def invalidate(self, size: tuple[int, int] = (0, 0)) -> None:
        self._size = size
        self._cursor = None
        width, height = size
        self._rows = [Row([UNKNOWN] * width) for _ in range(height)]

    def diff(self, data: str, size: tuple[int, int]) -> str:
        """What to send instead of `data` to a terminal of this size."""
        if size != self._size:
            self.invalidate(size)
        if MOVES_NOTHING.fullmatch(data):
            return data
        try:
            spans, cursor = self._read(data)
        except UnknownSequence:
            self.invalidate()
            return data
        self._cursor = cursor
        writer = Writer(size[0])
        for span in spans:
            self._take(span, writer)
        writer.rest(*cursor)
        return writer.text

    def paint(self, spans: Sequence[Span], size: tuple[int, int]) -> str | None:
        """What to send so that these cells stand there; None if too little is known of the terminal for that."""
        if size != self._size or self._cursor is None or not all(map(self._can_take, spans)):
            return None
        writer = Writer(size[0])
        for span in spans:
            self._take(span, writer)
        if writer.text:
            writer.rest(*self._cursor)
        return writer.text

    def _can_take(self, span: Span) -> bool:
        width, height = self._size
        fits = span.row < height and span.column + len(span.cells) <= width
        return fits and span.is_narrow and self._rows[span.row].is_narrow

    def _read(self, data: str) -> tuple[list[Span], tuple[int, int]]:
        spans: list[Span] = []
        style, at, cursor, goes_on = "", 0, None, False
        for found in TOKENS.finditer(data):
            if found.start() != at:
                raise UnknownSequence
            at = found.end()
            more, text, plain, to_row, to_column, change, _line = found.groups()
            if text is not None:
                if more is not None:
                    style = sgr.joined(style, more)
                cursor = self._lay(spans, cursor, _cells(text, style), goes_on=goes_on)
                style, goes_on = "" if plain is not None else style, True
            elif to_row is not None:
                cursor, goes_on = (int(to_row) - 1, int(to_column) - 1), False
            elif change is not None:
                style = sgr.joined(style, change)
            else:
                cursor = None
        if cursor is None or at != len(data):
            raise UnknownSequence
        return spans, cursor

    def _lay(
        self,
        spans: list[Span],
        cursor: tuple[int, int] | None,
        read: tuple[tuple[Cell, ...], bool],
        *,
        goes_on: bool,
    ) -> tuple[int, int]:
        """Put cells where the cursor is; gives where it is then."""
        if cursor is None:
            raise UnknownSequence
        row, column = cursor
        cells, is_narrow = read
        end = column + len(cells)
        if row >= self._size[1] or end > self._size[0]:
            raise UnknownSequence
        last = spans[-1] if spans else None
        if last and last.ends_at(row, column) and (last.is_narrow or goes_on):
            last.cells += cells
            last.is_narrow &= is_narrow
        else:
            spans.append(Span(row, column, list(cells), is_narrow))
        return row, end

    def _take(self, span: Span, writer: Writer) -> None:
        """Write what differs, and keep it."""
        row, start, end = self._rows[span.row], span.column, span.column + len(span.cells)
        before = row.cells[start:end]
        if row.is_narrow and before == span.cells:
            return
        row.cells[start:end] = span.cells
        if row.is_narrow and span.is_narrow:
            changed = [
                start + at
                for at, (old, new) in enumerate(zip(before, span.cells, strict=True))
                if old != new
            ]
            writer.write(span.row, row.cells, changed)
            return
        # Terminals disagree about wide characters: a row that has some is sent as it was painted.
        row.is_narrow = all(len(character) == 1 for character, _style in row.cells)
        if span.is_narrow:
            writer.write(span.row, row.cells, range(start, end))
        else:
            writer.write_wide(span.row, start, span.cells)


@lru_cache(128)
def _cells(text: str, parameters: str) -> tuple[tuple[Cell, ...], bool]:
    """The cells of a text, and whether all of them are one column wide."""
    style = sgr.read(parameters)
    if cell_len(text) == len(text) and (text.isascii() or _is_narrow(text)):
        return tuple(sgr.seen(character, style) for character in text), True
    cells: list[Cell] = []
    for character in text:
        size = get_character_cell_size(character)
        if size == 0 and cells:
            cells[-1] = cells[-1][0] + character, cells[-1][1]
        else:
            cells += [sgr.seen(character, style), ("", style)][:size]
    return tuple(cells), False


def code_of(painted: str) -> Style:
    """The style of a piece of text, by the sequence that sets it."""
    found = TOKENS.match(painted)
    return sgr.read(found["style"] or "" if found else "")


def read_cells(painted: str) -> list[Cell]:
    """The cells of a line, which sets the style of each piece and resets it."""
    found = [each for each in TOKENS.finditer(painted) if each["text"] is not None]
    return [cell for each in found for cell in _cells(each["text"], each["style"] or "")[0]]


def _is_narrow(text: str) -> bool:
    return all(get_character_cell_size(character) == 1 for character in set(text))
