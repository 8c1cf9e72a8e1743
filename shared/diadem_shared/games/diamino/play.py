"""A play, and the text a person types for it: `lay C8 across EIL`.

A play names the field of its first new tile, a direction, and the new tiles in board order; fields
that already carry a letter are skipped. Down is always top to bottom, however the word will be
read. A lower-case letter is a joker standing for it. A single tile is the same play both ways, so
it is always written across.
"""

import re
from enum import StrEnum
from typing import Annotated

import msgspec

from diadem_shared.games.diamino.board import coordinates

TEXT = re.compile(
    r"lay +(?P<start>[a-z][0-9]+) +(?P<direction>across|down) +(?P<tiles>[a-z]+)",
    re.ASCII | re.IGNORECASE,
)

FieldName = Annotated[str, msgspec.Meta(pattern=r"^[A-Z][0-9]{1,2}\Z")]
Tile = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z*]\Z")]
Tiles = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z]+\Z")]


class NotAPlay(ValueError):
    """A text that is not the notation of a play."""

    def __init__(self, text: str) -> None:
        super().__init__(f"not a play: {text!r}")
        self.text = text


class Direction(StrEnum):
    ACROSS = "across"
    DOWN = "down"


class Play(msgspec.Struct, frozen=True):
    start: FieldName
    direction: Direction
    tiles: Tiles

    def __post_init__(self) -> None:
        if len(self.tiles) == 1:
            msgspec.structs.force_setattr(self, "direction", Direction.ACROSS)

    def __str__(self) -> str:
        return f"lay {self.start} {self.direction} {self.tiles}"


class LooseTiles(msgspec.Struct, frozen=True):
    """Tiles set down anywhere, one a field: what a client holds before it is a play.

    A joker that has not been named yet is `*`.
    """

    tiles: dict[FieldName, Tile]


def parse_play(text: str) -> Play:
    match = TEXT.fullmatch(text.strip())
    if match is None or coordinates(match["start"].upper()) is None:
        raise NotAPlay(text)
    direction = Direction(match["direction"].lower())
    return Play(match["start"].upper(), direction, match["tiles"])
