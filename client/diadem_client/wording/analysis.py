"""What is said of a match that was weighed: what a decision gave away, and what all of them did."""

from collections.abc import Iterator, Sequence
from math import fsum

from diadem_client.i18n import gettext as _
from diadem_client.i18n import ngettext
from diadem_client.wording.advice import SURE
from diadem_client.wording.values import grouped
from diadem_shared.advice import Reason, Unit
from diadem_shared.analysis import MoveAnalysis
from diadem_shared.games.diadingo.reasons import DiadingoReason
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.refusals import About

HANDS = ("light", "even", "heavy")
"""By how easily they are laid, the easiest first."""


def cost(decision: MoveAnalysis) -> str:
    """In a few words."""
    given = decision.cost
    match decision.unit:
        case Unit.CHANCE:
            return _("{percent} of 100").format(percent=round(100 * given))
        case _ if given >= SURE and decision.unit is not Unit.DOLLARS:
            return _("the round")
        case Unit.POINTS:
            return ngettext("{count} point", "{count} points", round(given)).format(
                count=round(given)
            )
        case Unit.TILES:
            return ngettext("{count} tile", "{count} tiles", round(given)).format(
                count=round(given)
            )
        case _:
            return f"${grouped(round(given))}"


def summary(decisions: Sequence[MoveAnalysis]) -> str:
    """Of a player's decisions, in a sentence or two."""
    best = sum(not decision.is_costly for decision in decisions)
    told = _("{best} of {count} decisions were the best that could be known.")
    sentences = [told.format(best=best, count=len(decisions)), *_of_memory(decisions)]
    if points := _given_away(decisions, Unit.POINTS):
        told = ngettext(
            "{count} point was left behind.", "{count} points were left behind.", points
        )
        sentences.append(told.format(count=grouped(points)))
    if tiles := _given_away(decisions, Unit.TILES):
        told = ngettext(
            "{count} tile more could have gone.", "{count} tiles more could have gone.", tiles
        )
        sentences.append(told.format(count=grouped(tiles)))
    return " ".join((*sentences, *_of_racks(decisions)))


def _given_away(decisions: Sequence[MoveAnalysis], unit: Unit) -> int:
    costly = (each for each in decisions if each.unit is unit and each.is_costly)
    return round(fsum(each.cost for each in costly if each.cost < SURE))


def _of_memory(decisions: Sequence[MoveAnalysis]) -> Iterator[str]:
    """Of Diadingo: what was tried though it had been seen to be fixed, and what chance made of the other tries."""
    forgotten = [each for each in decisions if _has(each.of_made, DiadingoReason.KNOWN_FIXED)]
    if forgotten:
        told = ngettext(
            "{count} try went to a spot that had been seen to be fixed.",
            "{count} tries went to spots that had been seen to be fixed.",
            len(forgotten),
        )
        yield told.format(count=len(forgotten))
        if lost := round(fsum(each.cost for each in forgotten)):
            told = ngettext(
                "That gave away {count} dollar on average.",
                "That gave away {count} dollars on average.",
                lost,
            )
            yield told.format(count=grouped(lost))
    tries = [
        (about, each)
        for each in decisions
        if each.came is not None and (about := _reason(each.of_made, DiadingoReason.UNTRIED))
    ]
    if not tries:
        return
    if not forgotten:
        yield _("No try went to a spot that had been seen to be fixed.")
    came_off = sum((each.came or 0) > 0 for _about, each in tries)
    expected = fsum(_chance(about) for about, _each in tries)
    told = _(
        "Of {count} other tries {came_off} came off, where some {expected} were to be expected."
    )
    yield told.format(count=len(tries), came_off=came_off, expected=round(expected))
    luck = round(fsum((each.came or 0) - each.value for _about, each in tries))
    if luck:
        brought = (
            _("Luck brought {count} dollars.") if luck > 0 else _("Bad luck cost {count} dollars.")
        )
        yield brought.format(count=grouped(abs(luck)))


def _chance(about: About) -> float:
    match about:
        case {"loose": int(loose), "spots": int(spots)} if spots:
            return loose / spots
        case _:
            return 0.0


def _of_racks(decisions: Sequence[MoveAnalysis]) -> Iterator[str]:
    """Of Diamino: where what was kept is harder to lay than what the best play would have kept."""
    harder = sum(
        _hardness(each.of_made) > _hardness(each.reasons) for each in decisions if each.is_costly
    )
    if harder:
        yield ngettext(
            "In {count} turn the tiles that were kept were harder to lay than they had to be.",
            "In {count} turns the tiles that were kept were harder to lay than they had to be.",
            harder,
        ).format(count=harder)


def has_rack(decision: MoveAnalysis) -> bool:
    """Whether tiles were kept, or could have been."""
    return any(_has(each, DiaminoReason.KEEPS) for each in (decision.of_made, decision.reasons))


def kept(reasons: Sequence[Reason]) -> str:
    """The tiles that a move leaves in the hand, where that is told; else empty."""
    about = _reason(reasons, DiaminoReason.KEEPS)
    return "" if about is None else str(about["tiles"])


def _hardness(reasons: Sequence[Reason]) -> int:
    """How hard what a move leaves in the hand is to lay; nothing left is the easiest."""
    about = _reason(reasons, DiaminoReason.KEEPS)
    return HANDS.index(str(about["hand"])) if about and about["hand"] in HANDS else -1


def _reason(reasons: Sequence[Reason], code: str) -> About | None:
    """What this one is about, if it is among them."""
    return next((each.about for each in reasons if each.code == code), None)


def _has(reasons: Sequence[Reason], code: str) -> bool:
    return _reason(reasons, code) is not None
