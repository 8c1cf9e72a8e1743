"""Whether a match that is over is played again: everybody who is still here is asked."""

from diadem_server.table.grace_periods import GracePeriods
from diadem_server.table.seating import Seating
from diadem_shared.match import Match, Phase
from diadem_shared.refusals import Refusal


class Rematch:
    def __init__(self, seating: Seating, grace: GracePeriods) -> None:
        self.table: str | None = None
        """Where it is played again."""
        self.unmade: Refusal | None = None
        """Why the table for it could not be made; it is tried again."""
        self._seating = seating
        self._grace = grace

    @property
    def willing(self) -> list[int]:
        """The sessions that want to play again and are here, by seat."""
        return [owner for owner in self._here() if owner in self._seating.ready]

    def is_due(self, match: Match) -> bool:
        """Whether all want to who had a seat and are here, and nobody is away who may come back in a moment."""
        if match.phase is not Phase.OVER or self.table is not None or self.unmade is not None:
            return False
        here = self._here()
        return bool(here) and not self._grace.sessions and len(self.willing) == len(here)

    def _here(self) -> list[int]:
        """Those who had a seat."""
        here = {person.id for person in self._seating.viewers}
        return [owner for owner in self._seating.owners if owner is not None and owner in here]
