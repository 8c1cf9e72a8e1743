"""What is thought of a word that is being tried, and why a key laid nothing."""

from collections.abc import Iterator

from diadem_client.games.diamino.draft import Hitch
from diadem_client.games.diamino.drawing import Line
from diadem_client.games.diamino.opinion import Opinion, Standing, is_upward, word_of
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.wording.refusals import sentence_for
from diadem_shared.games.diamino.scoring import FINISH, FINISH_ON_BLACK
from diadem_shared.games.diamino.table import PublicState
from diadem_shared.games.diamino.terms import RuleSet
from diadem_shared.games.diamino.tiles import TILE_SETS
from diadem_shared.games.diamino.verdict import Legal

RED_POINTS = 10
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


def refused(opinion: Opinion, game: str) -> str:
    """Why it may not be laid."""
    reasons = (sentence_for(each, game=game) for each in opinion.reasons)
    return _("NO  {reason}").format(reason=" ".join(reasons))


def total(opinion: Opinion, table: PublicState) -> str:
    """ok, NO or ..., and what the play would bring; of words that nobody has judged only that."""
    match opinion.standing:
        case Standing.NONE:
            return ""
        case Standing.ASKING:
            return "..."
        case Standing.NO:
            return _("NO")
        case Standing.OPEN:
            return _brings(opinion.legal, table)
        case Standing.OK:
            return "  ".join(filter(None, [_("ok"), _brings(opinion.legal, table)]))


def _brings(legal: Legal | None, table: PublicState) -> str:
    if legal is None:
        return ""
    if table.rules is RuleSet.RUMMY:
        return _("{count} left").format(count=len(legal.left))
    points = RED_POINTS * len(legal.reds)
    if table.options.words_score:
        points += legal.words_value(TILE_SETS[table.options.language])
    return f"+{points}" if points else ""


def lines(opinion: Opinion, table: PublicState, game: str) -> list[Line]:
    """Every word and its value, and what the devils under it would do; or why it may not be laid."""
    if opinion.standing is Standing.NO:
        return [Line(sentence_for(each, game=game), "", Standing.NO) for each in opinion.reasons]
    if opinion.legal is None:
        return []
    tiles = TILE_SETS[table.options.language]
    scores = table.rules is RuleSet.BONUS and table.options.words_score
    words = [
        Line(
            word_of(run),
            str(tiles.value(run.tiles)) if scores else "",
            opinion.standing,
            is_upward=is_upward(run),
        )
        for run in opinion.legal.runs
    ]
    return [*words, *map(Line, _worth(opinion.legal, table))]


def _out(legal: Legal, table: PublicState) -> str:
    """M-23, M-29, M-30: the last tile, and what it brings."""
    if table.rules is RuleSet.BONUS:
        points = FINISH_ON_BLACK if legal.blacks else FINISH
        return _("out: {points} and the others' tiles").format(points=points)
    return _("out: the others' tiles, twice") if legal.blacks else _("out: the others' tiles")


def _worth(legal: Legal, table: PublicState) -> Iterator[str]:
    """What the devils under it would do."""
    greens, reds = len(legal.greens), len(legal.reds)
    if table.rules is RuleSet.BONUS:
        green, red = _("green: {count} x 5 for the others"), _("red: {count} x 10 for you")
    else:
        green, red = _("green: take {count}"), _("red: give back up to {count}")
    if greens:
        yield green.format(count=greens)
    if reds:
        yield red.format(count=reds)
    if legal.empties_hand:
        yield _out(legal, table)
    if table.options.judging == "table":
        yield _("(the players judge it)")
