"""How far colours are from each other to those who see all of them, and to those who tell no red from green."""

from collections.abc import Sequence
from math import dist

Rgb = tuple[int, int, int]
EYES: dict[str, Sequence[Sequence[float]]] = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "no green": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}
"""What becomes of light, by Viénot, Brettel and Mollon (1999)."""
WHITE = (0.9505, 1.0, 1.089)
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))


def distance(one: Rgb, other: Rgb, eyes: str = "all") -> float:
    """In CIELAB: about 2 can just be seen side by side, and 20 cannot be missed."""
    return dist(_lab(one, eyes), _lab(other, eyes))


def _lab(colour: Rgb, eyes: str) -> tuple[float, float, float]:
    light = [_linear(part / 255) for part in colour]
    seen = [min(1.0, max(0.0, each)) for each in _times(EYES[eyes], light)]
    x, y, z = (_root(each / white) for each, white in zip(_times(TO_XYZ, seen), WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _root(part: float) -> float:
    return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116


def _times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
