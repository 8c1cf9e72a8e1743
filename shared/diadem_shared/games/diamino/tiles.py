"""The tiles: three sets of 112, what they are worth, and hands of them.

A tile in a hand is one character: A-Z, or `*` for a joker. A hand is a string of them in
alphabetical order, jokers first, so that equal hands are equal strings. A tile on the board is
upper case, or lower case for a joker laid as that letter.
"""

import msgspec

JOKER = "*"
LETTERS_IN_A_SET = 110
JOKERS_IN_A_SET = 2


class TileSet(msgspec.Struct, frozen=True):
    """How many of each tile there are, and what each is worth (M-1)."""

    language: str
    tiles: str
    values: dict[str, int]

    def value(self, tiles: str) -> int:
        """What tiles are worth, in a hand or on the board; a joker is worth nothing (M-10)."""
        return sum(self.values.get(tile, 0) for tile in tiles)


class NotATileSet(ValueError):
    """A set whose counts do not add up."""


def tile_set(language: str, text: str) -> TileSet:
    """Read a set written as letter, count, slash, value: `A7/1 B2/3 ...`."""
    counts: dict[str, int] = {}
    values: dict[str, int] = {}
    for entry in text.split():
        count, value = entry[1:].split("/")
        counts[entry[0]] = int(count)
        values[entry[0]] = int(value)
    if sum(counts.values()) != LETTERS_IN_A_SET:
        raise NotATileSet(f"{language}: {sum(counts.values())} letters, not {LETTERS_IN_A_SET}")
    tiles = "".join(letter * count for letter, count in counts.items())
    return TileSet(language, sorted_hand(tiles + JOKER * JOKERS_IN_A_SET), values)


def sorted_hand(tiles: str) -> str:
    return "".join(sorted(tiles))


def from_hand(laid: str) -> str:
    """The tiles of a hand that lie on the board as `laid`."""
    return "".join(JOKER if tile.islower() else tile for tile in laid)


def without(tiles: str, others: str) -> str:
    """The tiles that are left when `others` are taken away, as far as they are there."""
    for tile in others:
        tiles = tiles.replace(tile, "", 1)
    return tiles


TILE_SETS = {
    language: tile_set(language, text)
    for language, text in {
        "de": "A7/1 B2/3 C3/3 D4/2 E16/1 F2/3 G4/2 H5/2 I7/1 J1/6 K2/3 L5/2 M3/3 N9/1 O4/2 P2/4 Q1/9 "
        "R7/1 S8/1 T7/1 U5/2 V1/5 W2/3 X1/8 Y1/9 Z1/4",
        "fr": "A9/1 B2/3 C3/2 D4/2 E17/1 F2/3 G2/3 H2/3 I8/1 J1/7 K1/9 L6/1 M3/2 N7/1 O6/1 P3/2 Q1/6 "
        "R7/1 S7/1 T7/1 U6/1 V2/4 W1/9 X1/8 Y1/8 Z1/7",
        "en": "A9/1 B2/3 C3/3 D5/2 E13/1 F2/4 G3/2 H3/3 I8/1 J1/8 K2/5 L5/1 M3/3 N7/1 O8/1 P3/3 Q1/9 "
        "R7/1 S6/1 T7/1 U4/1 V2/4 W2/4 X1/8 Y2/4 Z1/9",
    }.items()
}
