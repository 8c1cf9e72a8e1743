"""What a bot says of a play that the table judges (M-12)."""

from diadem_shared.advice import Decision, Reason
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.table import Accept, Move, Object
from diadem_shared.games.diamino.words import list_of


def judged(now: Situation) -> Decision[Move]:
    """Every run needs a reading that the table's list knows."""
    known, pending = list_of(now.table.options), now.table.pending
    runs = pending.runs if pending else ()
    strange = [
        run.readings[0].word if run.readings else run.tiles
        for run in runs
        if not any(reading.word in known for reading in run.readings)
    ]
    if strange:
        return Decision(Object(), (Reason(DiaminoReason.NOT_IN_LIST, {"words": strange}),))
    return Decision(Accept(), (Reason(DiaminoReason.IN_LIST),))
