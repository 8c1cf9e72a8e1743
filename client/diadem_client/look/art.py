"""Pixel art: two pixels, one above the other, in each character cell."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import TypeAlias

from diadem_client.look.palette import Paint

FOLDER = files(__package__) / "art"
FULL, UPPER, LOWER = "\u2588", "\u2580", "\u2584"
COLOUR_BYTES = 11
"""About what a change of one colour costs; two at once are said a little shorter."""
COSTS = (0, COLOUR_BYTES, 2 * COLOUR_BYTES - 2)

Pixels: TypeAlias = tuple[tuple[str | None, ...], ...]
"""Roles, row by row; None lets through what is there."""
Cells: TypeAlias = tuple[tuple[tuple[str, Paint], ...], ...]


@cache
def art(name: str, hue: str = "") -> Pixels:
    """A picture by name; `hue` is the family of colours for what is drawn in a player's own."""
    roles: dict[str, str | None] = {".": None}
    rows = []
    for line in (FOLDER / f"{name}.txt").read_text(encoding="ascii").splitlines():
        if line.startswith("="):
            _equals, letter, role = line.split()
            family, _dot, shade = role.partition(".")
            roles[letter] = f"{hue}.{shade}" if family in {"hue", "gem"} else role
        elif line and not line.startswith("#"):
            rows.append(tuple(roles[letter] for letter in line))
    return tuple(rows)


@lru_cache(512)
def part(pixels: Pixels, x: int, y: int, width: int, height: int) -> Pixels:
    return tuple(row[x : x + width] for row in pixels[y : y + height])


@lru_cache(128)
def enlarged(pixels: Pixels, times: int) -> Pixels:
    """Each pixel as a square of so many."""
    return tuple(
        row
        for line in pixels
        for row in [tuple(role for role in line for _ in range(times))] * times
    )


@lru_cache(512)
def cells(pixels: Pixels, ground: str) -> Cells:
    """Pixels as characters on a ground, so chosen that a terminal is told the fewest bytes."""
    return tuple(
        _cheapest([(a or ground, b or ground) for a, b in zip(upper, lower, strict=True)], ground)
        for upper, lower in zip(pixels[::2], pixels[1::2], strict=True)
    )


def _cheapest(pairs: Sequence[tuple[str, str]], ground: str) -> tuple[tuple[str, Paint], ...]:
    """The best way through a row, by the colours that were said last.

    A cell of one colour is a blank on it or a full block in it; one of two is an upper or a lower half.
    """
    ways: dict[tuple[str, str], tuple[int, tuple[tuple[str, Paint], ...]]]
    ways = {("", ground): (0, ())}
    for top, bottom in pairs:
        after: dict[tuple[str, str], tuple[int, tuple[tuple[str, Paint], ...]]] = {}
        for (ink, paper), (cost, row) in ways.items():
            for sign, its_ink, its_paper, size in _options(top, bottom, ink, paper):
                if sign != " " and its_ink == ground:
                    continue  # the ground may be the terminal's own, which is no ink
                changes = (its_ink != ink) + (its_paper != paper)
                total = cost + size + COSTS[changes]
                key = its_ink, its_paper
                if key not in after or total < after[key][0]:
                    after[key] = total, (*row, (sign, Paint(its_ink or "text", its_paper)))
        ways = after
    return min(ways.items(), key=lambda way: way[1][0] + COSTS[way[0][1] != ground])[1][1]


def _options(top: str, bottom: str, ink: str, paper: str) -> Iterator[tuple[str, str, str, int]]:
    """Signs for two pixels, with ink, ground and length."""
    if top == bottom:
        yield " ", ink, top, 1
        yield FULL, top, paper, 3
    else:
        yield UPPER, top, bottom, 3
        yield LOWER, bottom, top, 3
