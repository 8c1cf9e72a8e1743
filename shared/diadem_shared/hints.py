"""Hints: who may be given one. Whoever asks is told what a strong bot would do; all are told that they asked."""

from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from diadem_shared.game import Seat
from diadem_shared.refusals import Code, Refusal

if TYPE_CHECKING:
    from diadem_shared.match import Match


def are_allowed(match: "Match", seat: Seat) -> bool:
    """Where the table agreed on it, and to a person who plays against bots alone."""
    others = (player.bot for each, player in enumerate(match.players) if each != seat)
    return match.setup.hints is True or all(level is not None for level in others)


def refusal(match: "Match", seat: Seat) -> Refusal | None:
    """Why this seat is given no hint now."""
    if not are_allowed(match, seat):
        return Refusal(Code.NO_HINTS)
    return None if seat in match.actors else Refusal(Code.NOT_YOUR_TURN)


def counted(match: "Match", seat: Seat) -> "Match":
    """With one more hint given to this seat."""
    given = list(taken(match))
    given[seat] += 1
    return replace(match, hints=tuple(given))


def taken(match: "Match") -> tuple[int, ...]:
    """By seat, how many hints were given in this match."""
    return (0,) * len(match.players) if match.hints is UNSET else match.hints
