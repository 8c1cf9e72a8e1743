"""What a client knows of how a match was shuffled."""

from enum import Enum, auto

from msgspec import Struct

from diadem.match_file import Fault


class Doubt(Enum):
    """What speaks against a shuffle while the match runs."""

    LEFT_OUT = auto()
    """What this client has added is not in it."""
    CHANGED = auto()
    """The server has changed what was final."""


class ShuffleCheck(Struct, frozen=True):
    doubt: Doubt | None = None
    is_verified: bool = False
    """Whether the match was played again from its file when it was over, and people have added to each of its rounds."""
    without: int = 0
    """In how many rounds nothing was of this client, although its player has a seat."""
    fault: Fault | None = None
    """What that has found to be wrong, in this entry."""
    entry: int = 0
