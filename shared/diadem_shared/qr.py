"""QR codes of short texts, such as the address of a web page: ISO/IEC 18004, versions 1 to 6.

An address fits into one of these; larger versions need parts that these lack.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby, pairwise
from typing import NamedTuple, TypeAlias

Modules: TypeAlias = list[list[bool]]
"""Row by row; True is dark. The quiet zone around them is not part of it."""

QUIET_ZONE = 4
"""Light modules that a reader needs on every side."""
ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
"""Texts of these characters take less room."""


class Level(NamedTuple):
    """Of error correction: the bits that name it, and its codewords in a block and blocks by version."""

    bits: int
    blocks: tuple[tuple[int, int], ...]


MEDIUM = Level(0b00, ((10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4)))
LOW = Level(0b01, ((7, 1), (10, 1), (15, 1), (20, 1), (26, 1), (18, 2)))
CODEWORDS = (26, 44, 70, 100, 134, 172)
"""In all, by version."""
PADDING = (0b11101100, 0b00010001)
FORMAT_GENERATOR, FORMAT_MASK = 0b10100110111, 0b101010000010010
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda x, y: (x + y) % 2 == 0,
    lambda _, y: y % 2 == 0,
    lambda x, _: x % 3 == 0,
    lambda x, y: (x + y) % 3 == 0,
    lambda x, y: (y // 2 + x // 3) % 2 == 0,
    lambda x, y: x * y % 2 + x * y % 3 == 0,
    lambda x, y: (x * y % 2 + x * y % 3) % 2 == 0,
    lambda x, y: ((x + y) % 2 + x * y % 3) % 2 == 0,
)
LIKE_A_FINDER = (
    [True, False, True, True, True, False, True, False, False, False, False],
    [False, False, False, False, True, False, True, True, True, False, True],
)


class TooLong(ValueError):
    """The text needs a larger version."""


def encode(text: str) -> Modules:
    """The least version that holds the text, with the better error correction if that fits as well."""
    for version in range(1, len(CODEWORDS) + 1):
        for level in (MEDIUM, LOW):
            if (data := _codewords(text, version, level)) is not None:
                return _drawn(version, level, _with_correction(data, *level.blocks[version - 1]))
    raise TooLong(text)


# Codewords


def _codewords(text: str, version: int, level: Level) -> bytes | None:
    """The data, filled up; None where it does not fit."""
    correction, blocks = level.blocks[version - 1]
    room = CODEWORDS[version - 1] - correction * blocks
    bits = "".join(_bits(text))
    if len(bits) > 8 * room:
        return None
    bits += "0" * min(4, 8 * room - len(bits))
    bits += "0" * (-len(bits) % 8)
    data = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    return bytes(data + [PADDING[at % 2] for at in range(room - len(data))])


def _bits(text: str) -> Iterator[str]:
    if all(each in ALPHANUMERIC for each in text):
        yield f"0010{len(text):09b}"
        for at in range(0, len(text) - 1, 2):
            first, second = map(ALPHANUMERIC.index, text[at : at + 2])
            yield f"{45 * first + second:011b}"
        if len(text) % 2:
            yield f"{ALPHANUMERIC.index(text[-1]):06b}"
    else:
        octets = text.encode()
        yield f"0100{len(octets):08b}"
        yield from (f"{octet:08b}" for octet in octets)


def _with_correction(data: bytes, correction: int, blocks: int) -> bytes:
    """Data and error correction (Reed-Solomon), of all blocks in turn."""
    size = len(data) // blocks
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    checks = [_remainder(part, _generator(correction)) for part in parts]
    return bytes(chain(*zip(*parts, strict=True), *zip(*checks, strict=True)))


def _product(one: int, other: int) -> int:
    """In the field of 256 elements."""
    result = 0
    while other:
        result ^= one * (other & 1)
        one = one << 1 ^ 0x11D * (one >> 7)
        other >>= 1
    return result


def _generator(degree: int) -> list[int]:
    """The coefficients after the first, which is 1."""
    coefficients, root = [1], 1
    for _ in range(degree):
        shifted = [_product(each, root) for each in coefficients]
        coefficients = [a ^ b for a, b in zip([*coefficients, 0], [0, *shifted], strict=True)]
        root = _product(root, 2)
    return coefficients[1:]


def _remainder(part: bytes, generator: Sequence[int]) -> list[int]:
    rest = [0] * len(generator)
    for octet in part:
        factor = octet ^ rest[0]
        rest = [
            a ^ _product(each, factor) for a, each in zip([*rest[1:], 0], generator, strict=True)
        ]
    return rest


# Modules


def _drawn(version: int, level: Level, codewords: bytes) -> Modules:
    fixed = _patterns(version)
    bits = [bool(octet >> shift & 1) for octet in codewords for shift in range(7, -1, -1)]
    drawings = (_masked(fixed, bits, level, number) for number in range(len(MASKS)))
    return min(drawings, key=_penalty)


def _patterns(version: int) -> list[list[bool | None]]:
    """What is the same whatever the text; None where data goes, and False where the format goes."""
    size = 17 + 4 * version
    drawn: list[list[bool | None]] = [[None] * size for _ in range(size)]
    for at in range(size):
        drawn[6][at] = drawn[at][6] = at % 2 == 0
    for x, y in ((3, 3), (size - 4, 3), (3, size - 4)):
        _square(drawn, x, y, {0, 1, 3}, reach=4)
    if version > 1:
        _square(drawn, size - 7, size - 7, {0, 2}, reach=2)
    for x, y in chain(*_format_places(size)):
        if drawn[y][x] is None:
            drawn[y][x] = False
    drawn[size - 8][8] = True
    return drawn


def _square(drawn: list[list[bool | None]], x: int, y: int, dark: set[int], *, reach: int) -> None:
    """Rings around a centre."""
    for row in range(max(0, y - reach), min(len(drawn), y + reach + 1)):
        for column in range(max(0, x - reach), min(len(drawn), x + reach + 1)):
            drawn[row][column] = max(abs(row - y), abs(column - x)) in dark


def _format_places(size: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where the fifteen bits of the format stand, twice, the lowest first."""
    near = [*range(6), 7, 8]
    corner = [(8, y) for y in near] + [(x, 8) for x in (7, 5, 4, 3, 2, 1, 0)]
    edges = [(size - 1 - at, 8) for at in range(8)] + [(8, size - 7 + at) for at in range(7)]
    return corner, edges


