"""Marking cards for a witch, and choosing whom to buy from."""

from diadem_client.games.castles.draft import KEYS, Shopping, Toll, sellers, toll_for
from diadem_shared.games.castles.table import Holding, Pay
from tests.shared.games.castles.positions import Diamoniak, position

HOLDING = Holding(castle=("blue1", "blue2"), reserve=("green5", "currency", "currency"))


def marked(toll: Toll, *keys: str) -> Toll:
    for key in keys:
        pointing = toll.pointing_at(key)
        assert pointing is not None
        toggled = pointing.toggled()
        assert toggled is not None
        toll = toggled
    return toll


def cards(toll: Toll) -> list[tuple[str, int]]:
    return [(kind.card, kind.held) for kind in toll.kinds]


def marks(toll: Toll) -> list[int]:
    return [kind.marked for kind in toll.kinds]


def test_equal_cards_are_one_kind_and_the_own_castle_stands_last() -> None:
    assert cards(toll_for(HOLDING)) == [
        ("green5", 1),
        ("currency", 2),
        ("blue1", 1),
        ("blue2", 1),
    ]


def test_marked_cards_are_the_payment() -> None:
    toll = marked(toll_for(HOLDING), "1", "2", "4")
    assert toll.complete
    assert toll.move == Pay(("blue2", "green5", "currency"))


def test_marking_goes_on_through_equal_cards_and_then_begins_anew() -> None:
    toll = toll_for(HOLDING)
    assert marks(marked(toll, "1", "1")) == [0, 0, 0, 0]
    assert marks(marked(toll, "2", "2")) == [0, 2, 0, 0]
    assert marks(marked(toll, "2", "2", "2")) == [0, 0, 0, 0]


def test_no_more_than_owed_is_marked() -> None:
    toll = marked(toll_for(HOLDING), "1", "2", "3")
    pointing = toll.pointing_at("4")
    assert pointing is not None
    assert pointing.toggled() is None
    assert marks(marked(toll, "2")) == [1, 0, 1, 0]


def test_all_marks_are_taken_back_at_once() -> None:
    assert marked(toll_for(HOLDING), "1", "2").emptied() == toll_for(HOLDING).pointing(1)


def test_no_card_has_that_key() -> None:
    assert toll_for(HOLDING).pointing_at("5") is None
    assert toll_for(HOLDING).pointing_at("d") is None


def test_pointing_goes_round() -> None:
    toll = toll_for(HOLDING)
    assert toll.pointing(-1).at == 3
    assert toll.pointing(-1).pointing(1).at == 0


def test_pointing_at_nothing() -> None:
    toll = toll_for(Holding())
    assert toll.complete
    assert toll.pointing(1) == toll
    assert toll.toggled() is None
    assert toll.move == Pay(())


def test_marks_stay_on_cards_that_are_still_there() -> None:
    toll = marked(toll_for(HOLDING), "1", "2", "4")
    poorer = Holding(castle=("blue1",), reserve=("currency", "currency"))
    kept = toll_for(poorer, toll)
    assert marks(kept) == [1, 0]
    assert kept.at == 1


def test_commands_are_no_cards() -> None:
    assert not set("dpbf") & set(KEYS)
    assert len(set(KEYS)) == len(KEYS)


def test_shopping() -> None:
    table = Diamoniak.public(position("blue1 |", "| blue2", "| pink1", "| blue3"))
    assert sellers(table, 0) == [1, 3]
    shopping = Shopping((1, 3))
    assert shopping.pointing(1).seller == 3
    assert shopping.pointing_at(2) == Shopping((1, 3), 1)
    assert shopping.pointing_at(3) is None
