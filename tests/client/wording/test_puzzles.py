"""What is said of a puzzle says how far one has come with it."""

from diadem_client.state.puzzle_record import PuzzleDay
from diadem_client.wording.puzzles import how_far, streak
from tests.cases import cases


@cases(
    ("day", "told"),
    [
        (PuzzleDay(), ""),
        (PuzzleDay(1), "1 try"),
        (PuzzleDay(3), "3 tries"),
        (PuzzleDay(1, is_solved=True), "solved at once"),
        (PuzzleDay(4, is_solved=True), "solved in 4 tries"),
        (PuzzleDay(1, is_solved=True, is_late=True), "solved at once, later"),
        (PuzzleDay(2, is_shown=True), "solution shown"),
    ],
)
def test_how_far_one_has_come(day: PuzzleDay, told: str) -> None:
    assert how_far(day) == told


def test_a_streak_is_counted() -> None:
    assert streak(0).startswith("A position from a game among bots")
    assert streak(1) == "Solved on 1 day in a row."
    assert streak(12) == "Solved on 12 days in a row."
