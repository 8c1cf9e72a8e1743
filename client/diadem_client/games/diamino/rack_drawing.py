"""The rack of Diamino: tiles as large as there is room for, and what is marked or laid."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from diadem_client.board.canvas import Canvas, Ink, Rect
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_shared.games.diamino.tiles import JOKER

LARGE_PITCH, LARGE_ROWS, LOW_ROWS = 6, 3, 2
TILE = 3
LEDGE = Paint("rack")
PLACES = 1_000
"""The number of a click on the first tile; fields have lower ones."""


class Held(Struct, frozen=True):
    """A place of the rack."""

    tile: str
    marked: bool
    laid: bool
    """Its tile lies on the board for a try, and the place is empty."""


class Rack(Struct, frozen=True):
    tiles: str
    """The hand as the player has arranged it."""
    values: Mapping[str, int]
    laid: str = ""
    """Those of them that lie on the board for a try."""
    marked: str = ""
    joker: bool = False
    """The next letter is laid with a joker."""

    @property
    def shown(self) -> Iterator[Held]:
        """Each place. A tile that is laid leaves a gap: the others stay where they are."""
        laid, marked = Counter(self.laid), Counter(JOKER if self.joker else self.marked)
        for tile in self.tiles:
            left = laid if laid[tile] > 0 else marked
            yield Held(tile, marked=left is marked and marked[tile] > 0, laid=left is laid)
            left[tile] -= 1


def draw(canvas: Canvas, rack: Rack, area: Rect) -> None:
    fits = len(rack.tiles) * LARGE_PITCH <= area.width - 4
    if fits and area.height >= LARGE_ROWS:
        _draw_large(canvas, rack, area)
    elif fits and area.height == LOW_ROWS and not canvas.line_drawn:
        _draw_low(canvas, rack, area)
    else:
        _draw_small(canvas, rack, area)


def _value(canvas: Canvas, rack: Rack, held: Held) -> str:
    return " " if held.tile == JOKER else canvas.subscript(rack.values.get(held.tile, 0))


def _face(held: Held) -> str:
    return f" [{held.tile}] " if held.marked else f"  {held.tile}  "


def _paint(held: Held, ground: str) -> Paint:
    if held.marked:
        return Ink.CURSOR
    return Paint("joker" if held.tile == JOKER else "ink", ground, "b")


def _draw_large(canvas: Canvas, rack: Rack, area: Rect) -> None:
    """Tiles of five by two on a wooden ledge."""
    x, y = area.x + 4, area.y
    for number, held in enumerate(rack.shown):
        if held.laid:
            canvas.put(x + 2, y + 1, canvas.sign(signs.DOT), Ink.DOT)
        else:
            canvas.place(Rect(x, y, LARGE_PITCH - 1, 2), PLACES + number)
            canvas.put(x, y, _face(held), _paint(held, "tile"))
            canvas.put(x, y + 1, f"   {_value(canvas, rack, held)} ", _paint(held, "edge"))
        x += LARGE_PITCH
    _draw_ledge(canvas, area, y + 2)


def _draw_low(canvas: Canvas, rack: Rack, area: Rect) -> None:
    """Tiles of a row and a half, where there is no row between board and rack."""
    x, y = area.x + 4, area.y
    for number, held in enumerate(rack.shown):
        if held.laid:
            canvas.put(x + 2, y + 1, canvas.sign(signs.DOT), Ink.DOT)
        else:
            canvas.place(Rect(x, y, LARGE_PITCH - 1, 2), PLACES + number)
            paint = _paint(held, "hand")
            canvas.put(x, y, canvas.sign(signs.LOWER_HALF) * 5, Paint(paint.ground))
            value = _value(canvas, rack, held)
            face = _face(held) if held.marked else f"  {held.tile}{value} "
            canvas.put(x, y + 1, face, paint)
        x += LARGE_PITCH


Line: TypeAlias = list[tuple[int, int, Held]]
"""Tiles of a row: the column, and the number of its place."""


def rows_needed(rack: Rack, width: int) -> int:
    """Rows of small tiles."""
    return len(_lines(rack, width))


def _lines(rack: Rack, width: int) -> list[Line]:
    lines: list[Line] = [[]]
    x, before = 1, ""
    for place, held in enumerate(rack.shown, start=PLACES):
        x += bool(before and held.tile != before)
        if x + TILE > width:
            lines.append([])
            x = 1
        lines[-1].append((x, place, held))
        x, before = x + TILE, held.tile
    return lines


def _draw_small(canvas: Canvas, rack: Rack, area: Rect) -> None:
    """Tiles of three by one: equal letters touch, others stand apart; as many rows as it takes.

    A single row of them that has no more than two is made half a row higher, as the large ones are there.
    """
    lines = _lines(rack, area.width)
    raised = len(lines) == 1 and area.height == LOW_ROWS and not canvas.line_drawn
    ledge = area.height > len(lines) and not raised
    step = 2 if 2 * len(lines) - 1 < area.height - ledge + 1 else 1
    for number, line in enumerate(lines):
        y = area.y + number * step + raised
        if y >= area.y + area.height:
            break
        for column, place, held in line:
            x = area.x + column
            if held.laid:
                canvas.put(x + 1, y, canvas.sign(signs.DOT), Ink.DOT)
                continue
            canvas.place(Rect(x, y, TILE, 1), place)
            left = "[" if held.marked else canvas.sign(signs.TILE)
            right = "]" if held.marked else _value(canvas, rack, held)
            paint = _paint(held, "hand")
            if raised:
                canvas.put(x, y - 1, canvas.sign(signs.LOWER_HALF) * TILE, Paint(paint.ground))
            canvas.put(x, y, left, paint if held.marked else Paint("ink", paint.ground, "b"))
            canvas.put(x + 1, y, held.tile + right, paint)
    if ledge:
        _draw_ledge(canvas, area, min(area.y + area.height - 1, area.y + len(lines) * step))


def _draw_ledge(canvas: Canvas, area: Rect, y: int) -> None:
    canvas.put(area.x, y, canvas.sign(signs.LEDGE) * area.width, LEDGE)
