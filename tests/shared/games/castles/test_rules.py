"""K-1 to K-8 and K-14 to K-16, each test naming the clause it proves."""

import pytest

from diadem_shared.chance import Chance
from diadem_shared.entries import Left, Sat, Setup, Started
from diadem_shared.game import Outcome
from diadem_shared.games.castles import DIAMONIAK, PIRATATAK
from diadem_shared.games.castles.table import (
    Began,
    Bought,
    Completed,
    Drew,
    Founded,
    Holding,
    Options,
    Shuffled,
    Stopped,
    TurnPhase,
)
from diadem_shared.match import apply, open_match, replay
from tests.cases import cases
from tests.shared.games.castles.positions import (
    Diamoniak,
    after,
    all_cards,
    play,
    position,
    refused,
)


@pytest.mark.parametrize(
    ("edition", "size", "dangers", "colours"),
    [
        (DIAMONIAK, 54, 7, {"blue", "yellow", "pink", "green"}),
        (PIRATATAK, 55, 8, {"blue", "yellow", "red", "green"}),
    ],
)
def test_the_deck_of_each_edition(edition, size, dangers, colours):  # type: ignore[no-untyped-def]
    deck = edition.deck()
    assert len(deck) == size
    assert deck.count("danger") == dangers
    assert deck.count("currency") == 20
    assert deck.count("shield") == 3
    parts = {card for card in deck if card[-1].isdigit()}
    assert parts == {f"{colour}{number}" for colour in colours for number in range(1, 7)}


# K-1, K-2


def test_k1_only_the_order_of_the_deck_is_hidden() -> None:
    state = after(position("blue1 | currency", "| green2", top="green3 yellow1"), "draw")
    seen = Diamoniak.public(state)
    assert seen.holdings == state.holdings
    assert seen.deck == len(state.deck)
    assert Diamoniak.view(state, 0).private is None
    hidden_elsewhere = position("blue1 | currency", "| green2", top="green3 yellow2")
    assert Diamoniak.public(after(hidden_elsewhere, "draw")) == seen


def test_k1_every_round_is_dealt_from_a_fresh_shuffle() -> None:
    decks = {Diamoniak.start(Options(), 2, None, Chance(bytes([n])))[0].deck for n in range(20)}
    assert len(decks) == 20
    assert [deck for deck in decks if len(deck) != 54] == []


@cases("seat", range(4))
def test_k2_the_youngest_begins_when_they_are_named(seat: int) -> None:
    state, told = Diamoniak.start(Options(youngest=seat), 4, None, Chance(b"any"))
    assert state.turn == seat
    assert [happening.event for happening in told] == [Began(seat)]


def test_k2_chance_names_who_begins_where_nobody_is_named() -> None:
    begins = {Diamoniak.start(Options(), 4, None, Chance(bytes([n])))[0].turn for n in range(60)}
    assert begins == {0, 1, 2, 3}


@cases(
    ("youngest", "left", "then"),
    [(1, 0, 0), (2, 0, 1), (2, 1, 1), (0, 1, 0), (1, 2, 1), (1, 1, None), (None, 0, None)],
)
def test_k2_the_youngest_stays_the_same_person_when_somebody_leaves(
    youngest: int | None, left: int, then: int | None
) -> None:
    """Chance decides again where it was they who left."""
    match = open_match(Setup("diamoniak", {"youngest": youngest}))
    for entry in (Sat("Ana"), Sat("Bob"), Sat("Cem"), Left(left)):
        match, _ = apply(match, entry, b"seed")
    assert match.setup.options == {"youngest": then}
    match, _ = apply(match, Started(), b"seed")
    assert then is None or match.opener == then


def test_k2_under_version_1_of_the_rules_the_number_of_the_seat_stays() -> None:
    """So that what was recorded then is played on as it was."""
    entries = (Sat("Ana"), Sat("Bob"), Sat("Cem"), Left(0), Started())
    match = replay(Setup("diamoniak", {"youngest": 1}), entries, b"seed", version=1)
    assert (match.opener, match.players[1].name) == (1, "Cem")


def test_k2_the_youngest_must_sit_at_the_table() -> None:
    refusal = Diamoniak.check(Options(youngest=3), 3)
    assert refusal is not None
    assert refusal.code == "no_such_seat"
    assert Diamoniak.check(Options(youngest=2), 3) is None


def test_c1_a_further_round_is_begun_by_the_seat_whose_round_it_is() -> None:
    assert Diamoniak.start(Options(youngest=0), 4, 3, Chance(b"any"))[0].turn == 3


