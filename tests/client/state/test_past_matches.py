"""A list of matches holds nothing that makes no sense."""

import pytest

from diadem_client.state.past_matches import past_match
from diadem_shared.game import Outcome
from diadem_shared.protocol import ReplayLine

LINE = ReplayLine("K7F3", "diadingo", ("Ana", "Bob"), Outcome((3, 5), (0, 0)), 1_000, 1)


def test_whose_match_it_was_says_who_has_won() -> None:
    match = past_match(LINE)
    assert match is not None
    assert (match.seat, match.has_won) == (1, True)
    lost = past_match(ReplayLine("K7F3", "diadingo", ("Ana", "Bob"), LINE.totals, None, 0))
    assert lost is not None
    assert (lost.ended, lost.has_won) == (None, False)


@pytest.mark.parametrize(
    ("names", "totals"),
    [((), Outcome((), ())), (("Ana",), Outcome((1, 2), (0, 0))), (("Ana",), Outcome((1,), ()))],
)
def test_of_whom_there_is_no_result_nothing_is_listed(
    names: tuple[str, ...], totals: Outcome
) -> None:
    assert past_match(ReplayLine("K7F3", "diadingo", names, totals)) is None


@pytest.mark.parametrize("seat", [-1, 2, 10**9])
def test_a_seat_that_is_not_there_is_nobodys(seat: int) -> None:
    match = past_match(ReplayLine("K7F3", "x" * 99, ("A\x1b", "B"), LINE.totals, 0, seat))
    assert match is not None
    assert (match.seat, match.has_won, len(match.game)) == (None, None, 40)
    assert "\x1b" not in match.names[0]
