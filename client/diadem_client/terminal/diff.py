"""Sends the terminal only the cells that differ between two frames, in few bytes.

Textual repaints more than has changed, and sets all colours before every piece of text. Here each
frame is compared, cell by cell, with a buffer of the screen, and only the difference is passed on.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct
from rich.cells import cell_len, get_character_cell_size

TOKENS = re.compile(
    r"\x1b\[(?P<row>\d+);(?P<column>\d+)H"
    r"|\x1b\[(?P<style>[\d;]*)m"
    r"|(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
    r"|(?P<line>\r?\n)"
)
MOVES_NOTHING = re.compile(
    r"(\x1b\[\?(25|2026)[hl]|\x07|\x1b\][012];[^\x00-\x1f]*(\x07|\x1b\\)|\x1b\[2[23];[012]t)*"
)
"""Sequences that change no cell: cursor, synchronized output, bell, window title."""
MAX_GAP = 4
"""Unchanged cells that are cheaper to write again than to skip."""
UNKNOWN = ""
"""The content of a cell that is not known, and of the second cell of a wide character."""
GROUNDS = {"3": "letter", "9": "letter", "4": "ground", "10": "ground"}
WEIGHT_OFF = "22"
TURNED_OFF_BY = {
    "1": WEIGHT_OFF,
    "2": WEIGHT_OFF,
    "3": "23",
    "4": "24",
    "5": "25",
    "7": "27",
    "9": "29",
    "letter": "39",
    "ground": "49",
}
SEEN_ON_BLANKS = {"4", "5", "7", "9"}

Cells: TypeAlias = tuple[list[str], list[str]]
"""The characters of a row or of a part of it, and their styles."""


class CellRun(Struct):
    row: int
    column: int
    characters: list[str]
    styles: list[str]


class UnknownSequence(Exception):
    """The frame holds more than styled text at given places."""


class ScreenBuffer:
    """What the terminal shows, as far as it is known."""

    def __init__(self) -> None:
        self._size = (0, 0)
        self._rows: list[Cells] = []

    def invalidate(self, size: tuple[int, int] = (0, 0)) -> None:
        self._size = size
        width, height = size
        self._rows = [([UNKNOWN] * width, [""] * width) for _ in range(height)]

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
        writer = _Writer()
        for span in spans:
            for start, end in self._changes(span):
                writer.move(span.row, span.column + start)
                writer.write(span.characters[start:end], span.styles[start:end])
            self._keep(span)
        writer.rest(*cursor)
        return writer.text

    def _read(self, data: str) -> tuple[list[CellRun], tuple[int, int]]:
        spans: list[CellRun] = []
        style, at, cursor = "", 0, None
        while at < len(data):
            found = TOKENS.match(data, at)
            if found is None:
                raise UnknownSequence
            at = found.end()
            match found.lastgroup:
                case "column":
                    cursor = int(found["row"]) - 1, int(found["column"]) - 1
                case "style":
                    style = _joined(style, found["style"])
                case "line":
                    cursor = None
                case _ if cursor is None:
                    raise UnknownSequence
                case _:
                    characters, styles = _cells(found["text"], style)
                    row, column = cursor
                    cursor = row, column + len(characters)
                    if row >= self._size[1] or cursor[1] > self._size[0]:
                        raise UnknownSequence
                    last = spans[-1] if spans else None
                    if last and (last.row, last.column + len(last.characters)) == (row, column):
                        last.characters += characters
                        last.styles += styles
                    else:
                        spans.append(CellRun(row, column, characters, styles))
        if cursor is None:
            raise UnknownSequence
        return spans, cursor

    def _changes(self, span: CellRun) -> Iterator[tuple[int, int]]:
        """The ranges in which a run of cells differs from the buffer; small gaps are included."""
        there, how = self._rows[span.row]
        size = len(span.characters)
        if set(map(len, there)) != {1} or set(map(len, span.characters)) != {1}:
            # Terminals disagree about wide characters: a row that has some is sent whole.
            yield 0, size
            return
        column = span.column
        old = zip(there[column : column + size], how[column : column + size], strict=True)
        new = zip(span.characters, span.styles, strict=True)
        start = end = -1
        for at, (before, after) in enumerate(zip(old, new, strict=True)):
            if before == after:
                continue
            if start >= 0 and at - end > MAX_GAP:
                yield start, end
                start = at
            start, end = (at if start < 0 else start), at + 1
        if start >= 0:
            yield start, end

    def _keep(self, span: CellRun) -> None:
        characters, styles = self._rows[span.row]
        end = span.column + len(span.characters)
        characters[span.column : end] = span.characters
        styles[span.column : end] = span.styles


class _Writer:
    """Writes cells, and tracks the cursor and the current style."""

    def __init__(self) -> None:
        self.text = ""
        self._style = ""
        self._at: tuple[int, int] | None = None

    def move(self, row: int, column: int) -> None:
        if self._at == (row, column):
            return
        if self._at is not None and self._at[0] == row and self._at[1] < column:
            self.text += f"\x1b[{column - self._at[1]}C"
        elif column == 0:
            self.text += f"\x1b[{row + 1}H"
        else:
            self.text += f"\x1b[{row + 1};{column + 1}H"
        self._at = row, column

    def write(self, characters: list[str], styles: list[str]) -> None:
        out = []
        for character, style in zip(characters, styles, strict=True):
            blank = character == " " and _of_a_blank(self._style) == style
            if style != self._style and not blank:
                out.append(_change(self._style, style))
                self._style = style
            out.append(character)
        self.text += "".join(out)
        if self._at is not None:
            self._at = self._at[0], self._at[1] + len(characters)

    def rest(self, row: int, column: int) -> None:
        """Reset the style and put the cursor where the frame leaves it."""
        self.text += _change(self._style, "")
        self._at = None
        self.move(row, column)


def _cells(text: str, style: str) -> tuple[list[str], list[str]]:
    if cell_len(text) == len(text) and (text.isascii() or _is_narrow(text)):
        characters = list(text)
    else:
        characters = []
        for character in text:
            size = get_character_cell_size(character)
            if size == 0 and characters:
                characters[-1] += character
            else:
                characters += [character, UNKNOWN][:size]
    styles = [style] * len(characters)
    if " " in text:
        blank = _of_a_blank(style)
        if blank != style:
            styles = [blank if each == " " else style for each in characters]
    return characters, styles


def _is_narrow(text: str) -> bool:
    return all(get_character_cell_size(character) == 1 for character in text)


# A style is the SGR parameters that lead to it from the plain state, such as "1;38;5;203"


def _joined(before: str, more: str) -> str:
    if more in {"", "0"}:
        return ""
    return f"{before};{more}" if before else more


@lru_cache(1024)
def _parts(style: str) -> dict[str, str]:
    """The parts of a style: foreground, background, and each attribute."""
    parts: dict[str, str] = {}
    numbers = iter(style.split(";") if style else [])
    for number in numbers:
        if number in {"38", "48"}:
            kind = next(numbers, "")
            more = [next(numbers, "") for _ in range(1 if kind == "5" else 3)]
            parts[GROUNDS[number[:-1]]] = ";".join([number, kind, *more])
        else:
            parts[GROUNDS.get(number[:-1], number)] = number
    return parts


@lru_cache(1024)
def _of_a_blank(style: str) -> str:
    """The part of a style that shows on a blank cell."""
    parts = _parts(style)
    return parts.get("ground", "") if SEEN_ON_BLANKS.isdisjoint(parts) else style


@lru_cache(1024)
def _change(before: str, after: str) -> str:
    """The shortest sequence from one style to another."""
    if not after:
        return "\x1b[m" if before else ""
    old, new = _parts(before), _parts(after)
    anew = f"\x1b[0;{after}m"
    gone = [part for part in old if part not in new]
    if any(part not in TURNED_OFF_BY for part in gone):
        return anew
    off = list(dict.fromkeys(TURNED_OFF_BY[part] for part in gone))
    weights = {"1", "2"} if WEIGHT_OFF in off else set()
    on = [code for part, code in new.items() if part in weights or old.get(part) != code]
    return min(f"\x1b[{';'.join(off + on)}m", anew, key=len)
