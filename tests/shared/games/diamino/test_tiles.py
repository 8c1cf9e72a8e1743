import pytest

from diadem_shared.games.diamino.tiles import (
    TILE_SETS,
    NotATileSet,
    from_hand,
    sorted_hand,
    tile_set,
    without,
)


@pytest.mark.parametrize("language", ["de", "fr", "en"])
def test_a_set_has_110_letters_of_the_whole_alphabet_and_two_jokers(language: str) -> None:
    """M-1"""
    tiles = TILE_SETS[language].tiles
    assert len(tiles) == 112
    assert tiles.count("*") == 2
    assert (
        set(tiles) - {"*"} == set("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == set(TILE_SETS[language].values)
    )


@pytest.mark.parametrize(
    ("language", "es", "q", "total"), [("de", 16, 9, 206), ("fr", 17, 6, 192), ("en", 13, 9, 208)]
)
def test_the_sets_are_those_of_m_1(language: str, es: int, q: int, total: int) -> None:
    """M-1"""
    tiles = TILE_SETS[language]
    assert tiles.tiles.count("E") == es
    assert tiles.value("Q") == q
    assert tiles.value(tiles.tiles) == total


def test_a_joker_is_worth_nothing_in_a_hand_or_laid() -> None:
    """M-10"""
    assert TILE_SETS["de"].value("Q*q") == 9


def test_a_set_that_does_not_add_up_is_refused() -> None:
    """M-1"""
    with pytest.raises(NotATileSet, match="3 letters"):
        tile_set("xx", "A2/1 B1/3")


def test_hands_are_multisets() -> None:
    assert sorted_hand("EB*A") == sorted_hand("*ABE") == "*ABE"
    assert without("*ABEE", "EE") == "*AB"
    assert without("AB", "AAX") == "B"
    assert without("AAB", "A") == "AB"
    assert from_hand("EiL") == "E*L"
