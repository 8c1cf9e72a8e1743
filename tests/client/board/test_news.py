"""What happened, in the few rows beside a board: whole where it can be, else who did it and the end of it."""

import pytest

from diadem_client.board import news
from diadem_client.board.canvas import Canvas, Rect
from diadem_client.wording.turns import Line

LONG = "Ana: drew diamond x7, yellow 5, pink 1, WITCH; gave up diamond x3"


def shown(*lines: Line, height: int) -> list[str]:
    canvas = Canvas(20, height)
    news.draw(canvas, lines, Rect(0, 0, 20, height))
    return canvas.text().split("\n")[:height]


@pytest.mark.parametrize(
    ("height", "rows"),
    [
        (4, ["Ana: drew diamond", "x7, yellow 5, pink", "1, WITCH; gave up", "diamond x3"]),
        (2, ["Ana: ... gave up", "diamond x3"]),
        (1, ["Ana: ... diamond x3"]),
        (0, []),
    ],
)
def test_a_long_turn_is_told_by_who_had_it_and_its_end(height: int, rows: list[str]) -> None:
    assert shown(Line(LONG), height=height) == rows


def test_of_a_long_deed_whole_things_are_told() -> None:
    line = Line("Ana: stopped; drew diamond x7, yellow 5, pink 1, WITCH")
    assert shown(line, height=2) == ["Ana: ... yellow 5,", "pink 1, WITCH"]


def test_what_is_new_is_marked_and_earlier_turns_fill_the_room() -> None:
    lines = (Line("Bob: stopped"), Line("Cem: stopped", is_new=True), Line("Dee: won", is_new=True))
    assert shown(*lines, height=3) == ["Bob: stopped", "\u2022 Cem: stopped", "\u2022 Dee: won"]
    assert shown(*lines, height=2) == ["\u2022 Cem: stopped", "\u2022 Dee: won"]
