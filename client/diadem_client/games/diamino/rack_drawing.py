"""The rack of Diamino: tiles as large as there is room for, and what is marked or laid."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from diadem.games.diamino.tiles import JOKER
from diadem_client.board.canvas import Canvas, Ink, Rect
from diadem_client.look import signs
from diadem_client.look.palette import Paint

LARGE_PITCH, LARGE_ROWS, LOW_ROWS = 6, 3, 2
TILE = 3
LEDGE = Paint("rack")
PLACES = 1_000
"""The number of a click on the first tile; fields have lower ones."""


class Rack(Struct, frozen=True):
    tiles: str
    """Those that are there, as the player has arranged them."""
    values: Mapping[str, int]
    gaps: int = 0
    """Tiles that lie on the board for a try."""
    marked: str = ""
    joker: bool = False
    """The next letter is laid with a joker."""

    @property
    def shown(self) -> Iterator[tuple[str, bool]]:
        """Each tile, and whether it is marked."""
        marked = Counter(JOKER if self.joker else self.marked)
        for tile in self.tiles:
            yield tile, marked[tile] > 0
            marked[tile] -= 1


def draw(canvas: Canvas, rack: Rack, area: Rect) -> None:
    count = len(rack.tiles) + rack.gaps
    fits = count * LARGE_PITCH <= area.width - 4
    if fits and area.height >= LARGE_ROWS:
        _draw_large(canvas, rack, area)
    elif fits and area.height == LOW_ROWS and not canvas.line_drawn:
        _draw_low(canvas, rack, area)
    else:
        _draw_small(canvas, rack, area)


def _value(canvas: Canvas, rack: Rack, tile: str) -> str:
    return " " if tile == JOKER else canvas.subscript(rack.values.get(tile, 0))


def _paint(tile: str, ground: str, *, marked: bool) -> Paint:
    if marked:
        return Ink.CURSOR
    return Paint("joker" if tile == JOKER else "ink", ground, "b")


def _draw_large(canvas: Canvas, rack: Rack, area: Rect) -> None:
    """Tiles of five by two on a wooden ledge."""
    x, y = area.x + 4, area.y
    for number, (tile, marked) in enumerate(rack.shown):
        canvas.place(Rect(x, y, LARGE_PITCH - 1, 2), PLACES + number)
        face = f" [{tile}] " if marked else f"  {tile}  "
        canvas.put(x, y, face, _paint(tile, "tile", marked=marked))
        low = _paint(tile, "edge", marked=marked)
        canvas.put(x, y + 1, f"   {_value(canvas, rack, tile)} ", low)
        x += LARGE_PITCH
    for _gap in range(rack.gaps):
        canvas.put(x + 2, y + 1, canvas.sign(signs.DOT), Ink.DOT)
        x += LARGE_PITCH
    _draw_ledge(canvas, area, y + 2)


def _draw_low(canvas: Canvas, rack: Rack, area: Rect) -> None:
    """Tiles of a row and a half, where there is no row between board and rack."""
    x, y = area.x + 4, area.y
    for number, (tile, marked) in enumerate(rack.shown):
        canvas.place(Rect(x, y, LARGE_PITCH - 1, 2), PLACES + number)
        paint = _paint(tile, "tile", marked=marked)
        canvas.put(x, y, canvas.sign(signs.LOWER_HALF) * 5, Paint(paint.ground))
        face = f" [{tile}] " if marked else f"  {tile}{_value(canvas, rack, tile)} "
        canvas.put(x, y + 1, face, paint)
        x += LARGE_PITCH
    for _gap in range(rack.gaps):
        canvas.put(x + 2, y + 1, canvas.sign(signs.DOT), Ink.DOT)
        x += LARGE_PITCH


Line: TypeAlias = list[tuple[int, int, str, bool]]
"""Tiles of a row: the column, its place, the letter, and whether it is marked."""


def rows_needed(rack: Rack, width: int) -> int:
    """Rows of small tiles."""
    return len(_lines(rack, width))


def _lines(rack: Rack, width: int) -> list[Line]:
    lines: list[Line] = [[]]
    x, before = 1, ""
    for place, (tile, marked) in enumerate(rack.shown, start=PLACES):
        x += bool(before and tile != before)
        if x + TILE > width:
            lines.append([])
            x = 1
        lines[-1].append((x, place, tile, marked))
        x, before = x + TILE, tile
    return lines


def _draw_small(canvas: Canvas, rack: Rack, area: Rect) -> None:
    """Tiles of three by one: equal letters touch, others stand apart; as many rows as it takes."""
    lines = _lines(rack, area.width)
    ledge = area.height > len(lines)
    step = 2 if 2 * len(lines) - 1 < area.height - ledge + 1 else 1
    for number, line in enumerate(lines):
        y = area.y + number * step
        if y >= area.y + area.height:
            break
        for column, place, tile, marked in line:
            canvas.place(Rect(area.x + column, y, TILE, 1), place)
            left = "[" if marked else canvas.sign(signs.TILE)
            right = "]" if marked else _value(canvas, rack, tile)
            paint = _paint(tile, "tile", marked=marked)
            canvas.put(
                area.x + column, y, left, Paint("ink", paint.ground, "b") if not marked else paint
            )
            canvas.put(area.x + column + 1, y, tile + right, paint)
    if ledge:
        _draw_ledge(canvas, area, min(area.y + area.height - 1, area.y + len(lines) * step))


def _draw_ledge(canvas: Canvas, area: Rect, y: int) -> None:
    canvas.put(area.x, y, canvas.sign(signs.LEDGE) * area.width, LEDGE)
