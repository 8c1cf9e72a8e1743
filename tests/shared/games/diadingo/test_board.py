"""The board and the cards: D-1 and D-2."""

from collections import Counter

from diadem_shared.games.diadingo.board import DECK, FIXED, LOOSE, RINGS, ROWS, SPOTS, THEFT


def test_the_board_has_42_spots_26_loose_and_16_fixed() -> None:
    """D-1."""
    assert (len(SPOTS), LOOSE, FIXED) == (42, 26, 16)


def test_the_deck_is_42_rings_and_7_thefts() -> None:
    """D-1."""
    assert len(DECK) == 49
    assert DECK.count(THEFT) == 7
    assert RINGS == 42


def test_there_are_seven_rings_of_each_value() -> None:
    """D-2."""
    rings = Counter(card for card in DECK if card != THEFT)
    assert rings == dict.fromkeys((1000, 2000, 3000, 4000, 5000, 6000), 7)


def test_a_spot_is_called_by_its_row_and_its_number_in_the_row() -> None:
    assert ROWS == (4, 6, 7, 8, 7, 6, 4)
    assert SPOTS[:5] == ("A1", "A2", "A3", "A4", "B1")
    assert "D8" in SPOTS
    assert SPOTS[-1] == "G4"
    assert len(set(SPOTS)) == len(SPOTS)
