"""What a judged play comes to: everything it would do, or every reason against it.

Reasons are codes with parameters; the client puts them into a language.
"""

from enum import StrEnum
from typing import Literal

import msgspec

from diadem.games.diamino.play import Direction, Play
from diadem.games.diamino.tiles import TileSet


class Way(StrEnum):
    """How a run is read (M-8)."""

    ACROSS = "across"
    DOWN = "down"
    UP = "up"


class Reading(msgspec.Struct, frozen=True):
    word: str
    way: Way


class Run(msgspec.Struct, frozen=True):
    """Two or more letters in a row that a play forms, and the readings that make them a word."""

    start: str
    direction: Direction
    tiles: str
    readings: tuple[Reading, ...]


class Legal(msgspec.Struct, frozen=True, tag_field="verdict", tag="legal"):
    """A play that may be made, and what it does."""

    play: Play
    laid: dict[str, str]
    """New tile by field."""
    runs: tuple[Run, ...]
    """Everything formed, the run along the play first."""
    greens: tuple[str, ...]
    reds: tuple[str, ...]
    blacks: tuple[str, ...]
    covers_start: bool
    used: str
    """The tiles that leave the hand."""
    left: str
    """The hand afterwards, before any tile is drawn."""
    draws: int
    """How many tiles the reserve then gives (M-20, M-25)."""

    @property
    def empties_hand(self) -> bool:
        return not self.left and not self.draws

    def words_value(self, tiles: TileSet) -> int:
        """What the words formed are worth where words score (M-26)."""
        return sum(tiles.value(run.tiles) for run in self.runs)


class _Reason(
    msgspec.Struct,
    frozen=True,
    tag_field="code",
    tag=lambda name: "".join(f"-{c.lower()}" if c.isupper() else c for c in name)[1:],
):
    pass


class NothingLaid(_Reason, frozen=True):
    pass


class OffBoard(_Reason, frozen=True):
    tiles: str


class FieldTaken(_Reason, frozen=True):
    fields: tuple[str, ...]


WhyNotBlack = Literal["hand-not-emptied", "more-than-one", "reserve-not-empty", "green-draws"]


class BlackField(_Reason, frozen=True):
    fields: tuple[str, ...]
    why: tuple[WhyNotBlack, ...]


class NotInLine(_Reason, frozen=True):
    pass


class Gap(_Reason, frozen=True):
    fields: tuple[str, ...]


class JokerUnnamed(_Reason, frozen=True):
    fields: tuple[str, ...]


class NotYourTiles(_Reason, frozen=True):
    tiles: str


class TouchesNothing(_Reason, frozen=True):
    pass


class NotOnStart(_Reason, frozen=True):
    start: str


class OpeningLength(_Reason, frozen=True):
    length: int


class UnknownWords(_Reason, frozen=True):
    words: tuple[str, ...]


Reason = (
    NothingLaid
    | OffBoard
    | FieldTaken
    | BlackField
    | NotInLine
    | Gap
    | JokerUnnamed
    | NotYourTiles
    | TouchesNothing
    | NotOnStart
    | OpeningLength
    | UnknownWords
)


class Refused(msgspec.Struct, frozen=True, tag_field="verdict", tag="refused"):
    reasons: tuple[Reason, ...]


Verdict = Legal | Refused
