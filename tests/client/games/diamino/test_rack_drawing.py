"""The rack: tiles are seen as tiles, and do not run into the board above them."""

import pytest

from diadem_client.board.canvas import Canvas, Rect
from diadem_client.games.diamino.rack_drawing import LOW_ROWS, Rack, draw
from diadem_client.look import art, signs

VALUES = dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1)


def drawn(tiles: str, rows: int, *, ascii_only: bool = False) -> Canvas:
    canvas = Canvas(78, rows, ascii_only=ascii_only)
    draw(canvas, Rack(tiles, VALUES), Rect(0, 0, 78, rows))
    return canvas


def test_a_single_row_of_small_tiles_is_half_a_row_away_from_the_board() -> None:
    above, tiles = drawn("AABCDEFGHIJKLMNOPQ", LOW_ROWS).text().splitlines()
    assert set(above) == {" ", art.LOWER}
    assert [at for at, cell in enumerate(above) if cell != " "] == [
        at for at, cell in enumerate(tiles.ljust(len(above))) if cell != " "
    ]
    assert "A" in tiles


@pytest.mark.parametrize(("rows", "ascii_only"), [(3, False), (LOW_ROWS, True)])
def test_where_there_is_room_or_no_half_block_it_stands_on_a_ledge(
    rows: int,
    ascii_only: bool,  # noqa: FBT001
) -> None:
    lines = drawn("AABCDEFGHIJKLMNOPQ", rows, ascii_only=ascii_only).text().splitlines()
    ledge = signs.LEDGE.ascii if ascii_only else signs.LEDGE.own
    assert set(lines[-1]) == {ledge}
    assert "A" in lines[0]


def test_every_tile_is_shown_where_two_rows_are_needed() -> None:
    lines = drawn("ABCDEFGHIJKLMNOPQRSTUVWXYZ", LOW_ROWS).text().splitlines()
    assert set(VALUES) <= set("".join(lines))
