"""Moves of Diamino and reasons for them, in words."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from diadem_client.games.diamino import rack_summary
from diadem_client.games.diamino.event_text import placed
from diadem_client.i18n import N_, after_colon
from diadem_client.i18n import gettext as _
from diadem_client.wording.advice import MoveWords, Seen
from diadem_shared.advice import Reason
from diadem_shared.analysis import MoveAnalysis
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.play import Play
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.table import (
    Accept,
    Exchange,
    Give,
    Lay,
    Move,
    Object,
    Pass,
    Silence,
)
from diadem_shared.games.diamino.verdict import Legal

REASONS: Mapping[str, str] = {
    DiaminoReason.WORD: "",  # in the name of the move
    DiaminoReason.SCORES: N_("Points at once: {points}."),
    DiaminoReason.OTHERS_SCORE: N_("The others get {points} each."),
    DiaminoReason.LAYS: N_("Tiles laid: {tiles}."),
    DiaminoReason.GOES_OUT: N_("It ends the round."),
    DiaminoReason.GOES_OUT_ON_BLACK: N_("It ends the round on a black field."),
    DiaminoReason.KEEPS: N_("Kept: {tiles}, {hand}."),
    DiaminoReason.DRAWS: N_("Tiles to take: {tiles}."),
    DiaminoReason.GIVES_BACK: N_("Tiles to give back: {tiles}."),
    DiaminoReason.NEXT_MAY_GET: N_("Points the next player may get: {points}."),
    DiaminoReason.MAY_LAY_NEXT: N_("Tiles that fit next time: {tiles}."),
    DiaminoReason.MAY_GO_OUT_NEXT: N_("Places for all that is left: {places}."),
    DiaminoReason.NOTHING_FITS: N_("No word fits."),
    DiaminoReason.NOTHING_WORTH_IT: N_("Better tiles are worth more than any word here."),
    DiaminoReason.GIVES_UP: N_("Hardest to lay: {tiles}."),
    DiaminoReason.NOTHING_TO_SWAP: N_("Nothing can be exchanged."),
    DiaminoReason.ENDS_AHEAD: N_("It ends the round, most likely ahead."),
    DiaminoReason.PLAYED_ON: N_("Played on in thought, it wins about {percent} of 100 rounds."),
    DiaminoReason.PLAYED_OUT: N_("The hands are known: it stands up to every answer found."),
    DiaminoReason.IN_LIST: N_("The list has every word."),
    DiaminoReason.NOT_IN_LIST: N_("Not in the list: {words}."),
    DiaminoReason.COMES_TO_MIND: N_("{word} is an everyday word."),
    DiaminoReason.SPELT_OUT: N_("No everyday word fits, but {word} does."),
    DiaminoReason.NO_WORD_SEEN: N_("Sees no word."),
    DiaminoReason.STANDS_IN: N_("Only sits in for somebody."),
}
HANDS = {
    "light": N_("easy to lay"),
    "even": N_("neither easy nor hard"),
    "heavy": N_("hard to lay"),
}
LONGEST_HAND = 16
"""Tiles of a hand that are named."""


class DiaminoWords(MoveWords):
    reasons = REASONS

    def detail(self, key: str, value: object) -> str | None:
        match key, value:
            case "hand", str():
                return _(HANDS[value]) if value in HANDS else value
            case "tiles", str() if len(value) > LONGEST_HAND:
                return value[:LONGEST_HAND] + "..."
            case _:
                return None

    def named(self, seen: Seen, move: Move, why: Sequence[Reason]) -> str:
        match move:
            case Lay(play):
                words = (each.about.get("word") for each in why if each.code == DiaminoReason.WORD)
                return _laid(seen, play, str(next(words, "")))
            case Exchange(tiles):
                return _("exchange") + after_colon(tiles)
            case Pass():
                return _("pass")
            case Give(""):
                return _("keep all")
            case Give(tiles):
                return _("give back") + after_colon(tiles)
            case Accept():
                return _("accept")
            case Object():
                return _("object")
            case Silence():
                return _("say nothing")

    def summary(self, decisions: Sequence[MoveAnalysis]) -> Iterator[str]:
        return rack_summary.summary(decisions)

    def kept(self, reasons: Sequence[Reason]) -> str:
        return rack_summary.kept(reasons)


def _laid(seen: Seen, play: Play, word: str) -> str:
    """Where the word begins, and which way it is read; no list is asked for that."""
    table = seen.view.public
    hand = seen.view.private.tiles if seen.view.private else ""
    verdict = judge(table.board, play, hand, table.terms, None)
    runs = verdict.runs if isinstance(verdict, Legal) else ()
    for run in runs:  # of a single tile the word may be the other one
        if read := tuple(each for each in run.readings if each.word == word):
            return placed((word,), (replace(run, readings=read),), play.start)
    return str(play)


WORDS = DiaminoWords()
