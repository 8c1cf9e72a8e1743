"""What each move of a match that is over was worth, against the best that could be known when it was made.

Whoever decided is advised by what their seat had seen, and nothing else: what came later was luck.
"""

import copy
from collections.abc import Generator, Iterable, Iterator

from msgspec import Struct

from diadem_shared.advice import Reason, Unit
from diadem_shared.chance import Chance
from diadem_shared.entries import Moved, Started
from diadem_shared.game import AnyAdviser, AnyGame, Seat
from diadem_shared.match import Match, Told
from diadem_shared.playout import Step

MOST_COMPARED = 3
LEAST = {Unit.CHANCE: 0.005, Unit.POINTS: 0.5, Unit.TILES: 0.25, Unit.DOLLARS: 1.0}
"""What costs less is as good as the best."""


class MoveAnalysis(Struct, frozen=True):
    """A decision, and what would have been better."""

    entry: int
    seat: Seat
    move: str
    value: float
    unit: Unit
    best: str
    best_value: float
    reasons: tuple[Reason, ...] = ()
    """What speaks for the best move."""
    of_made: tuple[Reason, ...] = ()
    """And for the one that was made."""
    came: float | None = None
    """What chance then made of it, in the same unit; None where chance had no say."""

    @property
    def cost(self) -> float:
        """What was given away, never less than nothing."""
        return max(0.0, self.best_value - self.value)

    @property
    def is_costly(self) -> bool:
        return self.cost >= LEAST[self.unit]


class Analysis(Struct, frozen=True):
    decisions: tuple[MoveAnalysis, ...] = ()

    def of(self, seat: Seat) -> list[MoveAnalysis]:
        return [each for each in self.decisions if each.seat == seat]

    def costliest(self, seat: Seat, most: int = 3) -> list[MoveAnalysis]:
        """Those by which a seat gave away most, the worst first."""
        costly = [each for each in self.of(seat) if each.is_costly]
        return sorted(costly, key=lambda each: (-each.cost, each.entry))[:most]


def analysis_of(before: Match, steps: Iterable[Step]) -> Generator[int, None, Analysis]:
    """Weigh each move; yields the numbers of the entries as it goes. `before`: the match as it was set up."""
    game = before.game
    advisers: list[AnyAdviser | None] = []
    decisions: list[MoveAnalysis] = []
    match = before
    for step in steps:
        if isinstance(step.entry, Started):
            advisers = _advisers(game, len(match.players))
        entry = step.entry
        if isinstance(entry, Moved) and (adviser := advisers[entry.seat]):
            decisions += _weighed(game, adviser, match, entry, step.told)
        for seat, each in enumerate(advisers):
            for happening in step.told:
                if each is not None:
                    each.see(happening.told(seat))
        match = step.match
        yield match.entries
    return Analysis(tuple(decisions))


def _advisers(game: AnyGame, seats: int) -> list[AnyAdviser | None]:
    """Always with the same chance, so that the same match is told the same of."""
    return [game.adviser(Chance(b"analysis", str(seat))) for seat in range(seats)]


def _weighed(
    game: AnyGame, adviser: AnyAdviser, match: Match, entry: Moved, told: Told
) -> Iterator[MoveAnalysis]:
    view, move = game.view(match.state, entry.seat), game.parse(entry.move)
    evaluations = copy.deepcopy(adviser).evaluate(view, MOST_COMPARED, move)
    made = next((each for each in evaluations if each.move == move), None)
    if made is None:
        return
    best = evaluations[0] if evaluations[0].value > made.value else made
    yield MoveAnalysis(
        match.entries + 1,
        entry.seat,
        game.notate(made.move),
        made.value,
        made.unit,
        game.notate(best.move),
        best.value,
        best.reasons,
        made.reasons,
        adviser.came_of(view, move, [happening.told(entry.seat) for happening in told]),
    )
