"""The board and the cards as data.

The board is seven rows of spots, centred above each other. A spot is called by the letter of its
row, from the top, and its number in the row, from the left: D8 ends the longest row.
"""

from typing import Literal, TypeAlias

Spot: TypeAlias = str
Value: TypeAlias = int
Card: TypeAlias = Value | Literal["theft"]
"""A ring by its value, or a theft."""

ROWS = (4, 6, 7, 8, 7, 6, 4)
SPOTS: tuple[Spot, ...] = tuple(
    f"{letter}{number}"
    for letter, length in zip("ABCDEFG", ROWS, strict=True)
    for number in range(1, length + 1)
)
FIXED = 16
LOOSE = len(SPOTS) - FIXED

THEFT: Literal["theft"] = "theft"
THEFTS = 7
VALUES: tuple[Value, ...] = (1000, 2000, 3000, 4000, 5000, 6000)
"""D-2."""
RINGS_OF_A_VALUE = 7
RINGS = RINGS_OF_A_VALUE * len(VALUES)

DECK: tuple[Card, ...] = (
    *(value for value in VALUES for _ in range(RINGS_OF_A_VALUE)),
    *((THEFT,) * THEFTS),
)