def test_c4_play_goes_round_in_rising_seats() -> None:
    state = position("", "", "", top="currency currency currency")
    order = [state.turn]
    for _ in range(3):
        state = after(state, "draw", "stop")
        order.append(state.turn)
    assert order == [0, 1, 2, 0]


# K-3


def test_k3_at_least_one_draw_is_owed() -> None:
    assert refused(position("", ""), "stop") == "must_draw_first"


def test_k3_a_drawn_card_is_shown_to_all() -> None:
    state, events = play(position("", "", top="shield"), "draw")
    assert events[0] == Drew(0, "shield")
    assert Diamoniak.public(state).drawn == ("shield",)


def test_k3_after_a_draw_she_stops_or_draws_on_as_often_as_she_likes() -> None:
    state = position("", "", top="currency shield blue1 currency green1")
    state = after(state, *["draw"] * 5)
    assert state.turn == 0
    state, events = play(state, "stop")
    assert state.turn == 1
    assert state.drawn == ()
    assert events == [Stopped(0), Began(1)]


def test_k3_only_who_has_the_turn_moves() -> None:
    assert refused(position("", ""), "draw", seat=1) == "not_your_turn"


# K-4 to K-6, K-14


def test_k4_the_first_part_of_a_free_colour_must_start_her_castle() -> None:
    state, events = play(position("", "", top="pink3"), "draw")
    assert state.holdings[0] == Holding(castle=("pink3",))
    assert Founded(0, "pink", ()) in events


def test_k4_a_part_of_a_colour_that_another_builds_goes_to_her_reserve() -> None:
    state = after(position("", "pink1", top="pink3"), "draw")
    assert state.holdings[0] == Holding(reserve=("pink3",))
    assert state.holdings[0].builds is None


def test_k4_a_colour_that_another_only_keeps_in_reserve_is_free() -> None:
    state = after(position("", "blue1 | pink1", top="pink3"), "draw")
    assert state.holdings[0].builds == "pink"


def test_k5_her_own_colour_goes_into_her_castle() -> None:
    state = after(position("pink1", "", top="pink3"), "draw")
    assert state.holdings[0].castle == ("pink1", "pink3")


def test_k5_any_other_colour_goes_into_her_reserve() -> None:
    state = after(position("pink1", "", top="blue3"), "draw")
    assert state.holdings[0] == Holding(castle=("pink1",), reserve=("blue3",))


@cases("card", ["currency", "shield", "green4", "blue2"])
def test_k6_after_anything_but_a_danger_she_may_go_on_drawing(card: str) -> None:
    state = after(position("green1", "blue1", top=card), "draw")
    assert state.phase is TurnPhase.DRAWN
    assert refused(state, "draw") == ""


@pytest.mark.parametrize("card", ["currency", "shield"])
def test_k6_currency_and_shields_go_to_her_reserve(card: str) -> None:
    assert after(position("", "", top=card), "draw").holdings[0] == Holding(reserve=(card,))


def test_k14_waiting_parts_join_when_she_starts_their_colour() -> None:
    state, events = play(position("| blue2 blue5 green1", "", top="blue1"), "draw")
    assert state.holdings[0] == Holding(("blue1", "blue2", "blue5"), ("green1",))
    assert Founded(0, "blue", ("blue2", "blue5")) in events


def test_k14_joining_may_win() -> None:
    hand = "| blue2 blue3 blue4 blue5 blue6"
    state, events = play(position(hand, "", top="blue1"), "draw")
    assert state.phase is TurnPhase.OVER
    assert events[-1] == Completed(0, "blue")


# K-7, K-8


BUYER = "blue1 | currency currency currency"


def test_k7_three_currency_buy_a_part_and_the_turn_is_over() -> None:
    state, events = play(position(BUYER, "| blue4 green1"), "buy from 2")
    assert state.holdings[0] == Holding(("blue1", "blue4"), ())
    assert state.turn == 1
    assert events == [Bought(0, 1, "blue4"), Began(1)]


def test_k7_buying_is_declared_before_any_draw() -> None:
    state = after(position(BUYER, "| blue4", top="currency"), "draw")
    assert refused(state, "buy from 2") == "already_drew"


def test_k7_one_card_a_turn_even_with_six_currency() -> None:
    rich = "blue1 |" + " currency" * 6
    state = after(position(rich, "| blue4 blue5"), "buy from 2")
    assert state.holdings[0].wealth == 3
    assert refused(state, "buy from 2") == "not_your_turn"


def test_k7_less_than_three_currency_buy_nothing() -> None:
    state = position("blue1 | currency currency", "| blue4")
    assert refused(state, "buy from 2") == "too_poor"


