from string import ascii_letters, ascii_uppercase

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diadem_shared.games.diamino.play import Direction, LooseTiles, NotAPlay, Play, parse_play
from tests.cases import cases

plays = st.builds(
    Play,
    start=st.builds("{}{}".format, st.sampled_from(ascii_uppercase), st.integers(1, 19)),
    direction=st.sampled_from(Direction),
    tiles=st.text(ascii_letters, min_size=1, max_size=26),
)


@given(plays)
def test_the_text_of_a_play_reads_back_as_the_play(play: Play) -> None:
    assert parse_play(str(play)) == play
    assert msgspec.json.decode(msgspec.json.encode(play), type=Play) == play


def test_the_text_is_what_a_person_would_type() -> None:
    play = Play("C8", Direction.ACROSS, "EiL")
    assert str(play) == "lay C8 across EiL"
    assert parse_play("  LAY c8  Across EiL ") == play


@cases(
    "text",
    [
        "",
        "lay",
        "lay C8 across",
        "C8 across E",
        "lay C8 up E",
        "lay C8 across E*",
        "lay C0 down E",
        "lay C8 down \u017f",
    ],
)
def test_other_texts_are_no_plays(text: str) -> None:
    with pytest.raises(NotAPlay):
        parse_play(text)


def test_a_single_tile_is_the_same_play_across_and_down() -> None:
    """M-6"""
    assert parse_play("lay B2 down E") == parse_play("lay B2 across E")
    assert parse_play("lay B2 down EE") != parse_play("lay B2 across EE")


@cases("tiles", ["", "E*", "Ä", "E E", "E\n"])
def test_a_play_from_outside_has_letters_only(tiles: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"start": "A1", "direction": "down", "tiles": tiles}, Play)


@cases("tile", ["", "EE", "é", "?", "E\n"])
def test_a_draft_from_outside_has_one_tile_a_field(tile: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"tiles": {"A1": tile}}, LooseTiles)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"tiles": {"A1 ": "E"}}, LooseTiles)
    assert msgspec.convert({"tiles": {"A1": "*"}}, LooseTiles) == LooseTiles({"A1": "*"})
