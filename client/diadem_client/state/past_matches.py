"""Matches that are over, as a list of them shows each."""

from collections.abc import Awaitable, Callable
from enum import StrEnum

from msgspec import Struct

from diadem_client.i18n import sanitized
from diadem_shared.game import Outcome, Seat
from diadem_shared.protocol import LONGEST_NAME, ReplayLine


class Form(StrEnum):
    """In which a match is exported."""

    TEXT = "text"
    JSON = "json"
    GCG = "gcg"


Load = Callable[[], Awaitable[bytes]]
"""Gives the file of a match. Raises Untrue, or NotExported."""


class PastMatch(Struct, frozen=True):
    code: str
    game: str
    names: tuple[str, ...]
    totals: Outcome
    ended: int | None = None
    """In seconds since 1970; None where that is not known."""
    seat: Seat | None = None
    """The player's own; None where that is not known."""
    file: str = ""
    """Its name among those that are kept at home; empty for one that a server keeps."""

    @property
    def has_won(self) -> bool | None:
        """Whether the player did; None where it is not known who of them that was."""
        return None if self.seat is None else self.seat in self.totals.winners


def past_match(line: ReplayLine, file: str = "") -> PastMatch | None:
    """What a server or a file tells; None for what makes no sense."""
    count, totals = len(line.names), line.totals
    if not count or {len(totals.scores), len(totals.tiebreaks)} != {count}:
        return None
    return PastMatch(
        sanitized(line.table)[:12],
        sanitized(line.game)[:40],
        tuple(sanitized(name)[:LONGEST_NAME] for name in line.names),
        totals,
        line.ended,
        line.seat if line.seat in range(count) else None,
        file,
    )
