"""What stands for Diadingo before one plays it."""

from diadem_client.board.canvas import Canvas, Ink
from diadem_client.look import art

HUES = "ABCDEFG"
LAST = 2
"""The row of the large picture that has one gem less."""


def draw_small(canvas: Canvas, _game: str, x: int, y: int) -> None:
    for number in range(4):
        across, down = number % 2 * 5, number // 2 * 2
        if canvas.line_drawn:
            canvas.put(x + across + 1, y + down, f"<{number + 1}>", Ink.STRONG)
        else:
            pixels = art.art("gem_small", f"gem{HUES[number * 2]}")
            canvas.paste(x + across, y + down, art.cells(pixels, "bg"))


def draw_large(canvas: Canvas, _game: str, x: int, y: int) -> None:
    for number in range(8):
        row, column = divmod(number, 3)
        across = x + column * 8 + 4 * (row == LAST)
        if canvas.line_drawn:
            for offset, line in enumerate((" .-^-. ", f" < {number + 1} > ", "  '-'  ")):
                canvas.put(across, y + 3 * row + offset, line, Ink.STRONG)
        else:
            pixels = art.art("gem_large", f"gem{HUES[(row * 2 + column) % len(HUES)]}")
            canvas.paste(across, y + 3 * row, art.cells(pixels, "bg"))
