"""Matches that are over in a few words: when, who, and how they ended."""

import time

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state.past_matches import PastMatch
from diadem_client.wording.values import grouped

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
