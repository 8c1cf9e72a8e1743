"""The course of a match: each decision is seen, and which one is pointed at without colours."""

from itertools import product

from diadem_client.board.canvas import Canvas
from diadem_client.look import signs
from diadem_client.ui.widgets.decision_chart import LEFT, draw_course
from diadem_shared.advice import Unit
from diadem_shared.analysis import MoveAnalysis

HEIGHT = 6


def decisions(*values: float) -> list[MoveAnalysis]:
    return [
        MoveAnalysis(number, 0, "stop", value, Unit.CHANCE, "draw", 0.9)
        for number, value in enumerate(values)
    ]


def drawn(*values: float, marked: int = 0, width: int = 78, plain: bool = False) -> list[str]:
    canvas = Canvas(width, HEIGHT, ascii_only=not plain, without_colour=plain)
    draw_course(canvas, decisions(*values), marked)
    return [line.ljust(width)[LEFT:] for line in canvas.text().splitlines()]


def test_an_arrow_points_at_the_decision_that_is_marked() -> None:
    for count, plain in product((1, 5, 30, 68, 300), (False, True)):
        values = [0.1] * count
        marked = count - 1
        values[marked] = 0.8
        *_bars, lowest, arrows = drawn(*values, marked=marked, plain=plain)
        arrow = signs.UP.own if plain else signs.UP.ascii
        at = arrows.index(arrow)
        assert arrows.strip() == arrow * arrows.count(arrow), count
        assert at + arrows.count(arrow) == len(lowest.rstrip()), f"it is the last one of {count}"


def test_something_is_seen_of_every_decision() -> None:
    for plain in (False, True):
        lowest = drawn(*[0.0] * 20, plain=plain)[-2]
        assert len(lowest.split()) == 20


def test_few_decisions_stand_apart_and_many_share_the_room() -> None:
    assert drawn(0.0, 0.0, 0.0)[-2].rstrip() == "## ## ##"
    assert drawn(*[0.0] * 60)[-2].rstrip() == "#" * 60
