"""What is thought of a draft: its shape is judged here and at once, its words by the server."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct

from diadem_client.games.diamino.draft import Draft
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.play import LooseTiles as Tried
from diadem_shared.games.diamino.table import PublicState
from diadem_shared.games.diamino.verdict import Illegal, Legal, Run, Verdict, Way
from diadem_shared.refusals import Refusal


class Standing(StrEnum):
    NONE = "none"  # nothing is laid
    ASKING = "asking"  # the shape is right; the words are being looked up
    OPEN = "open"  # the shape is right; the players will judge the words
    OK = "ok"
    NO = "no"


class Opinion(Struct, frozen=True):
    standing: Standing = Standing.NONE
    legal: Legal | None = None
    """What the play would do, where its shape allows it."""
    reasons: tuple[Refusal, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(map(word_of, self.legal.runs)) if self.legal else ()


def of_shape(draft: Draft, table: PublicState) -> Opinion:
    """By the game's own judge, without words; where the players judge those, that is all."""
    if not draft.placed:
        return Opinion()
    verdict = judge(table.board, Tried(draft.by_field), draft.hand, table.terms, None)
    if isinstance(verdict, Illegal):
        return Opinion(Standing.NO, reasons=verdict.reasons)
    by_list = table.options.judging == "dictionary"
    return Opinion(Standing.ASKING if by_list else Standing.OPEN, verdict)


def of_server(opinion: Opinion, verdict: Mapping[str, Any]) -> Opinion:
    """The server's word, in plain values; what cannot be read leaves everything as it is."""
    try:
        read: Verdict = msgspec.convert(verdict, Legal | Illegal)
    except msgspec.ValidationError:
        return opinion
    match read:
        case Legal():
            return Opinion(Standing.OK, read)
        case Illegal(reasons):
            return Opinion(Standing.NO, opinion.legal, reasons)


def word_of(run: Run) -> str:
    return run.readings[0].word if run.readings else run.tiles.upper()


def is_upward(run: Run) -> bool:
    return bool(run.readings) and run.readings[0].way is Way.UP
