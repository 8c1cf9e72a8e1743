"""What a bot says of a play that the table judges (M-12)."""

from diadem.games.diamino.bots.situation import Situation
from diadem.games.diamino.table import Accept, Object
from diadem.games.diamino.words import list_of


def judged(now: Situation) -> Accept | Object:
    """Every run needs a reading that the table's list knows."""
    known, pending = list_of(now.table.options), now.table.pending
    runs = pending.runs if pending else ()
    fair = all(any(reading.word in known for reading in run.readings) for run in runs)
    return Accept() if fair else Object()
