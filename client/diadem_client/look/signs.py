"""Signs of one cell each, and what stands for them in ASCII; none of them has an emoji form."""

from typing import NamedTuple


class Sign(NamedTuple):
    own: str
    ascii: str
    plain: str = ""
    """Without colours, where the sign would say something else; else as in Unicode."""


TILE = Sign("\u258f", " ", " ")
"""The left edge of a tile."""
FRESH = Sign("\u2022", "!")
DRAFT = Sign("+", "+")
JUDGED = Sign("?", "?")
ACROSS = Sign("\u25ba", ">")
DOWN = Sign("\u25bc", "v")
UP = Sign("\u25b2", "^")
BACK = Sign("\u25c4", "<")
EMPTY = Sign(" \u00b7 ", " . ")
DOT = Sign("\u00b7", ".")
BLACK = Sign("\u2588\u2588\u2588", "###", "\u2592\u2592\u2592")
GREEN_DEVIL = Sign("(\u03c8)", "(o)")
RED_DEVIL = Sign("<\u03a8>", "<x>")
START = Sign(" \u2726 ", " + ")
TURN = Sign("\u25ba", ">")
MARKED = Sign("\u258c", ">", ">")
STONE = Sign("\u25c6", "*")
HOLE = Sign("\u25c7", "o")
YES = Sign("\u2713", "v")
NO = Sign("\u00d7", "x")
ON = Sign("\u25cf", "*")
OFF = Sign("\u25cb", "o")
DIAMOND = Sign("\u25c6", "d")
FAIRY = Sign("\u2726", "f")
COIN = Sign("\u25cf", "c")
CANNON = Sign("\u25d9", "n")
BOT = Sign("\u25a3", "&")
RULE = Sign("\u2500", "-")
FILLED = Sign("\u2588", "#")
REST = Sign("\u2591", ".")
LEDGE = Sign("\u2580", "=")
LOWER_HALF = Sign("\u2584", " ", " ")
FRAME = Sign("\u256d\u256e\u2570\u256f\u2500\u2502", "..''  ")
SUBSCRIPTS = str.maketrans("0123456789", "".join(chr(0x2080 + digit) for digit in range(10)))


def subscript(number: int, *, ascii_only: bool) -> str:
    return str(number) if ascii_only else str(number).translate(SUBSCRIPTS)
