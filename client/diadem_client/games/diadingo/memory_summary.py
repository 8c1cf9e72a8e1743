"""What an analysis says of a player's memory in Diadingo: spots that were known, and luck with the others."""

from collections.abc import Iterator, Sequence
from math import fsum

from diadem_client.i18n import gettext as _
from diadem_client.i18n import ngettext
from diadem_client.wording.values import grouped
from diadem_shared.advice import about_of
from diadem_shared.analysis import MoveAnalysis
from diadem_shared.games.diadingo.reasons import DiadingoReason
from diadem_shared.refusals import About


def summary(decisions: Sequence[MoveAnalysis]) -> Iterator[str]:
    """What was tried though it had been seen to be fixed, and what chance made of the other tries."""
    forgotten = [
        each for each in decisions if about_of(each.of_made, DiadingoReason.KNOWN_FIXED) is not None
    ]
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
        if each.came is not None and (about := about_of(each.of_made, DiadingoReason.UNTRIED))
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
