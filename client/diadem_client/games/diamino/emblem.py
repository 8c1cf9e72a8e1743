"""What stands for Diamino before one plays it: a few tiles on a corner of the board."""

from diadem_client.board.canvas import Canvas, Ink
from diadem_client.look import signs
from diadem_client.look.palette import Paint

FIELD = Paint("hole", "board", "b")
KINDS = {
    "g": (signs.GREEN_DEVIL, Paint("green_sign", "green_devil", "b")),
    "r": (signs.RED_DEVIL, Paint("red_sign", "red_devil", "b")),
    "s": (signs.START, Paint("start_sign", "start", "b")),
    "#": (signs.BLACK, Paint("black", "board", "b")),
}
LARGE = (
    "...r....",
    ".#.....g",
    ".DIADEM.",
    "..D.....",
    "..E.#...",
    "..A..g..",
    "..L.....",
    "r...s...",
    "........",
)
SMALL = ("g..", "DIA", ".D#", "r..")


def draw_small(canvas: Canvas, _game: str, x: int, y: int) -> None:
    _draw(canvas, SMALL, x, y)


def draw_large(canvas: Canvas, _game: str, x: int, y: int) -> None:
    _draw(canvas, LARGE, x, y)


def _draw(canvas: Canvas, rows: tuple[str, ...], x: int, y: int) -> None:
    for down, row in enumerate(rows):
        for across, letter in enumerate(row):
            at = x + 3 * across, y + down
            if letter.isupper():
                canvas.put(*at, canvas.sign(signs.TILE), Paint("ink", "tile"))
                canvas.put(at[0] + 1, at[1], f"{letter} ", Paint("ink", "tile", "b"))
            elif letter in KINDS:
                sign, paint = KINDS[letter]
                canvas.put(*at, canvas.sign(sign), paint)
            else:
                canvas.put(
                    *at, canvas.sign(signs.EMPTY), FIELD if not canvas.line_drawn else Ink.DOT
                )
