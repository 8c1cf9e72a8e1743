import msgspec
import pytest

from diadem_shared.games.diamino import board
from diadem_shared.games.diamino.board import (
    BadLetters,
    Board,
    FieldKind,
    NoFields,
    NotOneStart,
    TooLarge,
    UnevenRows,
    UnknownKind,
    empty_board,
    parse_layout,
    standard_layout,
)
from tests.cases import cases

STANDARD = """\
. . . . . . . R . . . . . . .
. . . . . # g . g # . . . . .
. . . # . R . . . R . # . . .
. . # . . . . g . . . . # . .
. . . . # . . . . . # . . . .
. # R . . g . . . g . . R # .
. g . . . . . . . . . . . g .
R . . g . . . S . . . g . . R
. g . . . . . . . . . . . g .
. # R . . g . . . g . . R # .
. . . . # . . . . . # . . . .
. . # . . . . g . . . . # . .
. . . # . R . . . R . # . . .
. . . . . # g . g # . . . . .
. . . . . . . R . . . . . . .
"""


def test_the_standard_board_is_the_one_of_m_2() -> None:
    """M-2"""
    assert str(standard_layout()) == STANDARD
    assert standard_layout().name(standard_layout().start) == "H8"


def test_a1_is_top_left_and_names_go_both_ways() -> None:
    """M-2"""
    layout = standard_layout()
    assert layout.square("A1") == 0
    assert layout.square("O1") == 14
    assert layout.square("A2") == 15
    assert [layout.square(layout.name(square)) for square in range(225)] == list(range(225))


@cases("name", ["P1", "A16", "Z99", "A0", "a1", "1A", "AA1", "", "A100"])
def test_a_name_off_the_board_stands_for_no_square(name: str) -> None:
    assert standard_layout().square(name) is None


def test_fields_have_their_kinds() -> None:
    """M-2"""
    layout = standard_layout()
    kinds = {name: layout.kind(layout.square(name) or 0) for name in ("A1", "H8", "F2", "G2", "H1")}
    assert kinds == {
        "A1": FieldKind.PLAIN,
        "H8": FieldKind.START,
        "F2": FieldKind.BLACK,
        "G2": FieldKind.GREEN,
        "H1": FieldKind.RED,
    }


def test_another_board_can_be_read_with_or_without_spaces() -> None:
    """M-2"""
    layout = parse_layout("\nS.#\n g . R \n")
    assert (layout.width, layout.height, layout.fields) == (3, 2, "S.#g.R")
    assert parse_layout("S" + "." * 25).square("Z1") == 25


@cases(
    ("text", "error"),
    [
        ("", NoFields),
        (" \n\n", NoFields),
        ("S..\n..", UnevenRows),
        ("S.x", UnknownKind),
        ("...", NotOneStart),
        ("S.S", NotOneStart),
        ("S" + "." * 26, TooLarge),
        ("S\n" + ".\n" * 26, TooLarge),
    ],
)
def test_a_bad_board_is_refused_by_what_is_wrong(text: str, error: type[board.BadBoard]) -> None:
    with pytest.raises(error):
        parse_layout(text)


def test_an_error_says_where() -> None:
    with pytest.raises(UnevenRows) as uneven:
        parse_layout("S..\n...\n..")
    assert (uneven.value.row, uneven.value.fields, uneven.value.expected) == (3, 2, 3)
    with pytest.raises(UnknownKind) as unknown:
        parse_layout("S..\n.x.")
    assert (unknown.value.row, unknown.value.character) == (2, "x")


def test_laying_tiles_leaves_the_old_board_alone() -> None:
    before = empty_board(parse_layout("S.\n.."))
    after = before.with_tiles({0: "A", 3: "e"})
    assert (before.letters, after.letters) == ("....", "A..e")
    assert before.is_empty
    assert not after.is_empty


@cases("letters", ["...", ".....", "..*.", "..Ä."])
def test_letters_must_fit_the_board(letters: str) -> None:
    with pytest.raises(BadLetters):
        Board(parse_layout("S.\n.."), letters)


def test_a_board_survives_serialising() -> None:
    laid = empty_board(standard_layout()).with_tiles({112: "E", 113: "i"})
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(laid), type=Board) == laid
