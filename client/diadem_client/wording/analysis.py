"""What is said of a match that was weighed: what a decision gave away, and what all of them did."""

from collections.abc import Sequence
from math import fsum

from diadem_client.i18n import gettext as _
from diadem_client.i18n import ngettext
from diadem_client.wording.advice import SURE, words_of
from diadem_client.wording.values import grouped
from diadem_shared.advice import Reason, Unit
from diadem_shared.analysis import MoveAnalysis


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


def summary(game: str, decisions: Sequence[MoveAnalysis]) -> str:
    """Of a player's decisions, in a sentence or two, and in what the game has to say of them besides."""
    best = sum(not decision.is_costly for decision in decisions)
    told = _("{best} of {count} decisions were the best that could be known.")
    sentences = [told.format(best=best, count=len(decisions))]
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
    if words := words_of(game):
        sentences += words.summary(decisions)
    return " ".join(sentences)


def _given_away(decisions: Sequence[MoveAnalysis], unit: Unit) -> int:
    costly = (each for each in decisions if each.unit is unit and each.is_costly)
    return round(fsum(each.cost for each in costly if each.cost < SURE))


def kept(game: str, reasons: Sequence[Reason]) -> str:
    """The tiles that a move leaves in the hand, where that is told; else empty."""
    words = words_of(game)
    return words.kept(reasons) if words else ""


def has_rack(game: str, decision: MoveAnalysis) -> bool:
    """Whether tiles were kept, or could have been."""
    return any(kept(game, each) for each in (decision.of_made, decision.reasons))
