"""Blocks and lines as rectangles: a font may leave gaps between them, or lack them."""

from functools import cache
from typing import NamedTuple


class Part(NamedTuple):
    """Of a cell: 0 is its left or upper edge, 1 the right or lower one."""

    left: float
    top: float
    right: float
    bottom: float


SHADES = {"\u2591": 0.25, "\u2592": 0.5, "\u2593": 0.75}
BLOCKS = {
    "\u2580": Part(0, 0, 1, 0.5),
    "\u2590": Part(0.5, 0, 1, 1),
    "\u2594": Part(0, 0, 1, 0.125),
    **{chr(0x2580 + eighths): Part(0, 1 - eighths / 8, 1, 1) for eighths in range(1, 9)},
    **{chr(0x2590 - eighths): Part(0, 0, eighths / 8, 1) for eighths in range(1, 8)},
}
QUARTERS = {
    chr(0x2596 + number): bits for number, bits in enumerate((4, 8, 1, 13, 9, 7, 11, 2, 6, 14))
}
"""Upper left 1, upper right 2, lower left 4, lower right 8."""
ARMS = {
    **dict.fromkeys("\u2500\u2501\u254c\u254d", "rl"),
    **dict.fromkeys("\u2502\u2503\u254e\u254f", "du"),
    **dict.fromkeys("\u250c\u256d", "rd"),
    **dict.fromkeys("\u2510\u256e", "dl"),
    **dict.fromkeys("\u2518\u256f", "lu"),
    **dict.fromkeys("\u2514\u2570", "ru"),
    "\u251c": "rdu",
    "\u2524": "dlu",
    "\u252c": "rdl",
    "\u2534": "rlu",
    "\u253c": "rdlu",
}
"""Right, down, left, up."""
X, Y = (5 / 12, 7 / 12), (11 / 24, 13 / 24)
"""Where lines run, in the middle of a cell twice as high as wide."""
LINES = {
    "r": Part(X[0], Y[0], 1, Y[1]),
    "l": Part(0, Y[0], X[1], Y[1]),
    "d": Part(X[0], Y[0], X[1], 1),
    "u": Part(X[0], 0, X[1], Y[1]),
}


@cache
def parts_of(letter: str) -> tuple[Part, ...]:
    """What to fill of a cell; nothing for a letter, which is for a font."""
    if letter in BLOCKS:
        return (BLOCKS[letter],)
    if letter in SHADES:
        return (BLOCKS["\u2588"],)
    if letter in QUARTERS:
        return tuple(
            Part(bit % 2 / 2, bit // 2 / 2, bit % 2 / 2 + 0.5, bit // 2 / 2 + 0.5)
            for bit in range(4)
            if QUARTERS[letter] >> bit & 1
        )
    return tuple(LINES[arm] for arm in ARMS.get(letter, ""))


def opacity_of(letter: str) -> float:
    return SHADES.get(letter, 1.0)
