"""How a match in a list is told."""

import pytest

from diadem_client.state.past_matches import PastMatch
from diadem_client.wording.past_matches import result, standing, when
from diadem_shared.game import Outcome, Seat
from tests.cases import cases


def match(seat: Seat | None = 0, *scores: int, ended: int | None = None) -> PastMatch:
    totals = Outcome(scores or (3, 12_000), (0,) * max(2, len(scores)))
    return PastMatch(
        "K7F3", "diadingo", ("Ana", "Bob", "Cem")[: len(totals.scores)], totals, ended, seat
    )


@cases(
    ("past", "word"),
    [
        (match(0), "lost"),
        (match(1), "won"),
        (match(0, 5, 5), "shared"),
        (match(2, 5, 5, 1), "lost"),
        (match(None), ""),
    ],
)
def test_the_result_is_the_players_own(past: PastMatch, word: str) -> None:
    assert result(past) == word


def test_the_best_stand_first() -> None:
    assert standing(match(0)) == ["Bob 12 000", "Ana 3"]


@pytest.mark.parametrize("ended", [None, 2**62, -(2**62)])
def test_a_moment_that_is_none_is_not_told(ended: int | None) -> None:
    assert when(match(ended=ended)) == ""
    assert when(match(ended=1_700_000_000)).startswith("2023-11-1")
