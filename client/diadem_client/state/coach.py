"""A guided first game: steps at the table of a lesson, and which of them the player is at."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from diadem_shared.entries import OptionValue, Setup
from diadem_shared.game import Event, View
from diadem_shared.lesson import Deal, deal_of


class Step(Struct, frozen=True):
    say: str
    """What to do, and why, in a line or two; a gettext message id. It may name what its deal names."""
    clause: str
    """Of the rules, such as "K-13"."""
    fits: Callable[[View[Any, Any], str], bool]
    """Whether it can be done, by the view of the player whose turn it is, and the move that the deal proposes."""
    done: Callable[[View[Any, Any], Sequence[Event]], bool]
    """Whether it was, by the view and what has happened in it."""
    undone: Callable[[View[Any, Any], Sequence[Event]], bool] = lambda _view, _events: False
    """Whether it was tried in vain, by the same."""
    moves: int = 1
    """Of those that the deal proposes."""


class Lesson(Struct, frozen=True):
    steps: tuple[Step, ...]
    options: Mapping[str, OptionValue] = {}
    """Of the table."""

    def proposed(self, step: int, deal: Deal) -> str:
        """The first move of a step."""
        return deal.moves[sum(each.moves for each in self.steps[:step])]


class Coach:
    """Follows a table. Whatever the player does is fine: a step that does not fit is not asked for, and may come later."""

    def __init__(self, game: str, lesson: Lesson, deal: Deal) -> None:
        self.game = game
        self.lesson = lesson
        self.deal = deal
        self._restart("")

    def _restart(self, table: str) -> None:
        self._table = table
        self._undone = [*range(len(self.lesson.steps))]
        self._entry = 0
        self._since: list[Event] = []
        """What has happened in this step."""
        self._missed: set[int] = set()
        """Steps that were asked for, and can perhaps not be done any more."""
        self.at: int | None = None
        """The step that the player is asked for, from 0."""
        self.strayed = False
        """Whether the player has done something else than they were asked for last."""
        self.waits = True
        """Whether it is for others to move."""

    def teaches(self, setup: Setup) -> bool:
        return (self.game, self.deal) == (setup.game, deal_of(setup))

    @property
    def step(self) -> Step | None:
        return None if self.at is None else self.lesson.steps[self.at]

    @property
    def number(self) -> int:
        """Of the step, or of the next, from 1."""
        return len(self.lesson.steps) - len(self._undone) + 1

    @property
    def is_over(self) -> bool:
        return self.at is None and self._missed.issuperset(self._undone)

    def see(
        self,
        table: str,
        view: View[Any, Any],
        events: Sequence[tuple[int, Event]],
        *,
        may_act: bool,
    ) -> None:
        """Look at a table as it is shown, with what happened there, each event with the number of its entry."""
        if table != self._table:
            self._restart(table)
        new = [event for entry, event in events if entry > self._entry]
        self._entry = max([self._entry, *(entry for entry, _event in events)])
        self._since += new
        self.waits = not may_act
        seats = {getattr(event, "seat", None) for event in new}
        had_turn = view.seat in seats and (not may_act or bool(seats - {view.seat, None}))
        if self.step is not None and self.step.done(view, self._since):
            self._undone.remove(self.at or 0)
            self.at, self.strayed = None, False
        elif self.step is not None and self.step.undone(view, self._since):
            self._since, self.strayed = [], False
        elif self.at is not None and had_turn:
            self.strayed = True
        if may_act and not (self.at is not None and self._fits(self.at, view)):
            self._missed.update([] if self.at is None else [self.at])
            self.at = next((each for each in self._undone if self._fits(each, view)), None)
            self._since = []

    def _fits(self, step: int, view: View[Any, Any]) -> bool:
        return self.lesson.steps[step].fits(view, self.lesson.proposed(step, self.deal))


def happened(*kinds: type[Event]) -> Callable[[View[Any, Any], Sequence[Event]], bool]:
    """Whether the player has done something of these kinds."""

    def done(view: View[Any, Any], events: Sequence[Event]) -> bool:
        return any(
            isinstance(each, kinds) and getattr(each, "seat", None) == view.seat for each in events
        )

    return done
