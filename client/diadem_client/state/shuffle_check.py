"""What a client knows of how a match was shuffled."""

from enum import StrEnum

from msgspec import Struct

from diadem_shared.match_file import Fault


class Doubt(StrEnum):
    """What speaks against a shuffle while the match runs."""

    LEFT_OUT = "left_out"
    """What this client has added is not in it."""
    CHANGED = "changed"
    """The server has changed what was final."""
    TAKEN_BACK = "taken_back"
    """An entry that was shown is gone, or another stands in its place."""
    NOT_SEALED = "not_sealed"
    """An opening was asked for without an entry that binds the others."""
    DROPPED = "dropped"
    """A shuffle to which this client had opened its part was dropped by an entry, and another took its place."""
    ADDED_FOR_BOT = "added_for_bot"
    """The host has added to a shuffle in a bot's place, and could open it or not."""


class ShuffleCheck(Struct, frozen=True):
    doubt: Doubt | None = None
    is_verified: bool = False
    """Whether the match was played again from its file when it was over, and people have added to each of its rounds."""
    without: int = 0
    """In how many rounds nothing was of this client, although its player has a seat."""
    fault: Fault | None = None
    """What that has found to be wrong, in this entry."""
    entry: int = 0
    is_withheld: bool = False
    """Whether the server gave no file of the match, so that nothing could be checked."""
