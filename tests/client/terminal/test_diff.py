"""What the diff sends makes a terminal show the same as the whole frame."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from diadem_client.terminal import sgr
from diadem_client.terminal.diff import ScreenBuffer, Span
from diadem_client.terminal.driver import title_sequence
from diadem_client.terminal.sgr import PLAIN
from tests.cases import cases
from tests.client.emulator import Terminal
from tests.thoroughness import times

SIZE = (24, 5)
RESIZED = "the terminal has another size now"


def at(row: int, column: int) -> str:
    return f"\x1b[{row + 1};{column + 1}H"


def whole(letter: str) -> str:
    return "\r\n".join(at(row, 0) + letter * SIZE[0] for row in range(SIZE[1])) + at(0, 0)


colours = st.none() | st.sampled_from(
    [
        Color.default(),
        Color.from_ansi(3),
        Color.from_ansi(12),
        Color.from_ansi(203),
        Color.from_rgb(1, 2, 3),
    ]
)
flags = st.sampled_from([None, True])
styles = st.builds(
    Style, color=colours, bgcolor=colours, bold=flags, dim=flags, underline=flags, reverse=flags
)
texts = st.text("ab .─é█▀日", min_size=1, max_size=9)


@st.composite
def frames(draw: st.DrawFn) -> str:
    """Pieces of lines with a style each, as Textual paints them."""
    frame = []
    for _ in range(draw(st.integers(1, 5))):
        row, column = draw(st.integers(0, SIZE[1] - 1)), draw(st.integers(0, SIZE[0] - 1))
        segments = [Segment(draw(texts), draw(styles)) for _ in range(draw(st.integers(1, 3)))]
        strip = Strip(segments).crop(0, SIZE[0] - column)
        frame.append(at(row, column) + rendered(strip))
    return "\n".join(frame) + at(0, 0)


@st.composite
def pieces(draw: st.DrawFn) -> Span:
    """Cells of a row, as a pane knows them."""
    row, column = draw(st.integers(0, SIZE[1] - 1)), draw(st.integers(0, SIZE[0] - 1))
    codes = st.sampled_from(["", "1", "4", "31", "1;38;5;203;48;2;1;2;3"]).map(sgr.read)
    cells = st.builds(sgr.seen, st.sampled_from("ab .─█▀"), codes)
    return Span.of(row, column, draw(st.lists(cells, min_size=1, max_size=SIZE[0] - column)))


def whole_cells(span: Span) -> str:
    return "".join(sgr.change(PLAIN, style) + text + "\x1b[0m" for text, style in span.cells)


def rendered(strip: Strip) -> str:
    return "".join(style.render(text) if style else text for text, style, _ in strip)


@settings(max_examples=times(60, 4000))
@given(
    st.sampled_from([(), (whole("x"),)]),
    st.lists(frames() | st.just(RESIZED), min_size=1, max_size=8),
    st.sampled_from([1, 2]),
)
def test_every_terminal_ends_with_the_same_picture(
    known: Sequence[str], painted: Sequence[str], wide: int
) -> None:
    buffer, size = ScreenBuffer(), SIZE
    plain, diffed = Terminal(size, wide=wide), Terminal(size, wide=wide)
    for frame in [*known, *painted]:
        if frame == RESIZED:
            size = size[0], size[1] + 1
            plain, diffed = Terminal(size, wide=wide), Terminal(size, wide=wide)
            for terminal in (plain, diffed):
                terminal.feed(at(0, 0) + "what is left of it")
            continue
        sent = buffer.diff(frame, size)
        plain.feed(frame)
        diffed.feed(sent)
        assert diffed.cells == plain.cells
        assert diffed.at == plain.at
        assert not diffed.how, "a style is left behind"


def test_only_what_differs_is_sent() -> None:
    buffer = ScreenBuffer()
    buffer.diff(whole("x"), SIZE)
    line = at(2, 0) + "\x1b[1mxxxxxxxx\x1b[0m" + at(0, 0)
    assert buffer.diff(line, SIZE) == "\x1b[3H\x1b[1mxxxxxxxx\x1b[m\x1b[H"
    assert buffer.diff(line, SIZE) == "\x1b[H"
    assert (
        buffer.diff(line.replace("xxxxxxxx", "xxxyxxxx"), SIZE) == "\x1b[3;4H\x1b[1my\x1b[m\x1b[H"
    )


@cases("unknown", ["\x1b[2J", "\x1b[?1049h", "ab", at(1, 20) + "too long"])
def test_what_is_not_a_frame_is_passed_on_and_nothing_is_known_after_it(unknown: str) -> None:
    buffer = ScreenBuffer()
    first = buffer.diff(whole("x"), SIZE)
    assert buffer.diff(unknown, SIZE) == unknown
    assert buffer.diff(whole("x"), SIZE) == first


@cases("harmless", ["\x1b[?2026h", "\x1b[?25l", "\x07", title_sequence("Your turn")])
def test_marks_and_bells_change_nothing(harmless: str) -> None:
    buffer = ScreenBuffer()
    buffer.diff(whole("x"), SIZE)
    assert buffer.diff(harmless, SIZE) == harmless
    assert buffer.diff(whole("x"), SIZE) == "\x1b[H"


def test_another_size_is_painted_whole() -> None:
    buffer = ScreenBuffer()
    first = buffer.diff(whole("x"), SIZE)
    assert buffer.diff(whole("x"), (SIZE[0], SIZE[1] + 1)) == first


@pytest.mark.parametrize("wide", ["日本", "e\u0301e\u0301"])
def test_terminals_may_differ_about_wide_and_combining_characters(wide: str) -> None:
    """What stands in such a row is never placed by counting cells of it."""
    buffer = ScreenBuffer()
    buffer.diff(whole("x"), SIZE)
    assert wide in buffer.diff(at(1, 0) + wide + "xx" + at(0, 0), SIZE)
    assert f"{wide}xy" in buffer.diff(at(1, 0) + wide + "xy" + at(0, 0), SIZE)


@settings(max_examples=times(60, 4000))
@given(st.lists(frames() | pieces(), min_size=1, max_size=8), st.sampled_from([1, 2]))
def test_cells_that_are_painted_stand_where_they_belong(
    painted: Sequence[str | Span], wide: int
) -> None:
    """Or they are refused, and nothing has changed then."""
    buffer = ScreenBuffer()
    plain, diffed = Terminal(SIZE, wide=wide), Terminal(SIZE, wide=wide)
    for frame in [whole("x"), *painted]:
        if isinstance(frame, str):
            plain.feed(frame)
            diffed.feed(buffer.diff(frame, SIZE))
        elif (sent := buffer.paint([frame], SIZE)) is not None:
            plain.feed(at(frame.row, frame.column) + whole_cells(frame) + at(0, 0))
            diffed.feed(sent)
        assert diffed.cells == plain.cells
        assert diffed.at == plain.at
        assert not diffed.how, "a style is left behind"


def test_only_cells_that_differ_are_sent() -> None:
    buffer = ScreenBuffer()
    buffer.diff(whole("x"), SIZE)
    cells = [("x", PLAIN), ("y", PLAIN), ("x", PLAIN)]
    assert buffer.paint([Span.of(1, 1, cells)], SIZE) == "\x1b[2;3Hy\x1b[H"
    assert buffer.paint([Span.of(1, 1, cells)], SIZE) == ""
    assert buffer.diff(at(1, 1) + "xyx" + at(0, 0), SIZE) == "\x1b[H"


@cases(
    ("row", "column", "letter"),
    [(1, 1, "日"), (1, 1, "e\u0301"), (1, 1, ""), (1, SIZE[0], "y"), (SIZE[1], 1, "y")],
)
def test_wide_cells_and_those_beside_the_screen_are_refused(
    row: int, column: int, letter: str
) -> None:
    buffer = ScreenBuffer()
    buffer.diff(whole("x"), SIZE)
    assert buffer.paint([Span.of(row, column, [(letter, PLAIN)])], SIZE) is None
    assert buffer.diff(whole("x"), SIZE) == "\x1b[H"


def test_nothing_is_painted_on_a_terminal_of_which_too_little_is_known() -> None:
    buffer, spans = ScreenBuffer(), [Span.of(1, 1, [("y", PLAIN)])]
    assert buffer.paint(spans, SIZE) is None
    buffer.diff(at(1, 0) + "xx" + at(0, 0), SIZE)
    assert buffer.paint(spans, SIZE) is None
    buffer.diff(whole("x"), SIZE)
    assert buffer.paint(spans, (SIZE[0], SIZE[1] + 1)) is None
    assert buffer.paint(spans, SIZE)
    buffer.invalidate()
    assert buffer.paint(spans, SIZE) is None
