"""The board of Diamino in characters, in fields of two sizes.

What is what shows without colours: a tile is a capital; a joker has a star; a tile of the own draft
is a small letter; one that is being judged has a question mark. Everything else is no letter.
"""

from collections.abc import Mapping

from msgspec import Struct

from diadem.games.diamino.board import EMPTY, Board, FieldKind
from diadem.games.diamino.play import Direction
from diadem_client.board.canvas import Canvas, Ink, Rect

RULER = 3
"""Columns for the numbers of the rows, and one row for the letters of the columns."""

GROUND = {
    FieldKind.PLAIN: (" . ", Ink.FAINT),
    FieldKind.START: (" + ", Ink.STRONG),
    FieldKind.BLACK: ("###", Ink.FAINT),
    FieldKind.GREEN: ("(o)", Ink.GREEN),
    FieldKind.RED: ("<x>", Ink.RED),
}
SECOND_LINES = {
    FieldKind.PLAIN: "   ",
    FieldKind.START: "   ",
    FieldKind.BLACK: "###",
    FieldKind.GREEN: "/ \\",
    FieldKind.RED: "/ \\",
}


class Sight(Struct, frozen=True):
    """What lies on the board, and what is tried there."""

    board: Board
    values: Mapping[str, int]
    tried: Mapping[int, str] = {}
    pending: Mapping[int, str] = {}
    fresh: frozenset[int] = frozenset()
    """The squares of the last play."""
    cursor: int | None = None
    direction: Direction = Direction.ACROSS


class Scale(Struct, frozen=True):
    """How many cells a field takes."""

    width: int
    height: int

    def board_width(self, board: Board) -> int:
        return RULER + self.width * board.layout.width

    def board_height(self, board: Board) -> int:
        return 1 + self.height * board.layout.height


SMALL = Scale(3, 1)
TALL = Scale(3, 2)
WIDE = Scale(5, 1)
LARGE = Scale(5, 2)


def draw(canvas: Canvas, sight: Sight, area: Rect, scale: Scale) -> None:
    """As much of the board as there is room for, with the cursor in it."""
    layout = sight.board.layout
    columns = min(layout.width, (area.width - RULER) // scale.width)
    rows = min(layout.height, (area.height - 1) // scale.height)
    row, column = divmod(layout.start if sight.cursor is None else sight.cursor, layout.width)
    left = _window(column, columns, layout.width)
    top = _window(row, rows, layout.height)
    for across in range(columns):
        name = layout.name(left + across)[0]
        canvas.put(
            area.x + RULER + across * scale.width, area.y, name.center(scale.width), Ink.FAINT
        )
    for down in range(rows):
        y = area.y + 1 + down * scale.height
        canvas.put(area.x, y, f"{top + down + 1:>2}", Ink.FAINT)
        for across in range(columns):
            square = (top + down) * layout.width + left + across
            x = area.x + RULER + across * scale.width
            canvas.place(Rect(x, y, scale.width, scale.height), square)
            lines, ink = _field(sight, square, scale)
            for offset, line in enumerate(lines):
                canvas.put(x, y + offset, line, ink)


def _window(at: int, size: int, whole: int) -> int:
    return max(0, min(at - size // 2, whole - size))


def _field(sight: Sight, square: int, scale: Scale) -> tuple[list[str], Ink]:
    letter, mark, ink = _tile(sight, square)
    kind = sight.board.layout.kind(square)
    text = f" {letter}{mark}"
    if not letter:
        text, ink = GROUND[kind]
    lines = [text]
    if scale.height == LARGE.height:
        lines.append(_value(sight, letter) if letter else SECOND_LINES[kind])
    if scale.width == LARGE.width:
        edge = "#" if kind is FieldKind.BLACK and not letter else " "
        lines = [f"{edge}{line}{edge}" for line in lines]
    if square != sight.cursor:
        return lines, ink
    pointer = ">" if sight.direction is Direction.ACROSS else "v"
    lines[0] = pointer + lines[0][1:]
    return lines, Ink.CURSOR


def _tile(sight: Sight, square: int) -> tuple[str, str, Ink]:
    """The letter shown on a square, a mark beside it, and how it is written."""
    if square in sight.pending:
        return sight.pending[square].upper(), "?", Ink.FRESH
    lying = sight.board.letters[square]
    if lying != EMPTY:
        ink = Ink.FRESH if square in sight.fresh else Ink.STRONG
        return lying.upper(), "*" if lying.islower() else " ", ink
    if square in sight.tried:
        tile = sight.tried[square]
        return tile.lower(), "*" if tile.islower() else " ", Ink.DRAFT
    return "", "", Ink.PLAIN


def _value(sight: Sight, letter: str) -> str:
    return f"{sight.values.get(letter.upper(), 0):>3}"
