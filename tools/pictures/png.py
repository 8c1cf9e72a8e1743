"""A screen as a picture to look at, with Pillow and a font of this machine."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tools.pictures.blocks import opacity_of, parts_of
from tools.pictures.terminal import Cell, mixed

WIDTH, HEIGHT, BASE = 12, 24, 18.5
POINTS = 20
FONTS = ("DejaVuSansMono", "LiberationMono-Regular", "Menlo", "consola")


def save(rows: Sequence[Sequence[Cell]], path: Path) -> None:
    image = Image.new("RGB", (len(rows[0]) * WIDTH, len(rows) * HEIGHT))
    pen = ImageDraw.Draw(image)
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            _draw(pen, x * WIDTH, y * HEIGHT, cell)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)


def _draw(pen: ImageDraw.ImageDraw, x: int, y: int, cell: Cell) -> None:
    if cell.letter:  # else it is the second half of the one before
        wide = WIDTH if cell.letter.isascii() or len(cell.letter) < 2 else 2 * WIDTH
        pen.rectangle((x, y, x + wide - 1, y + HEIGHT - 1), cell.ground)
    ink = mixed(cell.ink, cell.ground, opacity_of(cell.letter))
    parts = parts_of(cell.letter)
    for left, top, right, bottom in parts:
        corners = (round(each) for each in (left * WIDTH, top * HEIGHT))
        x_from, y_from = corners
        x_to = max(round(right * WIDTH), x_from + 1) - 1
        y_to = max(round(bottom * HEIGHT), y_from + 1) - 1
        pen.rectangle((x + x_from, y + y_from, x + x_to, y + y_to), ink)
    if not parts and cell.letter.strip():
        pen.text(
            (x + WIDTH / 2, y + BASE), cell.letter, ink, font=font(bold=cell.bold), anchor="ms"
        )
    if cell.underlined:
        pen.rectangle((x, y + 21, x + WIDTH - 1, y + 22), ink)


@cache
def font(*, bold: bool) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    for name in FONTS:
        for each in ([name.removesuffix("-Regular") + "-Bold"] if bold else []) + [name]:
            try:
                return ImageFont.truetype(f"{each}.ttf", POINTS)
            except OSError:
                continue
    return ImageFont.load_default(POINTS)
