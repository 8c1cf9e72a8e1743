"""Blocks of a picture as shapes: a font of the reader's may leave gaps between them, or lack them."""

import html
import re
from collections.abc import Iterator

STYLE = re.compile(r"\.([\w-]+-r\d+) \{ fill: (#[0-9a-fA-F]{6})")
TEXT = re.compile(
    r'<text class="([\w-]+)" x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"[^>]*>([^<]*)</text>'
)
ASCENT, LINE = 18.5, 24.4
"""How far the top of a cell lies above the line that its letter stands on, and how high a cell is."""
OVERLAP = 0.4
"""By how much shapes reach into each other, so that no seam is seen between them."""
BLOCKS = {
    "\u2588": (0, 0, 1, 1),
    "\u2580": (0, 0, 1, 0.5),
    "\u2584": (0, 0.5, 1, 1),
    "\u258c": (0, 0, 0.5, 1),
    "\u258f": (0, 0, 0.125, 1),
}
"""Left, top, right and bottom, as parts of a cell."""
QUARTERS = {
    "\u2599": 0b1101,
    "\u259f": 0b1110,
    "\u259a": 0b1001,
    "\u259e": 0b0110,
    "\u259c": 0b1011,
}
QUARTERS["\u259b"] = 0b0111
"""Upper left 1, upper right 2, lower left 4, lower right 8."""
SHADES = {"\u2591": 0.25, "\u2592": 0.5}


def with_shapes(picture: str) -> str:
    """The same picture with a shape for each block."""
    colours = dict(STYLE.findall(picture))

    def redrawn(found: re.Match[str]) -> str:
        name, x, y, length, text = found.groups()
        letters = html.unescape(text)
        if not letters or not any(map(_is_block, letters)):
            return found[0]
        width = float(length) / len(letters)
        left, top = float(x), float(y) - ASCENT
        colour = colours.get(name, "#ffffff")
        shapes = "".join(
            shape
            for at, letter in enumerate(letters)
            for shape in _shapes(letter, left + at * width, top, width, colour)
        )
        rest = "".join("\N{NO-BREAK SPACE}" if _is_block(letter) else letter for letter in letters)
        if not rest.strip("\N{NO-BREAK SPACE} "):
            return shapes
        return shapes + found[0].replace(f">{text}<", f">{html.escape(rest)}<")

    return TEXT.sub(redrawn, picture)


def _is_block(letter: str) -> bool:
    return letter in BLOCKS or letter in QUARTERS or letter in SHADES


def _shapes(letter: str, x: float, y: float, width: float, colour: str) -> Iterator[str]:
    if letter in SHADES:
        yield _rectangle(x, y, width, LINE, colour, opacity=SHADES[letter])
    elif letter in QUARTERS:
        for bit in range(4):
            if QUARTERS[letter] >> bit & 1:
                at = x + bit % 2 * width / 2, y + bit // 2 * LINE / 2
                yield _rectangle(*at, width / 2, LINE / 2, colour)
    elif letter in BLOCKS:
        left, top, right, bottom = BLOCKS[letter]
        at = x + left * width, y + top * LINE
        yield _rectangle(*at, (right - left) * width, (bottom - top) * LINE, colour)


def _rectangle(
    x: float, y: float, width: float, height: float, colour: str, opacity: float = 1.0
) -> str:
    seen = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    size = f'width="{width + OVERLAP:.2f}" height="{height + OVERLAP:.2f}"'
    return f'<rect x="{x:.2f}" y="{y:.2f}" {size} fill="{colour}"{seen}/>'
