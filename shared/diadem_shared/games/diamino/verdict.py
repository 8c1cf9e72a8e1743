"""What a judged play comes to: everything it would do, or every reason against it.

Reasons are codes with parameters; the client puts them into a language.
"""

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.tiles import TileSet
from diadem_shared.refusals import Refusal


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


class Illegal(msgspec.Struct, frozen=True, tag_field="verdict", tag="illegal"):
    """A play that may not be made, and every reason why: each a `LayingCode`."""

    reasons: tuple[Refusal, ...]

    @property
    def refusal(self) -> Refusal:
        """All of it as the one refusal that a game gives."""
        first, *others = self.reasons
        return replace(first, also=tuple(others))


BLACK_REASONS = ("hand_not_emptied", "more_than_one", "reserve_not_empty", "green_draws")
"""Why black fields are barred to a play (M-22, M-30)."""

Verdict = Legal | Illegal
