"""What is worth remembering of Diadingo: rounds, thefts, and diamonds found one after the other."""

from collections import Counter
from typing import Any

from diadem_shared.game import Seat
from diadem_shared.games.diadingo.table import DiadingoEvent, Ended, Stole, Tried
from diadem_shared.highlights import ROUND, Best, Highlights

RUN, THEFT = "run", "theft"


class DiadingoHighlights(Highlights[DiadingoEvent]):
    kinds = {ROUND: Best.MOST, RUN: Best.MOST, THEFT: Best.MOST}  # noqa: RUF012, never changed
    """Dollars of a round, tries in a row that found a loose diamond, and the value of what was stolen."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self._run: Counter[Seat] = Counter()

    def see(self, event: DiadingoEvent) -> None:
        match event:
            case Tried(seat, loose=True):
                self._run[seat] += 1
                self.note(seat, RUN, self._run[seat])
            case Tried(seat):
                del self._run[seat]
            case Stole(seat, _, value):
                self.note(seat, THEFT, value)
            case Ended():
                self._run.clear()
            case _:
                pass
