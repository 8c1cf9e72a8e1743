"""Chances in a race: in how many turns each is out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diadem_shared.games.diamino.bots import race_model

tiles = st.floats(0, 40)
chances = st.floats(0, 1)
courses = st.builds(race_model.course, tiles, chances, st.floats(0, 15))


@given(courses)
def test_a_course_only_rises_and_ends_below_certainty(course: list[float]) -> None:
    assert len(course) == race_model.TURNS
    assert course == sorted(course)
    assert course[0] >= 0
    assert course[-1] <= 1


@given(courses, courses)
def test_one_of_two_is_first_or_neither_is_out(mine: list[float], other: list[float]) -> None:
    first = race_model.wins(mine, [other], to_move=True)
    second = race_model.wins(other, [mine], to_move=False)
    nobody = (1 - mine[-1]) * (1 - other[-1])
    assert first + second + nobody == pytest.approx(1)


@given(courses, st.lists(courses, min_size=1, max_size=7))
def test_who_is_to_move_has_no_worse_chance(mine: list[float], others: list[list[float]]) -> None:
    to_move = race_model.wins(mine, others, to_move=True)
    assert to_move >= race_model.wins(mine, others, to_move=False) - 1e-9
    assert to_move >= race_model.wins(mine, [*others, mine], to_move=True) - 1e-9


@given(tiles, st.floats(0, 5))
def test_fewer_tiles_are_likelier_out(held: float, fewer: float) -> None:
    assert race_model.likely_out(max(0, held - fewer)) >= race_model.likely_out(held)


def test_nothing_left_is_out() -> None:
    assert race_model.likely_out(0) == 1
    assert race_model.course(5, 0.2, 5)[1] == 1
