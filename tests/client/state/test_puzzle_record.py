"""What is kept of puzzles: tries, and how many in a row were solved on their day."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from diadem_client.state.puzzle_record import MOST_DAYS, PuzzleDay, PuzzleRecord

TODAY = date(2026, 11, 19)
YESTERDAY = TODAY - timedelta(1)


def solved(*days: date) -> PuzzleRecord:
    record = PuzzleRecord()
    for day in days:
        record = record.tried(day, day, solves=True)
    return record


def test_tries_are_counted_until_it_is_solved() -> None:
    record = PuzzleRecord()
    for solves in (False, False, True, False):
        record = record.tried(TODAY, TODAY, solves=solves)
    assert (record.of(TODAY).tries, record.of(TODAY).is_solved) == (3, True)


def test_what_was_shown_cannot_be_solved_any_more() -> None:
    record = PuzzleRecord().tried(TODAY, TODAY, solves=False).shown(TODAY)
    record = record.tried(TODAY, TODAY, solves=True)
    assert (record.of(TODAY).tries, record.of(TODAY).is_solved) == (1, False)


def test_what_was_solved_stays_so_though_it_is_shown() -> None:
    assert solved(TODAY).shown(TODAY).of(TODAY).is_solved


def test_todays_puzzle_may_still_be_open() -> None:
    assert solved(YESTERDAY).streak(TODAY) == 1
    assert solved(YESTERDAY, TODAY).streak(TODAY) == 2
    assert solved(YESTERDAY - timedelta(1)).streak(TODAY) == 0


def test_a_puzzle_solved_later_does_not_count() -> None:
    record = solved(TODAY).tried(YESTERDAY, TODAY, solves=True)
    assert record.of(YESTERDAY).is_solved
    assert record.streak(TODAY) == 1


@given(st.sets(st.integers(0, 30)))
def test_a_streak_is_broken_by_a_day_without(missed: set[int]) -> None:
    days = [TODAY - timedelta(back) for back in range(30) if back not in missed]
    expected = min(missed - {0}, default=30) - (0 in missed)
    assert solved(*days).streak(TODAY) == expected


def test_only_so_many_days_are_kept() -> None:
    """Whatever a wrong clock or another program has written there besides."""
    far = {
        (TODAY + timedelta(10 + on)).isoformat(): PuzzleDay(1, is_solved=True)
        for on in range(MOST_DAYS)
    }
    record = PuzzleRecord({**far, "today": PuzzleDay(1), "2026-99-01": PuzzleDay(1)})
    record = record.tried(YESTERDAY, YESTERDAY, solves=True).tried(TODAY, TODAY, solves=True)
    assert len(record.days) == MOST_DAYS
    assert record.streak(TODAY) == 2
    assert record.streak(YESTERDAY) == 1  # the clock was set back
