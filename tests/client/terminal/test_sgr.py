"""Between any two styles the terminal is led by the shortest way, and cells go by what is seen."""

import pytest

from diadem_client.terminal.sgr import PLAIN, Style, change, joined, read, seen
from tests.cases import cases

BOLD_RED = Style("38;5;203", "48;5;234", ("1",))


def test_parameters_are_read() -> None:
    assert read("1;38;5;203;48;5;234") == BOLD_RED
    assert read("38;2;1;2;3;101") == Style("38;2;1;2;3", "101")
    assert read("31;41;39;49") == PLAIN
    assert joined("1", "31") == "1;31"
    assert joined("1;31", "0") == ""


@cases(
    ("before", "after", "sent"),
    [
        (BOLD_RED, BOLD_RED, ""),
        (BOLD_RED, PLAIN, "\x1b[m"),
        (PLAIN, BOLD_RED, "\x1b[1;38;5;203;48;5;234m"),
        (BOLD_RED, BOLD_RED._replace(ground="48;5;9"), "\x1b[48;5;9m"),
        (BOLD_RED, BOLD_RED._replace(marks=()), "\x1b[22m"),
        (Style(marks=("1", "2")), Style(marks=("2",)), "\x1b[0;2m"),
        (Style("31", marks=("1", "4")), Style("32"), "\x1b[0;32m"),
        (Style("31", marks=("53",)), Style("31"), "\x1b[0;31m"),
        (Style("31", "41"), Style("", "41"), "\x1b[39m"),
    ],
)
def test_the_shortest_way(before: Style, after: Style, sent: str) -> None:
    assert change(before, after) == sent


def test_blanks_have_no_ink_and_blocks_no_ground() -> None:
    assert seen(" ", BOLD_RED) == (" ", Style(ground="48;5;234"))
    assert seen("\u2588", BOLD_RED) == ("\u2588", BOLD_RED._replace(ground=""))
    assert seen("x", BOLD_RED) == ("x", BOLD_RED)


@pytest.mark.parametrize("mark", ["4", "7", "9"])
def test_lines_and_reversal_show_on_both(mark: str) -> None:
    style = Style("31", "42", (mark,))
    assert seen(" ", style) == (" ", style)
    assert seen("\u2588", style) == ("\u2588", style)
