"""What is said of a match that was weighed: what a decision gave away, and what all of them did."""

from collections.abc import Sequence
from math import fsum

from diadem.advice import Unit
from diadem.analysis import Weighed
from diadem.games.diadingo.reasons import DiadingoReason
from diadem_client.i18n import gettext as _
from diadem_client.i18n import ngettext
from diadem_client.wording.advice import SURE
from diadem_client.wording.values import grouped


def cost(decision: Weighed) -> str:
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


def summary(decisions: Sequence[Weighed]) -> str:
    """Of a player's decisions, in a sentence or two."""
    best = sum(not decision.is_costly for decision in decisions)
    told = _("{best} of {count} decisions were the best that could be known.")
    sentences = [told.format(best=best, count=len(decisions)), *_of_memory(decisions)]
    for unit, sentence in (
        (Unit.POINTS, _("{count} points were left behind.")),
        (Unit.TILES, _("{count} tiles more could have gone.")),
    ):
        costly = (each for each in decisions if each.unit is unit and each.is_costly)
        given = fsum(each.cost for each in costly if each.cost < SURE)
        if round(given):
            sentences.append(sentence.format(count=grouped(round(given))))
    return " ".join(sentences)


def _of_memory(decisions: Sequence[Weighed]) -> list[str]:
    """Of Diadingo: what was tried though it had been seen to be fixed."""
    forgotten = sum(
        any(reason.code == DiadingoReason.KNOWN_FIXED for reason in each.of_made)
        for each in decisions
    )
    if not forgotten:
        return []
    told = ngettext(
        "{count} try went to a spot that had been seen to be fixed.",
        "{count} tries went to spots that had been seen to be fixed.",
        forgotten,
    )
    return [told.format(count=forgotten)]