def test_k8_the_seller_receives_the_price() -> None:
    state = after(position(BUYER, "| blue4 currency"), "buy from 2")
    assert state.holdings[1].wealth == 4


def test_k8_the_seller_is_not_asked() -> None:
    state = after(position(BUYER, "| blue4"), "buy from 2")
    assert state.holdings[1].spare("blue") == ()


def test_k8_only_once_she_builds() -> None:
    broke = "| currency currency currency"
    assert refused(position(broke, "| blue4"), "buy from 2") == "no_castle"


def test_k8_only_her_own_colour() -> None:
    assert refused(position(BUYER, "| green4"), "buy from 2") == "seller_has_none"


def test_k8_never_from_a_castle() -> None:
    assert refused(position(BUYER, "green1 green2"), "buy from 2") == "seller_has_none"


def test_k8_only_from_an_opponent_at_the_table() -> None:
    assert refused(position(BUYER, "| blue4"), "buy from 1") == "own_seat"
    assert refused(position(BUYER, "| blue4"), "buy from 3") == "no_such_seat"


def test_k8_she_chooses_which_opponent() -> None:
    table = position(BUYER, "| blue2", "| blue3")
    assert after(table, "buy from 2").holdings[0].castle == ("blue1", "blue2")
    assert after(table, "buy from 3").holdings[0].castle == ("blue1", "blue3")


def test_k8_of_several_parts_the_first_is_sold() -> None:
    state = after(position(BUYER, "| blue6 blue3"), "buy from 2")
    assert state.holdings[1].spare("blue") == ("blue6",)


# K-15, K-16


def test_k15_an_empty_deck_is_made_anew_of_the_cards_aside_and_her_turn_goes_on() -> None:
    table = position("blue1 | green1", "yellow1", emptied=True)
    everything = all_cards(table)
    state, events = play(table, "draw")
    assert events[:2] == [Shuffled(51), Drew(0, state.drawn[0])]
    assert state.turn == 0 or state.drawn == ()
    assert all_cards(state) == everything


def test_k15_players_cards_are_never_shuffled_in() -> None:
    table = position("blue1 | green1", "yellow1 | shield", emptied=True)
    state, _ = play(table, "draw")
    assert not {"blue1", "green1", "yellow1"} & {*state.deck, *state.drawn}
    assert [*state.deck, *state.drawn].count("shield") == 2


def test_k15_the_new_deck_is_in_a_new_order() -> None:
    table = position("", "", emptied=True)
    decks = {
        Diamoniak.play(table, 0, Diamoniak.parse("draw"), Chance(bytes([n])))[0].deck
        for n in range(20)
    }
    assert len(decks) == 20


def test_k15_the_deck_may_be_empty_until_a_card_must_be_drawn() -> None:
    table = position("| currency", "", emptied=True)
    one_left = after(position("", "", top="currency"), "draw")
    assert refused(table, "draw") == ""
    assert Diamoniak.public(one_left).deck == len(one_left.deck)


FIVE = "blue1 blue2 blue3 blue4 blue5"


def test_k16_the_sixth_part_wins_at_once_when_drawn() -> None:
    state, events = play(position(FIVE, "", top="blue6"), "draw")
    assert events[-1] == Completed(0, "blue")
    assert Diamoniak.outcome(Diamoniak.public(state)) == Outcome((1, 0), (0, 0))


def test_k16_the_sixth_part_wins_at_once_when_bought() -> None:
    rich = f"{FIVE} | currency currency currency"
    state, events = play(position(rich, "", "| blue6"), "buy from 3")
    assert events == [Bought(0, 2, "blue6"), Completed(0, "blue")]
    outcome = Diamoniak.outcome(Diamoniak.public(state))
    assert outcome is not None
    assert outcome.winners == (0,)


def test_k16_nothing_moves_once_the_round_is_won() -> None:
    state = after(position(FIVE, "", top="blue6"), "draw")
    assert refused(state, "draw") == "round_over"
    assert refused(state, "stop", seat=1) == "round_over"


def test_k16_five_parts_do_not_win() -> None:
    state = after(position("blue1 blue2 blue3 blue4", "", top="blue5"), "draw")
    assert Diamoniak.outcome(Diamoniak.public(state)) is None


def test_six_parts_in_a_reserve_are_no_castle() -> None:
    hand = "green1 | blue1 blue2 blue3 blue4 blue5"
    state = after(position(hand, "", top="blue6"), "draw")
    assert state.phase is TurnPhase.DRAWN
