"""A screen as a picture for a page: it looks the same whatever fonts its reader has.

Blocks and lines are shapes. Letters that not every font has stand each at a place of their own.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from rich.cells import get_character_cell_size

from tools.pictures.blocks import opacity_of, parts_of
from tools.pictures.terminal import Cell, Rgb

WIDTH, HEIGHT, BASE = 10, 20, 15
"""Of a cell, and how far below its upper edge letters stand."""
MARGIN = 14
WORDS = re.compile(r"\S+(?: \S+)*")
"""What stands together: a wide font would be squeezed in it, a narrow one stretched, and no further."""
FONTS = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, Liberation Mono, monospace"


def svg(rows: Sequence[Sequence[Cell]], title: str) -> str:
    ground = rows[-2][-1].ground
    width, height = len(rows[0]) * WIDTH + 2 * MARGIN, len(rows) * HEIGHT + 2 * MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>text {{ font: 16px {FONTS}; white-space: pre }} .b {{ font-weight: bold }}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{_hex(ground)}"/>',
            f'<g transform="translate({MARGIN} {MARGIN})" shape-rendering="crispEdges">',
            *_grounds(rows, ground),
            *_shapes(rows),
            *_letters(rows),
            "</g>",
            "</svg>\n",
        ]
    )


def _grounds(rows: Sequence[Sequence[Cell]], ground: Rgb) -> Iterator[str]:
    for y, row in enumerate(rows):
        x = 0
        for colour, cells in groupby(row, key=lambda cell: cell.ground):
            count = len(list(cells))
            if colour != ground:
                yield _rectangle(x * WIDTH, y * HEIGHT, count * WIDTH, HEIGHT, _hex(colour))
            x += count


def _shapes(rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    for y, row in enumerate(rows):
        x = 0
        for (letter, ink), cells in groupby(row, key=lambda cell: (cell.letter, cell.ink)):
            count = len(list(cells))
            for left, top, right, bottom in parts_of(letter):
                spans = left == 0 and right == 1  # then equal neighbours are one shape
                for at in (x,) if spans else range(x, x + count):
                    yield _rectangle(
                        (at + left) * WIDTH,
                        (y + top) * HEIGHT,
                        (right - left + (count - 1 if spans else 0)) * WIDTH,
                        (bottom - top) * HEIGHT,
                        _hex(ink),
                        opacity_of(letter),
                    )
            x += count


def _letters(rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    for y, row in enumerate(rows):
        x = 0
        for (kind, ink, bold, underlined), group in groupby(enumerate(row), key=_kind):
            cells = [cell for _at, cell in group]
            text = "".join(cell.letter for cell in cells)
            for words in WORDS.finditer(text) if kind else ():
                width = sum(map(get_character_cell_size, words[0]))
                yield _text(x + words.start(), y, words[0], width, ink, bold=bold)
            if underlined:
                under = y * HEIGHT + BASE + 2
                yield _rectangle(x * WIDTH, under, len(cells) * WIDTH, 1, _hex(ink))
            x += len(cells)


def _kind(placed: tuple[int, Cell]) -> tuple[object, Rgb, bool, bool]:
    """What can be written in one piece: letters that any font has, in one style."""
    at, cell = placed
    kind: object = not parts_of(cell.letter)
    if kind and not cell.letter.isascii():
        kind = f"alone {at}"
    return kind, cell.ink, cell.bold, cell.underlined


def _text(x: int, y: int, text: str, cells: int, ink: Rgb, *, bold: bool) -> str:
    place = f'x="{x * WIDTH}" y="{y * HEIGHT + BASE}" textLength="{cells * WIDTH}"'
    mark = ' class="b"' if bold else ""
    return f'<text{mark} {place} lengthAdjust="spacingAndGlyphs" fill="{_hex(ink)}">{escape(text)}</text>'


def _rectangle(
    x: float, y: float, width: float, height: float, colour: str, opacity: float = 1.0
) -> str:
    seen = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}"{seen}/>'
    )


def _hex(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
