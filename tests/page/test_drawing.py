"""Lines and blocks are drawn, and as many cells as one can read fit a window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diadem_client.terminal.console_font import LACKING, STAYS
from tests.page.engine import Engine

LINES_AND_BLOCKS = [
    letter for letter in STAYS + LACKING.pattern.strip("[]") if "\u2500" <= letter <= "\u259f"
]
CURVES = "╭╮╰╯"


@pytest.fixture(scope="module")
def drawing() -> Engine:
    return Engine("draw.mjs")


@pytest.mark.parametrize("size", [(8, 16), (9, 19), (14, 29), (3, 6)])
def test_what_screens_are_made_of_needs_no_font(drawing: Engine, size: tuple[int, int]) -> None:
    width, height = size
    for letter in LINES_AND_BLOCKS:
        if letter in CURVES:
            assert drawing.ask(f"'{letter}' in ROUND")
            continue
        shape = drawing.ask(f"rectangles('{letter}', {width}, {height})")
        assert shape, letter
        for x, y, wide, high, share in shape:
            assert 0 <= x <= x + wide <= width, letter
            assert 0 <= y <= y + high <= height, letter
            assert 0 < share <= 1


def test_lines_reach_the_edges_where_they_go_on(drawing: Engine) -> None:
    (left, _y, wide, _high, _share), *_ = drawing.ask("rectangles('─', 9, 19).reverse()")
    assert left == 0
    right = drawing.ask("rectangles('─', 9, 19)")[0]
    assert right[0] <= wide
    assert right[0] + right[2] == 9
    cross = drawing.ask("rectangles('┼', 9, 19)")
    assert {(x, y) for x, y, *_ in cross} >= {(4, 0), (0, 9)}


def test_halves_meet_without_a_gap(drawing: Engine) -> None:
    for height in range(6, 40):
        ((_, above, _, high, _),) = drawing.ask(f"rectangles('▀', 9, {height})")
        ((_, below, _, rest, _),) = drawing.ask(f"rectangles('▄', 9, {height})")
        assert above == 0
        assert below == height - rest
        assert abs(high - below) <= 1


def test_letters_are_left_to_a_font(drawing: Engine) -> None:
    assert drawing.ask("['A', '◆', '₅', '日'].map(each => rectangles(each, 9, 19))") == [None] * 4


@pytest.mark.parametrize(
    ("window", "cells"),
    [
        ((1280, 800, 1), (116, 36)),  # a desktop
        ((1024, 700, 2), (113, 36)),  # a tablet on its side
        ((724, 390, 3), (80, 24)),  # a phone on its side, without its keys
        ((390, 750, 3), (83, 36)),  # the same upright: the rest is left to what is said below
    ],
)
def test_as_many_cells_as_one_can_read(
    drawing: Engine, window: tuple[int, int, int], cells: tuple[int, int]
) -> None:
    width, height, ratio = window
    found = drawing.ask(f"fit({width * ratio}, {height * ratio}, {ratio})")
    assert (found["cols"], found["rows"]) == cells
    assert found["narrow"] == (width < height)


@given(st.integers(0, 8000), st.integers(0, 8000), st.sampled_from([1, 1.5, 2, 3.75]))
def test_any_window_has_a_size_that_the_gate_takes(
    drawing: Engine, width: int, height: int, ratio: float
) -> None:
    found = drawing.ask(f"fit({width}, {height}, {ratio})")
    assert 80 <= found["cols"] <= 200
    assert 24 <= found["rows"] <= 70
    assert found["wide"] >= 3
    assert found["high"] >= 6
