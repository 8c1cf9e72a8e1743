"""A canvas keeps every text in its cells, whatever others call themselves."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from diadem_client.board.canvas import (
    Canvas,
    Ink,
    Kept,
    Rect,
    cut_behind,
    differing,
    fitted,
    in_ascii,
    runs,
    wrapped,
)
from diadem_client.look.palette import Paint


def test_what_is_put_is_there() -> None:
    canvas = Canvas(8, 2)
    assert canvas.put(1, 1, "Ana", Ink.STRONG) == 4
    assert canvas.text() == "\n Ana\n"
    assert list(runs(canvas.rows()[1])) == [(" Ana    ", Paint("text", "bg", "b"))]


def test_blanks_take_the_ink_beside_them() -> None:
    canvas = Canvas(12, 1)
    canvas.put(1, 0, ". ", Ink.FAINT)
    canvas.put(4, 0, " .", Ink.FAINT)
    canvas.put(6, 0, " x ", Ink.CURSOR)
    assert list(runs(canvas.rows()[0])) == [
        (" .   .", Paint("faint", "bg")),
        (" x ", Ink.CURSOR),
        ("   ", Paint("text", "bg")),
    ]


def test_the_edges_cut() -> None:
    canvas = Canvas(4, 1)
    canvas.put(2, 0, "Ana")
    canvas.put(0, 7, "Bob")
    assert canvas.text() == "  An\n"


def test_a_part_that_is_the_same_is_drawn_once() -> None:
    kept: dict[str, Kept] = {}
    drawn = []

    def draw(key: str, **given: bool) -> Canvas:
        canvas = Canvas(6, 2, kept=kept, **given)

        def part() -> None:
            drawn.append(key)
            canvas.put(1, 1, key, Ink.STRONG)
            canvas.place(Rect(1, 1, 3, 1), 7)

        canvas.keep("part", key, Rect(1, 1, 3, 1), part)
        return canvas

    first, again = draw("Ana"), draw("Ana")
    assert drawn == ["Ana"]
    assert again.rows() == first.rows()
    assert again.placed_at(3, 1) == 7
    assert draw("Bob").text() == "\n Bob\n"
    assert draw("Bob", ascii_only=True).text() == "\n Bob\n"
    assert drawn == ["Ana", "Bob", "Bob"]


def test_wide_characters_take_two_cells() -> None:
    canvas = Canvas(6, 1)
    assert canvas.put(0, 0, "\u732b!") == 3
    assert canvas.put(5, 0, "\u732b") == 5


def test_control_and_direction_characters_are_not_passed_on() -> None:
    canvas = Canvas(12, 1)
    canvas.put(0, 0, "\x1b[2J\u202ea\nb")
    assert canvas.text() == "?[2J?a?b\n"


def test_ascii_only() -> None:
    canvas = Canvas(12, 1, ascii_only=True)
    canvas.put(0, 0, "Zo\u00eb \u732b")
    assert canvas.text() == "Zoe ?\n"
    assert in_ascii("pi\u00e8ce") == "piece"


def test_fitted() -> None:
    assert fitted("Anastasia", 5) == "Anas~"
    assert fitted("Ana", 5) == "Ana"


def test_wrapped() -> None:
    assert wrapped("Ana lays a word", 8) == ["Ana lays", "a word"]
    assert wrapped("il vient : là !", 8) == ["il", "vient :", "là !"]


def test_a_question_is_cut_where_it_would_take_another_row() -> None:
    assert cut_behind("No.", "Which of them?", 20) == "Which of them?"
    assert cut_behind("No.", "Which of them?", 18) == "Which of…"
    assert cut_behind("There is none.", "Which of them?", 18) == ""
    assert cut_behind("There is no such thing.", "Which?", 18) == "Which?"


def test_only_what_differs() -> None:
    before, after = Canvas(8, 1), Canvas(8, 1)
    after.put(2, 0, "x x")
    assert differing(before.rows()[0], after.rows()[0]) == (2, 5)
    assert differing(before.rows()[0], before.rows()[0]) is None


@given(st.text(), st.integers(-3, 12), st.booleans())
def test_a_row_is_always_as_wide_as_the_canvas(text: str, x: int, ascii_only: bool) -> None:  # noqa: FBT001
    canvas = Canvas(10, 1, ascii_only=ascii_only)
    canvas.put(x, 0, text)
    assert sum(cell_len(cell) for cell, _ in canvas.rows()[0]) == 10