def _masked(
    fixed: list[list[bool | None]], bits: Sequence[bool], level: Level, number: int
) -> Modules:
    size, mask = len(fixed), MASKS[number]
    drawn = [[bool(each) for each in row] for row in fixed]
    for at, (x, y) in enumerate(_data_places(fixed)):
        drawn[y][x] = (at < len(bits) and bits[at]) != mask(x, y)
    format_ = _format(level.bits << 3 | number)
    for places in _format_places(size):
        for at, (x, y) in enumerate(places):
            drawn[y][x] = bool(format_ >> at & 1)
    return drawn


def _data_places(fixed: list[list[bool | None]]) -> Iterator[tuple[int, int]]:
    """From the lower right corner, up and down in stripes of two columns."""
    size = len(fixed)
    rights = [*range(size - 1, 6, -2), 5, 3, 1]
    for stripe, right in enumerate(rights):
        for y in range(size) if stripe % 2 else range(size - 1, -1, -1):
            for x in (right, right - 1):
                if fixed[y][x] is None:
                    yield x, y


def _format(bits: int) -> int:
    rest = bits << 10
    for shift in range(4, -1, -1):
        if rest >> (10 + shift) & 1:
            rest ^= FORMAT_GENERATOR << shift
    return (bits << 10 | rest) ^ FORMAT_MASK


def _penalty(drawn: Modules) -> int:
    """How hard it is to read, by the standard's four rules."""
    size = len(drawn)
    lines = drawn + [list(column) for column in zip(*drawn, strict=True)]
    runs = (len(list(run)) for line in lines for _, run in groupby(line))
    penalty = sum(run - 2 for run in runs if run >= 5)
    for row, below in pairwise(drawn):
        squares = zip(pairwise(row), pairwise(below), strict=True)
        penalty += 3 * sum(len({*first, *second}) == 1 for first, second in squares)
    for line in lines:
        parts = (line[at : at + 11] for at in range(size - 10))
        penalty += 40 * sum(part in LIKE_A_FINDER for part in parts)
    dark = sum(map(sum, drawn))
    return penalty + 10 * (abs(20 * dark - 10 * size * size) // (size * size))


# Half blocks


def in_half_blocks(modules: Modules) -> list[list[tuple[bool, bool]]]:
    """With the quiet zone, two modules a cell: the upper and the lower one, True for dark."""
    width = len(modules) + 2 * QUIET_ZONE
    side = [False] * QUIET_ZONE
    blank = [[False] * width for _ in range(QUIET_ZONE)]
    rows = [*blank, *([*side, *row, *side] for row in modules), *blank]
    if len(rows) % 2:
        rows.append([False] * width)
    return [
        list(zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
