"""Matches that are over in a few words: when, who, and how they ended."""

import time

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state.past_matches import PastMatch
from diadem_client.wording.refusals import sentence_for
from diadem_client.wording.shuffle import what_is_wrong
from diadem_client.wording.values import grouped
from diadem_shared.match_file import Untrue
from diadem_shared.protocol import Answer, Refused

WON, SHARED, LOST = N_("won"), N_("shared"), N_("lost")


def when(match: PastMatch, form: str = "%Y-%m-%d %H:%M") -> str:
    """By the clock on the player's wall."""
    if match.ended is None:
        return ""
    try:
        return time.strftime(form, time.localtime(match.ended))
    except (OverflowError, ValueError, OSError):  # a year that no calendar has
        return ""


def result(match: PastMatch) -> str:
    """For the player, in a word; empty where it is not known who of them that was."""
    if match.seat is None:
        return ""
    if match.seat not in match.totals.winners:
        return _(LOST)
    return _(SHARED) if len(match.totals.winners) > 1 else _(WON)


def standing(match: PastMatch) -> list[str]:
    """Everybody with what they have reached, the best first."""
    totals = match.totals
    order = sorted(
        range(len(match.names)),
        key=lambda seat: (totals.scores[seat], totals.tiebreaks[seat]),
        reverse=True,
    )
    return [f"{match.names[seat]} {grouped(totals.scores[seat])}" for seat in order]


def not_shown(why: Untrue | Answer | None) -> str:
    """Why a match cannot be looked at: its file is no match, or its server does not give it."""
    if isinstance(why, Untrue):
        wrong = what_is_wrong(why.fault, why.entry)
        return _("This match cannot be looked at: {wrong}").format(wrong=wrong)
    if isinstance(why, Refused):
        return sentence_for(why.why)
    return _("This match is not kept any more.")
