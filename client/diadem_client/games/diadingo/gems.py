"""The board of Diadingo: gems in rows, with letters at their left and numbers on them.

The hue of a gem is that of its row and says nothing more; it helps to find the letter.
"""

from collections.abc import Collection

from msgspec import Struct

from diadem_client.board.canvas import Canvas, Ink, Rect
from diadem_client.games.diadingo.draft import LETTERS, LONGEST, Aim, place
from diadem_client.look import art, signs
from diadem_client.look.palette import Paint
from diadem_shared.games.diadingo.board import ROWS, SPOTS, Spot
from diadem_shared.games.diadingo.table import PublicState

MARGIN = 4
"""Columns for the letters of the rows."""
FIXED = "fixed"


class Moment(Struct, frozen=True):
    """A diamond that was just tried."""

    spot: Spot
    loose: bool
    value: int
    """Of the ring it was tried for."""


class Scale(Struct, frozen=True):
    """How a gem is drawn, and how many cells lie from one to the next."""

    art: str
    width: int
    pitch: int
    height: int
    level: int = 0
    """The row of a gem in which its number stands."""

    @property
    def board_width(self) -> int:
        return MARGIN + self.pitch * LONGEST

    @property
    def board_height(self) -> int:
        return len(ROWS) * self.height


FLAT = Scale("gem_small", 5, 6, 1)
SMALL = Scale("gem_small", 5, 6, 2)
CLOSE = Scale("gem_large", 7, 8, 3, 1)
LARGE = Scale("gem_large", 7, 8, 4, 1)


class Gems(Struct, frozen=True):
    table: PublicState
    moment: Moment | None = None
    lifts: bool = False
    """Whether what a diamond brings stands where it came off."""
    fresh: Collection[Spot] = ()
    """Where diamonds came off since the player's last turn."""


def draw(canvas: Canvas, gems: Gems, x: int, y: int, scale: Scale) -> None:
    for row, letter in enumerate(LETTERS):
        first = x + MARGIN + (LONGEST - ROWS[row]) * scale.pitch // 2
        level = y + row * scale.height + scale.level
        canvas.put(first - 3, level, letter, Paint("faint", marks="b"))
    for spot in SPOTS:
        at = _at(spot, x, y, scale)
        canvas.place(Rect(at[0], at[1], scale.width, scale.height), SPOTS.index(spot))
        _draw_spot(canvas, gems, spot, at, scale)


def _draw_spot(canvas: Canvas, gems: Gems, spot: Spot, at: tuple[int, int], scale: Scale) -> None:
    level, middle = at[1] + scale.level, at[0] + scale.width // 2
    happened = gems.moment is not None and gems.moment.spot == spot
    if spot not in gems.table.board:
        text, paint = canvas.sign(signs.DOT), Ink.DOT
        if spot in gems.fresh:
            text, paint = canvas.sign(signs.FRESH), Ink.FRESH
        if happened and gems.moment is not None and gems.moment.loose:
            text, paint = canvas.sign(signs.YES), Ink.GOOD
            text = f"+{gems.moment.value}" if gems.lifts else text  # five cells: no room for a gap
        canvas.put(middle - len(text) // 2, level, text, paint)
    else:
        _draw_gem(canvas, gems, spot, at, scale, missed=happened)


def draw_aim(canvas: Canvas, table: PublicState, aim: Aim, x: int, y: int, scale: Scale) -> None:
    """On what is drawn there."""
    at_x, at_y = _at(aim.spot, x, y, scale)
    level = at_y + scale.level
    number = aim.spot[1] if aim.spot in table.board else canvas.sign(signs.DOT)
    canvas.put(at_x + scale.width // 2, level, number, Ink.CURSOR)
    beside = Paint("cursor", marks="b")
    canvas.put(at_x - 1, level, canvas.sign(signs.ACROSS), beside)
    canvas.put(at_x + scale.width, level, canvas.sign(signs.BACK), beside)


def _at(spot: Spot, x: int, y: int, scale: Scale) -> tuple[int, int]:
    row, half = place(spot)
    return x + MARGIN + half * scale.pitch // 2, y + row * scale.height


def _draw_gem(
    canvas: Canvas, gems: Gems, spot: Spot, at: tuple[int, int], scale: Scale, *, missed: bool
) -> None:
    fixed = spot in gems.table.marked
    hue = FIXED if fixed else f"gem{spot[0]}"
    level, middle = at[1] + scale.level, at[0] + scale.width // 2
    paint = Paint("white" if fixed else "ink", f"{hue}.b", "b")
    if canvas.line_drawn:
        canvas.put(middle - 1, level, f"<{spot[1]}>", Ink.FAINT if fixed else Ink.STRONG)
        paint = Ink.STRONG
    else:
        rows = 2 if scale is FLAT else len(art.art(scale.art))
        pixels = art.part(art.art(scale.art, hue), 0, 0, scale.width, rows)
        canvas.paste(*at, art.cells(pixels, "bg"), marks="b")
        canvas.put(middle, level, spot[1], paint)
    if fixed or missed:
        sign = canvas.sign(signs.NO) if missed else "#"
        beside = canvas.line_drawn or scale.height == 1
        where = (middle + 2, level) if canvas.line_drawn else (middle + 1, level)
        where = where if beside else (middle, level + 1)
        canvas.put(*where, sign, Paint("bad", "bg", "b") if missed else paint)
