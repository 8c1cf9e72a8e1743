"""The page shows in its cells what the client's driver holds to be on the screen."""

from collections.abc import Sequence
from unicodedata import category

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import get_character_cell_size

from diadem_client.terminal.diff import ScreenBuffer
from diadem_client.terminal.driver import title_sequence
from diadem_client.terminal.round_trip import QUESTION
from tests.cases import cases
from tests.client.emulator import Terminal
from tests.client.terminal.test_diff import SIZE, at, frames, whole
from tests.page.engine import Engine, Page
from tests.page.seen import emulated, shown
from tests.thoroughness import times

LONGEST_LETTER = 10
"""A letter of two units and the marks on it."""


@settings(max_examples=times(40, 3000))
@given(
    st.sampled_from([(), (whole("x"),)]),
    st.lists(frames(), min_size=1, max_size=6),
    st.lists(st.integers(0, 400), max_size=6),
)
def test_it_shows_what_the_driver_holds_wherever_its_bytes_are_split(
    known: Sequence[str], painted: Sequence[str], ends: Sequence[int]
) -> None:
    buffer, page, whole_frames = ScreenBuffer(), Page(SIZE), Terminal(SIZE)
    for frame in [*known, *painted]:
        whole_frames.feed(frame)
        page.feed(buffer.diff(frame, SIZE).encode(), ends)
        assert shown(page) == emulated(whole_frames)
        assert page.at == whole_frames.at
    assert page.strange == []


@settings(max_examples=times(25, 2000))
@given(st.lists(frames(), min_size=1, max_size=3))
def test_it_shows_frames_that_are_passed_on_whole(painted: Sequence[str]) -> None:
    page, terminal = Page(SIZE), Terminal(SIZE)
    for frame in painted:
        page.feed(frame.encode())
        terminal.feed(frame)
    assert shown(page) == emulated(terminal)


def test_letters_are_as_wide_as_textual_takes_them_for() -> None:
    letters = [
        letter for letter in map(chr, range(0x110000)) if letter.isprintable()
    ]  # no other reaches a screen
    engine = Engine("cells.mjs")
    engine.give("letters", "".join(letters))
    widths = engine.ask("[...letters].map(width)")
    wrong = [
        (letter, width)
        for letter, width in zip(letters, widths, strict=True)
        if width != get_character_cell_size(letter)
    ]
    assert wrong == []


pieces = st.lists(
    st.binary(max_size=30)
    | st.sampled_from(
        [
            b"\x1b[",
            b"\x1b]2;",
            b"\x1b]8;;",
            b"\x1b]52;c;",
            b"38;2;",
            b"48;5;",
            b"999999999999",
            b";" * 600,
            b"A",
            b"B",
            b"C",
            b"D",
            b"H",
            b"m",
            b"\x07",
            b"\x1b\\",
            b"\x1b[?1049h",
            b"\xcc\x81" * 40,
            "日本".encode(),
            b"\xf4\x90\x80\x80",
            b"\xed\xa0\x80",
            b"x" * 300,
        ]
    ),
    max_size=30,
)


@settings(max_examples=times(50, 5000))
@given(pieces, st.integers(1, 9), st.integers(1, 4))
def test_whatever_comes_it_stays_a_bounded_screen(
    given_pieces: Sequence[bytes], columns: int, rows: int
) -> None:
    page = Page((columns, rows))
    for piece in given_pieces:
        page.feed(piece)
        row, column = page.at
        assert 0 <= row < rows
        assert 0 <= column <= columns
    assert len(page.cells) == columns * rows
    for letter, ink, ground, marks in page.cells:
        assert len(letter) <= LONGEST_LETTER
        assert -1 <= ink <= 0xFFFFFF
        assert -1 <= ground <= 0xFFFFFF
        assert 0 <= marks < 128
    assert [each for each in [*page.titles, *page.strange] if len(each) > 600] == []
    page.engine.run("screen.restart()")
    page.resize(SIZE)
    page.feed(whole("x").encode())
    assert page.lines == ["x" * SIZE[0]] * SIZE[1]


def test_bytes_that_are_no_letter_are_shown_as_such_and_what_follows_is_read() -> None:
    page = Page((9, 1))
    page.feed(b"a\xc3b\xff\xe2\x82c\xc3\xa9\xc0\xaf")
    assert page.lines == ["a\ufffdb\ufffd\ufffdcé\ufffd"]


def test_a_longer_title_than_any_is_cut_and_never_ends_early() -> None:
    page = Page((9, 1))
    page.feed(b"\x1b]2;" + b"t" * 5000 + b"\x1b\\ab")
    assert page.titles == ["t" * 510]
    assert page.lines == ["ab"]


def test_the_title_and_the_bell_are_told() -> None:
    page = Page(SIZE)
    page.feed(title_sequence("À toi").encode() + b"\x07", ends=[5, 6, 9])
    assert page.titles == ["À toi"]
    assert page.engine.ask("bells") == 1


def test_who_asks_where_the_cursor_is_is_told_and_no_other_question_is_answered() -> None:
    page = Page((9, 3))
    page.feed(
        (at(1, 2) + QUESTION + at(2, 8) + "a" + QUESTION + "\x1b[5n\x1b[c\x1b[?2026$p").encode()
    )
    assert page.answers == ["\x1b[2;3R", "\x1b[3;9R"]


@cases("order", ["8;;https://example.org", "52;c;YQ==", "10;#ffffff", "4;1;#fff"])
def test_links_the_clipboard_and_colours_are_not_heeded(order: str) -> None:
    page = Page(SIZE)
    page.feed(f"\x1b]{order}\x1b\\a".encode())
    assert page.lines[0] == "a"
    assert page.titles == []


def test_another_size_keeps_what_fits() -> None:
    page = Page(SIZE)
    page.feed((at(0, 0) + "abc" + at(1, 0) + "def").encode())
    page.resize((2, 3))
    assert page.lines == ["ab", "de", ""]
    page.resize((4, 1))
    assert page.lines == ["ab"]


def test_only_rows_that_are_written_are_painted() -> None:
    page = Page(SIZE)
    page.engine.run("screen.dirty.clear()")
    page.feed((at(3, 4) + "a" + at(1, 0)).encode())
    assert page.engine.ask("[...screen.dirty]") == [3]


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_no_name_in_a_title_steers_what_shows_it(name: str) -> None:
    page = Page((20, 5))
    page.feed(title_sequence(name).encode())
    assert len(page.titles) == 1
    assert page.cells == Page((20, 5)).cells
    page.feed(f"\x1b]2;{name}\x1b\\".encode())  # as no client says it
    assert not {"Cc", "Cf"} & set(map(category, "".join(page.titles)))
