"""What is written costs as few bytes as can be; that it is right, test_diff.py shows."""

from diadem_client.terminal.sgr import PLAIN, Style
from diadem_client.terminal.writer import Cell, Writer

TILE = Style("38;5;232", "48;5;223", ("1",))
FIELD = Style(ground="48;5;237")


def cells(text: str, style: Style = PLAIN) -> list[Cell]:
    return [(character, style) for character in text]


def written(row: list[Cell], columns: list[int], width: int = 80) -> str:
    writer = Writer(width)
    writer.write(0, row, columns)
    return writer.text


def test_few_unchanged_cells_are_written_again_and_more_skipped() -> None:
    assert written(cells("abcdefgh"), [0, 4]) == "\x1b[Habcde"
    assert written(cells("abcdefgh"), [0, 6]) == "\x1b[Ha\x1b[5Cg"


def test_cells_that_cost_more_than_a_skip_are_skipped() -> None:
    assert written(cells("a\u2584\u2584b"), [0, 3]) == "\x1b[Ha\x1b[2Cb"
    assert written([*cells("a"), *cells("x", TILE), *cells("b")], [0, 2]) == "\x1b[Ha\x1b[Cb"


def test_what_is_not_known_is_never_written_again() -> None:
    assert written([*cells("a"), ("", PLAIN), *cells("b")], [0, 2]) == "\x1b[Ha\x1b[Cb"


def test_a_blank_that_says_its_ground_says_the_next_ink() -> None:
    row = [(" ", Style(ground="48;5;223")), ("E", TILE)]
    assert written(row, [0, 1]) == "\x1b[H\x1b[1;38;5;232;48;5;223m E"


def test_a_blank_keeps_the_ink_that_is_set() -> None:
    row = [("E", TILE), (" ", FIELD), ("F", TILE)]
    said = "\x1b[H\x1b[1;38;5;232;48;5;223mE\x1b[48;5;237m \x1b[48;5;223mF"
    assert written(row, [0, 1, 2]) == said


def test_the_ground_below_a_block_is_not_said() -> None:
    ink = Style("38;5;223")
    row = [("x", FIELD), ("\u2588", ink), ("y", Style("38;5;223", "48;5;237"))]
    assert written(row, [0, 1, 2]) == "\x1b[H\x1b[48;5;237mx\x1b[38;5;223m\u2588y"


def test_the_next_row_is_near() -> None:
    writer = Writer(80)
    writer.write(4, cells("abcd"), [1, 2])
    writer.write(5, cells("abcd"), [2])
    writer.rest(5, 0)
    assert writer.text == "\x1b[5;2Hbc\x1b[B\bc\r"


def test_from_the_right_edge_no_way_is_counted() -> None:
    writer = Writer(4)
    writer.write(0, cells("abcd"), [3])
    writer.rest(0, 3)
    assert writer.text == "\x1b[1;4Hd\x1b[1;4H"
