"""QR codes: an independent reader finds what was written, whatever it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_shared import qr
from tests.cases import cases
from tests.rig.qr_reader import read
from tests.thoroughness import times

few = settings(max_examples=times(30, 1000))
LONGEST = {"bytes": 134, "alphanumeric": 195}
"""Of version 6 with the lower error correction, by the standard's table."""


def picture(text: str) -> list[list[bool]]:
    """As it is drawn: cells of two modules, the upper one first."""
    cells = qr.in_half_blocks(qr.encode(text))
    return [[cell[half] for cell in row] for row in cells for half in (0, 1)]


@few
@given(st.text(st.characters(codec="ascii", min_codepoint=33), min_size=1, max_size=134))
def test_is_read_again(text: str) -> None:
    assert read(picture(text)) == text


@few
@given(st.text(qr.ALPHANUMERIC, min_size=1, max_size=195))
def test_capitals_take_less_room_and_are_read_again(text: str) -> None:
    assert read(picture(text)) == text


@cases(
    ("text", "size"),
    [
        ("x" * 14, 21),  # version 1, M
        ("x" * 17, 21),  # version 1, L
        ("x" * 18, 25),
        ("x" * 32, 25),  # version 2, L
        ("HTTP://192.168.178.20:7480/K7F3A", 25),
        ("x" * LONGEST["bytes"], 41),
        ("X" * LONGEST["alphanumeric"], 41),
    ],
)
def test_takes_the_least_version(text: str, size: int) -> None:
    modules = qr.encode(text)
    assert (len(modules), {len(row) for row in modules}) == (size, {size})
    assert read(picture(text)) == text


@pytest.mark.parametrize(
    "text", ["x" * (LONGEST["bytes"] + 1), "X" * (LONGEST["alphanumeric"] + 1), "ö" * 68]
)
def test_what_is_too_long_is_refused(text: str) -> None:
    with pytest.raises(qr.TooLong):
        qr.encode(text)


def test_a_quiet_zone_is_around_it() -> None:
    drawn = picture("HTTPS://GAMES.EXAMPLE.ORG/K7F3")
    wide = qr.QUIET_ZONE
    edges = drawn[:wide] + drawn[-wide:] + [row[:wide] + row[-wide:] for row in drawn]
    assert not any(map(any, edges))


@few
@given(st.data())
def test_a_part_may_be_damaged(data: st.DataObject) -> None:
    """Error correction is for real: some modules of the data may be wrong."""
    text = "HTTPS://GAMES.EXAMPLE.ORG/K7F3"
    modules = qr.encode(text)
    x, y = data.draw(st.tuples(st.integers(10, 15), st.integers(10, 15)))
    for row in modules[y : y + 3]:
        row[x : x + 3] = [not each for each in row[x : x + 3]]
    cells = qr.in_half_blocks(modules)
    assert read([[cell[half] for cell in row] for row in cells for half in (0, 1)]) == text


def test_the_reader_of_these_tests_is_strict() -> None:
    drawn = picture("HTTPS://GAMES.EXAMPLE.ORG/K7F3")
    assert read([[not each for each in row] for row in drawn]) is None
