"""A match is weighed by what each player could know."""

from functools import cache
from itertools import islice

import pytest

from diadem_shared.advice import Unit
from diadem_shared.analysis import Analysis, MoveAnalysis, analysis_of
from diadem_shared.entries import Moved, Setup
from diadem_shared.games.diadingo.table import Tried
from diadem_shared.match import open_match
from diadem_shared.playout import Step, play_out
from tests.shared.through import through

SECRET = bytes(range(32))
LEVELS = {
    "diamoniak": ("easy", "strong", "zombie"),
    "diadingo": ("naive", "perfect", "zombie"),
    "diamino-bonus": ("easy", "firm"),
}
BEST = {"strong", "perfect"}


def played(game: str, rounds: int = 1, steps: int | None = None) -> tuple[Setup, list[Step]]:
    setup = Setup(game, rounds=rounds)
    return setup, list(islice(play_out(setup, LEVELS[game], SECRET), steps))


@cache
def weighed(game: str) -> tuple[list[Step], Analysis]:
    """A match, or its first moves where an adviser takes long."""
    setup, steps = played(game, steps=16 if game == "diamino-bonus" else None)
    return steps, through(analysis_of(open_match(setup), steps))


every_game = pytest.mark.parametrize(
    "game", ["diamoniak", "diadingo", pytest.param("diamino-bonus", marks=pytest.mark.slow)]
)


@every_game
def test_every_move_is_weighed(game: str) -> None:
    steps, analysis = weighed(game)
    moves = [
        (step.match.entries, step.entry.seat, step.entry.move)
        for step in steps
        if isinstance(step.entry, Moved)
    ]
    assert [(each.entry, each.seat, each.move) for each in analysis.decisions] == moves


@every_game
def test_who_plays_as_advised_gives_nothing_away(game: str) -> None:
    _, analysis = weighed(game)
    costs = {
        level: sum(each.cost for each in analysis.of(seat))
        for seat, level in enumerate(LEVELS[game])
    }
    assert {level for level, cost in costs.items() if cost < 1e-9} == BEST & {*costs}, costs


def test_the_costliest_come_first() -> None:
    worths = {1: (0.5, 0.6), 4: (0.2, 0.9), 6: (0.5, 0.5), 9: (0.15, 0.2), 12: (0.4, 0.7)}
    decisions = tuple(
        MoveAnalysis(entry, 0, "stop", made, Unit.CHANCE, "draw", best)
        for entry, (made, best) in worths.items()
    )
    told = Analysis((*decisions, MoveAnalysis(13, 1, "stop", 0.0, Unit.CHANCE, "draw", 1.0)))
    assert [each.entry for each in told.costliest(0)] == [4, 12, 1]


def test_each_round_is_remembered_by_itself() -> None:
    """What is fixed in one round of Diadingo says nothing of the next (D-8)."""
    setup, steps = played("diadingo", rounds=2)
    told = through(analysis_of(open_match(setup), steps))
    perfect = LEVELS["diadingo"].index("perfect")
    assert sum(each.cost for each in told.of(perfect)) == pytest.approx(0)


def test_it_is_known_what_chance_made_of_each_try_in_diadingo() -> None:
    setup, steps = played("diadingo")
    analysis = through(analysis_of(open_match(setup), steps))
    tries = {
        step.match.entries: next(
            (
                float(each.event.value * each.event.loose)
                for each in step.told
                if isinstance(each.event, Tried)
            ),
            None,
        )
        for step in steps
        if isinstance(step.entry, Moved)
    }
    assert {each.entry: each.came for each in analysis.decisions} == tries
    assert len({*tries.values()}) > 2
