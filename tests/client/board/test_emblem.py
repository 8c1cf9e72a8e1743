"""The picture of what somebody has won with."""

import pytest
from msgspec import Struct

from diadem_client.board.canvas import Canvas
from diadem_client.board.emblem import LARGE_HEIGHT, LARGE_WIDTH, draw_won


class Held(Struct):
    castle: tuple[str, ...]
    builds: str | None


class Table(Struct):
    holdings: tuple[Held, ...]


def is_drawn(castle: tuple[str, ...], builds: str | None, seat: int = 0) -> bool:
    canvas = Canvas(LARGE_WIDTH, LARGE_HEIGHT)
    return draw_won(canvas, "diamoniak", Table((Held(castle, builds),)), seat, 0, 0)


def test_a_castle_is_drawn() -> None:
    assert is_drawn(("blue1", "blue2"), "blue")


@pytest.mark.parametrize(
    ("castle", "builds", "seat"),
    [(("blue1",), "blue", 7), (("",), "blue", 0), (("blue?",), "blue", 0)],
)
def test_what_a_server_made_up_has_no_picture(
    castle: tuple[str, ...], builds: str, seat: int
) -> None:
    assert not is_drawn(castle, builds, seat)
