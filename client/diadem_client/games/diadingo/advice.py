"""Moves of Diadingo and reasons for them, in words."""

from collections.abc import Iterator, Mapping, Sequence

from diadem_client.games.diadingo import memory_summary
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.wording.advice import MoveWords, Seen
from diadem_client.wording.reader import Reader
from diadem_client.wording.values import grouped
from diadem_shared.advice import Reason
from diadem_shared.analysis import MoveAnalysis
from diadem_shared.games.diadingo.reasons import DiadingoReason
from diadem_shared.games.diadingo.table import Decline, Move, Steal, Take

REASONS: Mapping[str, str] = {
    DiadingoReason.UNTRIED: N_("It comes off in {percent} of 100 cases."),
    DiadingoReason.KNOWN_FIXED: N_("It was tried, and does not move."),
    DiadingoReason.AVOIDED: N_("Tried before, and fixed: {spots}."),
    DiadingoReason.RING_AT_STAKE: N_("If it is fixed, {value} dollars are lost."),
    DiadingoReason.THEFT_BRINGS: N_("It brings {gain} dollars."),
    DiadingoReason.ROBS_LEADER: N_("{seat} has the most."),
    DiadingoReason.ROBBED_IS_NEXT: N_("{seat} plays next."),
    DiadingoReason.THEFTS_TO_COME: N_("Thefts still in the deck: {thefts}."),
    DiadingoReason.PLAYS_ON: N_("Another card is turned up at once."),
    DiadingoReason.REMEMBERS_NOTHING: N_("Remembers nothing, and takes any."),
    DiadingoReason.DEAREST_RING: N_("Steals the dearest there is."),
    DiadingoReason.CAUGHT_ITS_EYE: N_("Steals what it happens to see."),
}


class DiadingoWords(MoveWords):
    reasons = REASONS

    def named(self, seen: Seen, move: Move, why: Sequence[Reason]) -> str:
        match move:
            case Take(spot):
                return _("take {spot}").format(spot=spot)
            case Steal(value, victim):
                sentence = _("steal {value} dollars from {name}")
                name = Reader(seen.names).name(victim)
                return sentence.format(value=grouped(value), name=name)
            case Decline():
                return _("steal nothing")

    def summary(self, decisions: Sequence[MoveAnalysis]) -> Iterator[str]:
        return memory_summary.summary(decisions)


WORDS = DiadingoWords()
