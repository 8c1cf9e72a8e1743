"""Sentences for what is known of a shuffle, and for what is wrong with the file of a match."""

from collections.abc import Mapping

from diadem_client.i18n import N_, ngettext
from diadem_client.i18n import gettext as _
from diadem_client.state.shuffle_check import Doubt, ShuffleCheck
from diadem_shared.match_file import Fault

DOUBTS: Mapping[Doubt, str] = {
    Doubt.LEFT_OUT: N_(
        "This shuffle is without your part: your connection was too slow, or the host left it out."
    ),
    Doubt.CHANGED: N_(
        "The server changed what was final in the shuffle. Its host may have chosen the outcome."
    ),
    Doubt.TAKEN_BACK: N_(
        "The server took back what had happened at this table. Its host may have chosen the outcome."
    ),
    Doubt.NOT_SEALED: N_(
        "The server asked for your part of the shuffle too early. Your client did not give it."
    ),
    Doubt.DROPPED: N_(
        "A shuffle with your part was dropped: somebody came or left, or the setup changed. "
        "The host may have done it to choose the outcome."
    ),
    Doubt.ADDED_FOR_BOT: N_(
        "The host took part in this shuffle in a bot's place, and may have chosen the outcome."
    ),
}
FAULTS: Mapping[Fault, str] = {
    Fault.TOO_LONG: N_("it is longer than any match."),
    Fault.NO_MATCH: N_("it does not begin as the file of a match."),
    Fault.NOT_WHOLE: N_("it is not whole, something is missing at its end."),
    Fault.BAD_LINE: N_("entry {entry} cannot be read."),
    Fault.OTHER_RULES: N_("this game, or this version of its rules, is not known here."),
    Fault.NO_WORD_LIST: N_(
        "its word list is somebody's own, and not here. Whoever has it names its file in the settings."
    ),
    Fault.OTHER_WORDS: N_(
        "entry {entry} has a word that the list of this name here does not have."
    ),
    Fault.COMMITMENT: N_("the server's secret is not the one it was bound to."),
    Fault.CHAIN: N_("the hash chain does not fit: an entry was changed."),
    Fault.ILLEGAL: N_("entry {entry} is not allowed by the rules."),
    Fault.RESULT: N_("its entries lead to another result."),
    Fault.OTHER_MATCH: N_("entry {entry}, or one before it, is not what was played."),
    Fault.OTHER_VIEW: N_("after entry {entry} you were shown something else."),
    Fault.LEFT_OUT: N_("entry {entry} shuffles without what you added."),
    Fault.OTHER_SHUFFLE: N_("entry {entry} is not the shuffle to which you gave your part."),
}
UNDECIDED = frozenset({Fault.OTHER_RULES, Fault.NO_WORD_LIST, Fault.OTHER_WORDS})
"""What keeps a match from being checked, and is nobody's fault."""


def what_is_wrong(fault: Fault, entry: int) -> str:
    return _(FAULTS[fault]).format(entry=entry)


def doubt(check: ShuffleCheck) -> str:
    """What speaks against the shuffle; empty if nothing does."""
    if check.doubt is not None:
        return _(DOUBTS[check.doubt])
    if check.is_withheld:
        return _("The server gave no record of this match, so its shuffle can't be checked.")
    if check.fault is None or check.fault in UNDECIDED:
        return ""
    wrong = what_is_wrong(check.fault, check.entry)
    return _("The record of this match does not hold: {wrong}").format(wrong=wrong)


def praise(check: ShuffleCheck) -> str:
    """That nothing does; empty where that is not known."""
    if check.doubt is not None or check.fault is not None or check.is_withheld:
        return ""
    if check.without:
        told = ngettext(
            "Match verified; {count} round was shuffled without your part.",
            "Match verified; {count} rounds were shuffled without your part.",
            check.without,
        )
        return told.format(count=check.without)
    return _("Shuffle verified.") if check.is_verified else ""
