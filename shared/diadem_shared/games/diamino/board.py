"""The board: its fields, their names, and the letters lying on it.

A square is a number, row after row from 0 at A1 (top left). A lying letter is one character: upper
case for an ordinary tile, lower case for a joker that stands for that letter, a dot for none.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib import resources
from string import ascii_letters, ascii_uppercase
from typing import ClassVar

import msgspec

EMPTY = "."
SHORTEST_SIDE = 5
LONGEST_SIDE = 26
SHIPPED = ("leaflet",)
"""Boards that come along besides the standard one; a table may name them instead of bringing a text."""
FIELD_NAME = re.compile(r"([A-Z])([1-9][0-9]?)")


class FieldKind(StrEnum):
    """What a field is, by the character that draws it in a board's text."""

    PLAIN = "."
    START = "S"
    BLACK = "#"
    GREEN = "g"
    RED = "R"


class BadBoard(ValueError):
    """A board's text that cannot be used; what the code is about are its attributes."""

    code: ClassVar[str]


class NoFields(BadBoard):
    """The text has no rows."""

    code = "no_fields"


class UnknownKind(BadBoard):
    """A character stands for no kind of field."""

    code = "unknown_kind"

    def __init__(self, row: int, character: str) -> None:
        super().__init__(f"row {row}: no field is drawn {character!r}")
        self.row = row
        self.character = character


class UnevenRows(BadBoard):
    """A row is longer or shorter than the first."""

    code = "uneven_rows"

    def __init__(self, row: int, fields: int, expected: int) -> None:
        super().__init__(f"row {row} has {fields} fields, the first has {expected}")
        self.row = row
        self.fields = fields
        self.expected = expected


class TooLarge(BadBoard):
    """A side is longer than there are letters to name its columns."""

    code = "too_large"

    def __init__(self, width: int, height: int) -> None:
        super().__init__(f"{width} by {height} is more than {LONGEST_SIDE} a side")
        self.width = width
        self.height = height


class NotOneStart(BadBoard):
    """The board has no start field, or several."""

    code = "not_one_start"

    def __init__(self, starts: int) -> None:
        super().__init__(f"a board has one start field, not {starts}")
        self.starts = starts


class TooSmall(BadBoard):
    """A side is too short for a game."""

    code = "too_small"

    def __init__(self, width: int, height: int) -> None:
        super().__init__(f"{width} by {height} is less than {SHORTEST_SIDE} a side")
        self.width = width
        self.height = height


class WalledStart(BadBoard):
    """No word can be laid from the start (M-4): what is right, below and above is black, or no field."""

    code = "walled_start"


class BadLetters(ValueError):
    """Lying letters that do not fit the board."""


def coordinates(name: str) -> tuple[int, int] | None:
    """Row and column of a field name such as "H8"; None if it names no field of any board."""
    match = FIELD_NAME.fullmatch(name)
    return match and (int(match[2]) - 1, ascii_uppercase.index(match[1]))


def field_name(row: int, column: int) -> str:
    return f"{ascii_uppercase[column]}{row + 1}"


class Layout(msgspec.Struct, frozen=True):
    """An empty board."""

    width: int
    height: int
    fields: str

    def kind(self, square: int) -> FieldKind:
        return FieldKind(self.fields[square])

    @property
    def start(self) -> int:
        return self.fields.index(FieldKind.START)

    def name(self, square: int) -> str:
        return field_name(*divmod(square, self.width))

    def square(self, name: str) -> int | None:
        """The square a name stands for, or None when it lies off this board."""
        place = coordinates(name)
        if place is None or place[0] >= self.height or place[1] >= self.width:
            return None
        return place[0] * self.width + place[1]

    def __str__(self) -> str:
        rows = (self.fields[at : at + self.width] for at in range(0, len(self.fields), self.width))
        return "".join(" ".join(row) + "\n" for row in rows)


def parse_layout(text: str) -> Layout:
    """Read a board: one line a row, one character a field; spaces between fields are free."""
    rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    if not rows:
        raise NoFields("a board needs at least one row")
    width = len(rows[0])
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise UnevenRows(number, len(row), width)
        for character in row:
            if character not in set(FieldKind):
                raise UnknownKind(number, character)
    if max(width, len(rows)) > LONGEST_SIDE:
        raise TooLarge(width, len(rows))
    fields = "".join(rows)
    if fields.count(FieldKind.START) != 1:
        raise NotOneStart(fields.count(FieldKind.START))
    return Layout(width, len(rows), fields)


def check_layout(layout: Layout) -> None:
    """BadBoard for one that can be read, but is none to begin a game on."""
    if min(layout.width, layout.height) < SHORTEST_SIDE:
        raise TooSmall(layout.width, layout.height)
    if not any(layout.kind(square) is not FieldKind.BLACK for square in _second_fields(layout)):
        raise WalledStart("no word can be laid from the start")


def _second_fields(layout: Layout) -> Iterator[int]:
    """Where the second letter of the first word may lie: right of the start, below or above it."""
    row, column = divmod(layout.start, layout.width)
    if column + 1 < layout.width:
        yield layout.start + 1
    if row + 1 < layout.height:
        yield layout.start + layout.width
    if row > 0:
        yield layout.start - layout.width


def standard_layout() -> Layout:
    """The 15 by 15 board of M-2."""
    return shipped_layout("standard")


@cache
def shipped_layout(name: str) -> Layout:
    """A board whose text is package data beside the code: read once, never written, the same wherever
    the package is installed."""
    return parse_layout(resources.files(__package__).joinpath(f"boards/{name}.txt").read_text())


class Board(msgspec.Struct, frozen=True):
    """A layout and the letters lying on it."""

    layout: Layout
    letters: str

    def __post_init__(self) -> None:
        if len(self.letters) != len(self.layout.fields):
            raise BadLetters(f"{len(self.letters)} letters on {len(self.layout.fields)} fields")
        if not set(self.letters) <= {EMPTY, *ascii_letters}:
            raise BadLetters("a lying letter is one of A-Z, or a-z for a joker")

    @property
    def is_empty(self) -> bool:
        return self.letters.count(EMPTY) == len(self.letters)

    def with_tiles(self, tiles: Mapping[int, str]) -> "Board":
        letters = list(self.letters)
        for square, tile in tiles.items():
            letters[square] = tile
        return Board(self.layout, "".join(letters))


def empty_board(layout: Layout) -> Board:
    return Board(layout, EMPTY * len(layout.fields))
