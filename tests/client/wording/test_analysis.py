"""What a decision cost is told in what the game counts."""

import pytest

from diadem.advice import Reason, Unit
from diadem.analysis import Weighed
from diadem.games.diadingo.reasons import DiadingoReason
from diadem_client.wording.analysis import cost, summary


def weighed(unit: Unit, made: float, best: float, *reasons: Reason) -> Weighed:
    return Weighed(7, 0, "one", made, unit, "other", best, (), reasons)


@pytest.mark.parametrize(
    ("decision", "told"),
    [
        (weighed(Unit.CHANCE, 0.31, 0.54), "23 of 100"),
        (weighed(Unit.POINTS, -4.0, 17.2), "21 points"),
        (weighed(Unit.POINTS, 0.0, 1.0), "1 point"),
        (weighed(Unit.TILES, 2.0, 4.0), "2 tiles"),
        (weighed(Unit.TILES, 2.0, 1002.0), "the round"),
        (weighed(Unit.DOLLARS, 0.0, 3333.3), "$3 333"),
    ],
)
def test_a_cost_is_told_in_its_unit(decision: Weighed, told: str) -> None:
    assert cost(decision).replace("\xa0", " ") == told


def test_a_sum_says_how_many_were_best_and_what_was_left() -> None:
    decisions = [
        weighed(Unit.POINTS, 5.0, 5.2),
        weighed(Unit.POINTS, 0.0, 12.0),
        weighed(Unit.POINTS, 0.0, 1000.0),
    ]
    assert summary(decisions) == (
        "1 of 3 decisions were the best that could be known. 12 points were left behind."
    )


def test_what_was_forgotten_is_counted() -> None:
    forgotten = weighed(Unit.DOLLARS, 0.0, 2000.0, Reason(DiadingoReason.KNOWN_FIXED))
    assert "2 tries went to spots" in summary([forgotten, forgotten])
    assert "1 try went to a spot" in summary([forgotten])
