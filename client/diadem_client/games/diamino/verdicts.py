"""What is thought of a word that is being tried, and why a key laid nothing."""

from diadem.games.diamino.table import PublicState
from diadem.games.diamino.terms import RuleSet
from diadem_client.games.diamino.draft import Hitch
from diadem_client.games.diamino.opinion import Opinion, Standing
from diadem_client.i18n import N_, listed
from diadem_client.i18n import gettext as _
from diadem_client.wording.refusals import sentence_for

HITCHES = {
    Hitch.NOT_HELD: N_("You have no {letter}, and no joker for it."),
    Hitch.JOKER_OFFERED: N_(
        "You have no {letter}. Press {letter} again to lay a joker as {letter}."
    ),
    Hitch.NO_JOKER: N_("You have no joker."),
    Hitch.NO_ROOM: N_("The line ends here. Space turns, arrows move."),
    Hitch.NOTHING_HERE: N_("No tile of your draft lies here."),
    Hitch.NOTHING_LAID: N_("Nothing of yours lies on the board."),
}


def in_words(opinion: Opinion, table: PublicState, game: str) -> str:
    """ok, NO or ..., and then the words or the reason."""
    words = listed(opinion.words)
    match opinion.standing:
        case Standing.NONE:
            return ""
        case Standing.ASKING:
            return f"... {words}"
        case Standing.NO:
            reasons = (sentence_for(each, game=game) for each in opinion.reasons)
            return _("NO  {reason}").format(reason=" ".join(reasons))
        case Standing.OK:
            return "  ".join(filter(None, [f"{_('ok')}  {words}", *_worth(opinion, table)]))


def _worth(opinion: Opinion, table: PublicState) -> list[str]:
    """What the devils under it would do."""
    legal = opinion.legal
    if legal is None:
        return []
    greens, reds = len(legal.greens), len(legal.reds)
    if table.rules is RuleSet.BONUS:
        green, red = _("green: {count} x 5 for the others"), _("red: {count} x 10 for you")
    else:
        green, red = _("green: take {count}"), _("red: give back up to {count}")
    judged = table.options.judging == "table"
    return [
        *([green.format(count=greens)] if greens else []),
        *([red.format(count=reds)] if reds else []),
        *([_("(the players judge it)")] if judged else []),
    ]
