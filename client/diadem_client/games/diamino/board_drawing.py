"""The board of Diamino: tiles are painted blocks, fields are dark.

What is what shows without colours: a tile is a letter with its value, a joker has a star for it. Its left
cell says how it lies there: by the last play, as a draft, or to be judged. Everything else is no letter.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from diadem_client.board.canvas import Canvas, Ink, Rect
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.look.signs import Sign
from diadem_shared.games.diamino.board import EMPTY, Board, FieldKind
from diadem_shared.games.diamino.play import Direction

RULER = 3
"""Columns for the numbers of the rows, and one row for the letters of the columns."""

GROUND = {
    FieldKind.PLAIN: (signs.EMPTY, Paint("hole", "board", "b")),
    FieldKind.START: (signs.START, Paint("start_sign", "start", "b")),
    FieldKind.BLACK: (signs.BLACK, Paint("black", "board", "b")),
    FieldKind.GREEN: (signs.GREEN_DEVIL, Paint("green_sign", "green_devil", "b")),
    FieldKind.RED: (signs.RED_DEVIL, Paint("red_sign", "red_devil", "b")),
}
HEADS = {
    FieldKind.GREEN: ("\u2599\u2584\u259f", "\u259a\u2588\u259e"),
    FieldKind.RED: ("\u2599\u2584\u259f", "\u259c\u2584\u259b"),
}
"""Heads with horns, in quarters of cells, where a field has two rows."""
LIES = {
    "tile": signs.TILE,
    "fresh": signs.FRESH,
    "draft": signs.DRAFT,
    "judged": signs.JUDGED,
}
GLOW = ("cursor", "fresh", "fresh.edge")
"""The grounds on which the tiles of a play light up, one after the other."""
LIES |= dict.fromkeys(GLOW, signs.FRESH)
"""How a tile may lie there: the role of its ground, and the sign in its left cell."""


class RenderModel(Struct, frozen=True):
    """What lies on the board, and what is tried there."""

    board: Board
    values: Mapping[str, int]
    tried: Mapping[int, str] = {}
    pending: Mapping[int, str] = {}
    fresh: frozenset[int] = frozenset()
    """The squares of the last plays."""
    glowing: frozenset[int] = frozenset()
    """Those of the newest of them, while they light up."""
    glow: str = "fresh"
    """The role of their ground just now."""
    cursor: int | None = None
    direction: Direction = Direction.ACROSS

    def tile(self, square: int) -> tuple[str, str]:
        """The role of its ground, and the letter; none where no tile lies."""
        if square in self.pending:
            return "judged", self.pending[square]
        lying = self.board.letters[square]
        if lying != EMPTY:
            if square in self.glowing:
                return self.glow, lying
            return "fresh" if square in self.fresh else "tile", lying
        if square in self.tried:
            return "draft", self.tried[square]
        return "", ""


class Scale(Struct, frozen=True):
    """How many cells a field takes."""

    width: int
    height: int

    def board_width(self, board: Board) -> int:
        return RULER + self.width * board.layout.width

    def board_height(self, board: Board) -> int:
        return 1 + self.height * board.layout.height


SMALL, LARGE = Scale(3, 1), Scale(5, 2)


def draw(canvas: Canvas, model: RenderModel, area: Rect, scale: Scale) -> None:
    """As much of the board as there is room for, with the cursor in it."""
    layout = model.board.layout
    columns = min(layout.width, (area.width - RULER) // scale.width)
    rows = min(layout.height, (area.height - 1) // scale.height)
    row, column = divmod(layout.start if model.cursor is None else model.cursor, layout.width)
    part = Rect(
        _window(column, columns, layout.width), _window(row, rows, layout.height), columns, rows
    )
    lying = replace(model, tried={}, cursor=None, direction=Direction.ACROSS)
    canvas.keep(
        "board", (lying, part, scale), area, lambda: _draw_lying(canvas, lying, part, area, scale)
    )
    for square in {*model.tried, *(() if model.cursor is None else (model.cursor,))}:
        _draw_field(canvas, model, square, part, area, scale)


def _draw_lying(canvas: Canvas, model: RenderModel, part: Rect, area: Rect, scale: Scale) -> None:
    """Everything but the draft and the cursor: it stays the same for many keys."""
    layout = model.board.layout
    for across in range(part.width):
        name = layout.name(part.x + across)[0]
        at = area.x + RULER + across * scale.width + scale.width // 2
        canvas.put(at, area.y, name, Ink.FAINT)
    for down in range(part.height):
        y = area.y + 1 + down * scale.height
        canvas.put(area.x, y, f"{part.y + down + 1:>2}", Ink.FAINT)
        for across in range(part.width):
            square = (part.y + down) * layout.width + part.x + across
            x = area.x + RULER + across * scale.width
            canvas.place(Rect(x, y, scale.width, scale.height), square)
            _draw_field(canvas, model, square, part, area, scale)


def _draw_field(
    canvas: Canvas, model: RenderModel, square: int, part: Rect, area: Rect, scale: Scale
) -> None:
    row, column = divmod(square, model.board.layout.width)
    if not part.holds(column, row):
        return
    x = area.x + RULER + (column - part.x) * scale.width
    y = area.y + 1 + (row - part.y) * scale.height
    (_large_field if scale is LARGE else _small_field)(canvas, model, square, x, y)


def _window(at: int, size: int, whole: int) -> int:
    return max(0, min(at - size // 2, whole - size))


def ground_of(canvas: Canvas, kind: FieldKind) -> tuple[Sign, Paint]:
    """How a field without a tile is drawn; signs of ASCII do not fill it, so its ground has to."""
    if canvas.ascii_only and kind is FieldKind.BLACK:
        return signs.BLACK, Paint("dot", "black", "b")
    return GROUND[kind]


def value_of(canvas: Canvas, letter: str, values: Mapping[str, int]) -> str:
    return "*" if letter.islower() else canvas.subscript(values.get(letter, 0))


def pointer(model: RenderModel) -> Sign:
    return signs.ACROSS if model.direction is Direction.ACROSS else signs.DOWN


def _paints(model: RenderModel, square: int, state: str, letter: str) -> tuple[Paint, Paint]:
    """Of the left cell and of the letter of a tile."""
    if square == model.cursor:
        return Ink.CURSOR, Ink.CURSOR
    if state == "cursor":
        return Ink.CURSOR, Ink.CURSOR
    ink = "joker" if letter.islower() and state != "judged" else "ink"
    return Paint("ink", state, "b"), Paint(ink, state, "b")


def _small_field(canvas: Canvas, model: RenderModel, square: int, x: int, y: int) -> None:
    state, letter = model.tile(square)
    points = square == model.cursor
    if letter:
        left, paint = _paints(model, square, state, letter)
        canvas.put(x, y, canvas.sign(pointer(model) if points else LIES[state]), left)
        value = value_of(canvas, letter, model.values)
        canvas.put(x + 1, y, letter.upper() + value, paint)
        return
    kind = model.board.layout.kind(square)
    sign, paint = ground_of(canvas, kind)
    text = canvas.sign(sign)
    if points:
        arrow, paint = canvas.sign(pointer(model)), Ink.CURSOR
        text = f" {arrow} " if kind is FieldKind.PLAIN else arrow + text[1:]
    canvas.put(x, y, text, paint)


def _large_field(canvas: Canvas, model: RenderModel, square: int, x: int, y: int) -> None:
    state, letter = model.tile(square)
    points = square == model.cursor
    if letter:
        left, paint = _paints(model, square, state, letter)
        low = paint if points else Paint(paint.ink, _edge(paint.ground), "b")
        canvas.put(x, y, canvas.sign(pointer(model) if points else LIES[state]), left)
        canvas.put(x + 1, y, f" {letter.upper()}  ", paint)
        edge = " " if points or canvas.line_drawn else canvas.sign(signs.TILE)
        canvas.put(x, y + 1, edge, Paint(left.ink, low.ground, "b"))
        canvas.put(x + 1, y + 1, f"  {value_of(canvas, letter, model.values)} ".ljust(4)[-4:], low)
        return
    kind = model.board.layout.kind(square)
    sign, paint = ground_of(canvas, kind)
    text, below = canvas.sign(sign).center(5), "     "
    if kind is FieldKind.BLACK:
        text = below = canvas.sign(sign)[0] * 5
    elif kind in HEADS and not canvas.line_drawn:
        text, below = (f" {line} " for line in HEADS[kind])
    if points:
        arrow, paint = canvas.sign(pointer(model)), Ink.CURSOR
        text = arrow.center(5) if kind is FieldKind.PLAIN else arrow + text[1:]
    canvas.put(x, y, text, paint)
    canvas.put(x, y + 1, below, paint)


EDGES = {each: f"{each}.edge" for each in ("fresh", "draft", "judged")} | {
    "tile": "edge",
    "fresh.edge": "fresh.edge",
    "cursor": "cursor",
}
"""The lower half of a tile is a little darker, which parts those above each other."""


def _edge(ground: str) -> str:
    return EDGES[ground]
