"""What is worth remembering of castles: how soon one was complete, and how far luck was pushed."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from diadem_shared.game import Seat
from diadem_shared.games.castles.editions import DANGER
from diadem_shared.games.castles.table import Began, CastleEvent, Completed, Drew, Stopped
from diadem_shared.highlights import Best, Highlights

CASTLE, DRAWN = "castle", "drawn"


class CastleHighlights(Highlights[CastleEvent]):
    kinds = {CASTLE: Best.LEAST, DRAWN: Best.MOST}  # noqa: RUF012, never changed
    """Own turns to a complete castle, and cards drawn in a turn that no danger ended."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self._turns: Counter[Seat] = Counter()
        self._drawn = 0

    def see(self, event: CastleEvent) -> None:
        match event:
            case Began(seat):
                self._turns[seat] += 1
                self._drawn = 0
            case Drew(_, card):
                self._drawn = 0 if card == DANGER else self._drawn + 1
            case Stopped(seat):
                self.note(seat, DRAWN, self._drawn)
            case Completed(seat, colour):
                if self._drawn:
                    self.note(seat, DRAWN, self._drawn)
                self.note(seat, CASTLE, self._turns[seat], colour)
                self._turns.clear()
            case _:
                pass

    def end_round(self, scores: Sequence[int]) -> None:
        """Also of one that was stopped before a castle was complete (C-5)."""
        super().end_round(scores)
        self._turns.clear()
