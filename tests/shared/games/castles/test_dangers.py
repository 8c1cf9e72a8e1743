"""K-9 to K-13, witches and pirates, each test naming the clause it proves."""

import pytest

from diadem_shared.games.castles.table import Began, Holding, Paid, Razed, Shielded, TurnPhase
from tests.cases import cases
from tests.shared.games.castles.positions import after, play, position, refused

DANGER = TurnPhase.DANGER
BUYER = "blue1 | currency currency currency"


def test_k9_a_danger_takes_three_cards_of_her_choosing_and_the_turn() -> None:
    table = position("blue1 | currency currency green2 yellow3", "", top="danger")
    state = after(table, "draw")
    assert state.phase is DANGER
    assert state.turn == 0
    state, events = play(state, "pay diamond green2 yellow3")
    assert state.holdings[0] == Holding(("blue1",), ("currency",))
    assert sorted(state.aside) == ["currency", "danger", "green2", "yellow3"]
    assert events == [Paid(0, ("green2", "yellow3", "currency")), Began(1)]


@pytest.mark.parametrize("offer", ["pay diamond", "pay diamond diamond blue1 green2", "pay"])
def test_k9_exactly_three(offer: str) -> None:
    state = position("blue1 | currency currency green2", "", phase=DANGER)
    assert refused(state, offer) == "pay_exactly"


def test_k9_only_cards_she_holds() -> None:
    state = position("blue1 | currency currency green2", "", phase=DANGER)
    assert refused(state, "pay diamond diamond diamond") == "not_held"
    assert refused(state, "pay diamond diamond blue2") == "not_held"


@cases("hand", ["", "| currency", "blue1 | currency", "| green1 blue2 currency"])
def test_k9_with_no_choice_all_goes_without_a_question(hand: str) -> None:
    state, events = play(position(hand, "", top="danger"), "draw")
    assert state.holdings[0] == Holding()
    assert state.turn == 1
    assert isinstance(events[1], Paid)


@cases("hand", ["| green1 blue2 currency", "blue1 | currency currency"])
def test_k9_exactly_three_cards_go_without_a_question_and_of_four_she_chooses(hand: str) -> None:
    three = after(position(hand, "", top="danger"), "draw")
    assert (three.holdings[0], three.turn, three.phase) == (Holding(), 1, TurnPhase.OPEN)
    four = after(position(f"{hand} currency", "", top="danger"), "draw")
    assert (len(four.holdings[0].cards), four.turn, four.phase) == (4, 0, DANGER)


def test_k9_with_fewer_than_three_and_a_shield_she_gives_all_or_the_shield() -> None:
    state = after(position("blue1 | shield", "", top="danger"), "draw")
    assert after(state, "pay blue1 fairy").holdings[0] == Holding()
    assert after(state, "fairy").holdings[0] == Holding(("blue1",))
    assert refused(state, "pay blue1") == "pay_exactly"


@pytest.mark.parametrize("move", ["draw", "stop", "buy from 2"])
def test_k9_nothing_else_is_done_before_the_danger_is_settled(move: str) -> None:
    state = position(BUYER, "| blue4", phase=DANGER)
    assert refused(state, move) == "danger_waits"


@pytest.mark.parametrize("move", ["fairy", "pay diamond diamond diamond"])
def test_k9_without_a_danger_nothing_is_paid(move: str) -> None:
    state = position("| shield currency currency currency", "", top="currency")
    assert refused(state, move) == "no_danger"
    assert refused(after(state, "draw"), move) == "no_danger"


@pytest.mark.parametrize(
    "cards", ["blue1 blue2 green3", "diamond fairy blue1", "diamond diamond green3"]
)
def test_k10_any_card_she_holds_may_be_among_the_three(cards: str) -> None:
    state = position("blue1 blue2 | currency currency shield green3", "", phase=DANGER)
    assert refused(state, f"pay {cards}") == ""


def test_k11_a_shield_counters_a_danger_and_nothing_else_is_paid() -> None:
    table = position("blue1 | shield currency currency currency", "", top="danger")
    state, events = play(table, "draw", "fairy")
    assert state.holdings[0] == Holding(("blue1",), ("currency",) * 3)
    assert sorted(state.aside) == ["danger", "shield"]
    assert state.turn == 1
    assert events == [Shielded(0), Began(1)]


def test_k11_without_a_shield_none_is_played() -> None:
    state = position("blue1 | currency currency currency", "", phase=DANGER)
    assert refused(state, "fairy") == "no_shield"


def test_k12_she_may_decline_to_use_her_shield() -> None:
    table = position("blue1 | shield currency currency currency", "", top="danger")
    state = after(table, "draw", "pay diamond diamond diamond")
    assert state.holdings[0] == Holding(("blue1",), ("shield",))


def test_k13_a_castle_paid_away_is_no_castle() -> None:
    table = position("blue1 | currency currency", "", top="danger")
    state, events = play(table, "draw")
    assert state.holdings[0].builds is None
    assert Razed(0, "blue") in events


def test_k13_its_colour_is_free_again_for_anyone() -> None:
    table = position("blue1 | currency currency", "", top="danger blue2")
    state = after(table, "draw", "draw")
    assert state.holdings[1].builds == "blue"


def test_k13_she_builds_anew_by_drawing_a_part_of_a_free_colour() -> None:
    table = position("blue1 | currency currency", "", top="danger shield green5")
    state = after(table, "draw", "draw", "stop", "draw")
    assert state.holdings[0].builds == "green"


def test_k13_a_castle_that_keeps_a_part_stays() -> None:
    table = position("blue1 blue2 | currency currency", "", top="danger")
    state, events = play(table, "draw", "pay blue1 diamond diamond")
    assert state.holdings[0].builds == "blue"
    assert [event for event in events if isinstance(event, Razed)] == []
