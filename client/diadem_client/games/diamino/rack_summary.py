"""What an analysis says of the tiles that a player of Diamino kept."""

from collections.abc import Iterator, Sequence

from diadem_client.i18n import ngettext
from diadem_shared.advice import Reason, about_of
from diadem_shared.analysis import MoveAnalysis
from diadem_shared.games.diamino.reasons import DiaminoReason

HANDS = ("light", "even", "heavy")
"""By how easily they are laid, the easiest first."""


def summary(decisions: Sequence[MoveAnalysis]) -> Iterator[str]:
    """Where what was kept is harder to lay than what the best play would have kept."""
    harder = sum(
        _hardness(each.of_made) > _hardness(each.reasons) for each in decisions if each.is_costly
    )
    if harder:
        yield ngettext(
            "In {count} turn the tiles that were kept were harder to lay than they had to be.",
            "In {count} turns the tiles that were kept were harder to lay than they had to be.",
            harder,
        ).format(count=harder)


def kept(reasons: Sequence[Reason]) -> str:
    """The tiles that a move leaves in the hand, where that is told; else empty."""
    about = about_of(reasons, DiaminoReason.KEEPS)
    return "" if about is None else str(about["tiles"])


def _hardness(reasons: Sequence[Reason]) -> int:
    """How hard what a move leaves in the hand is to lay; nothing left is the easiest."""
    about = about_of(reasons, DiaminoReason.KEEPS)
    return HANDS.index(str(about["hand"])) if about and about["hand"] in HANDS else -1
