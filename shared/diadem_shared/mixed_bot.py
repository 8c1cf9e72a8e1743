"""A bot that plays now as one and now as another, so that there are levels between the two."""

from collections.abc import Callable
from typing import Generic

from diadem_shared.advice import Decision
from diadem_shared.chance import Chance
from diadem_shared.game import Bot, EventT, MoveT, PrivateT, PublicT, ReasonedBot, View


class MixedBot(
    ReasonedBot[MoveT, EventT, PublicT, PrivateT], Generic[MoveT, EventT, PublicT, PrivateT]
):
    def __init__(
        self,
        chance: Chance,
        weaker: Callable[[Chance], Bot[MoveT, EventT, PublicT, PrivateT]],
        stronger: Callable[[Chance], Bot[MoveT, EventT, PublicT, PrivateT]],
        percent: int,
    ) -> None:
        """`percent`: how likely a move is the stronger one's."""
        super().__init__(chance)
        self._weaker, self._stronger = weaker(chance), stronger(chance)
        self.heavy = self._weaker.heavy or self._stronger.heavy
        self.slow = self._weaker.slow or self._stronger.slow
        self._percent = percent
        self._lot = self._drawn()

    def see(self, event: EventT) -> None:
        self._weaker.see(event)
        self._stronger.see(event)
        # Drawn here, as a heavy bot chooses on a copy that nobody keeps.
        self._lot = self._drawn()

    def decide(self, view: View[PublicT, PrivateT]) -> Decision[MoveT]:
        is_strong = self._lot < self.percent_of(view)
        return (self._stronger if is_strong else self._weaker).decide(view)

    def percent_of(self, view: View[PublicT, PrivateT]) -> int:
        """A game of several rule sets may want another mixture in each."""
        return self._percent

    def _drawn(self) -> int:
        return self.chance.below(100)
