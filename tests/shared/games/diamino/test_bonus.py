"""What moves do to the table, under the rules Bonus: M-25 to M-33."""

from typing import Any

from msgspec.structs import replace

from diadem_shared.game import Outcome
from diadem_shared.games.diamino.table import Ended, Laid, State, Took, TurnPhase
from tests.cases import cases
from tests.shared.games.diamino.positions import (
    BONUS,
    DICTIONARY,
    outcome,
    play,
    position,
    refusal,
    told,
)


def after(state: State, *moves: str) -> State:
    return play(state, *moves, game=BONUS)[0]


@cases(("reserve", "held"), [("B" * 20, 12), ("B" * 11, 12), ("BBB", 4), ("", 1)])
def test_m25_a_hand_is_refilled_to_12_while_the_reserve_lasts(reserve: str, held: int) -> None:
    state, events = play(position("EX", "A", reserve=reserve), "lay D1 across E", game=BONUS)
    assert len(state.hands[0]) == held
    assert len(state.reserve) == len(reserve) + 1 - held
    assert sum(event.count for event in told(events, Took)) == held - 1


def test_m25_an_emptied_hand_is_refilled_too() -> None:
    state = after(position("E", "A", reserve="B"), "lay D1 across E")
    assert (state.phase, state.hands[0]) == (TurnPhase.PLAY, "B")


def test_m26_words_score_nothing() -> None:
    assert after(position("EX", "A"), "lay D1 across E").points == (0, 0)


def test_m26_words_score_where_the_table_wants_it() -> None:
    """TORE: T1 O2 R1 E1; with a joker for the E one less."""
    scoring = replace(DICTIONARY, words_score=True)
    assert after(position("EX", "A", options=scoring), "lay D1 across E").points == (5, 0)
    assert after(position("*X", "A", options=scoring), "lay D1 across e").points == (4, 0)


def test_m26_all_words_formed_score() -> None:
    """ES: TORE across and ER up column D."""
    scoring = replace(DICTIONARY, words_score=True)
    lying = "TOR.." + "...R."
    state, events = play(
        position("EX", "A", letters=lying, options=scoring), "lay D1 across E", game=BONUS
    )
    (laid,) = told(events, Laid)
    assert (laid.words, laid.points) == (("tore", "er"), (7, 0))
    assert state.points == (7, 0)


def test_m27_a_green_gives_each_opponent_5() -> None:
    state = after(position("RX", "A", "B", points=(1, 2, 3)), "lay B2 across R")
    assert state.points == (1, 7, 8)


def test_m28_a_red_gives_the_layer_10() -> None:
    state = after(position("EX", "A", "B"), "lay C2 across E")
    assert (state.points, state.phase, state.turn) == ((10, 0, 0), TurnPhase.PLAY, 1)


def test_m27_m28_each_devil_counts() -> None:
    state = after(position("X", "ORENX", "A", turn=1), "lay A2 down OREN")
    assert state.points == (10, 20, 10)


def test_m29_who_goes_out_gets_25_and_the_tiles_of_the_others() -> None:
    state, events = play(
        position("E", "QA", "*T", points=(30, 20, 10)), "lay D1 across E", game=BONUS
    )
    assert told(events, Ended) == [Ended(0, doubled=False, hands=("", "AQ", "*T"))]
    assert outcome(state, BONUS) == Outcome((30 + 25 + 11, 20 - 10, 10 - 1), (0, 0, 0))


def test_m30_on_black_it_is_50_and_the_tiles_are_not_doubled() -> None:
    state = after(position("EN", "QA"), "lay D1 across EN")
    assert outcome(state, BONUS).scores == (50 + 10, -10)


def test_m30_only_with_an_empty_reserve() -> None:
    refused = refusal(position("EN", "A", reserve="B"), "lay D1 across EN", game=BONUS)
    assert (refused.code, refused.about["why"]) == ("black_field", ["reserve_not_empty"])


def test_m30_black_with_a_green() -> None:
    """Nothing is drawn for it in Bonus; the others still get their 5."""
    state = after(position("RT", "E"), "lay B2 down RT")
    assert (state.out, state.points) == (0, (0, 5))
    assert outcome(state, BONUS).scores == (51, 5 - 1)


def test_m31_the_others_set_their_tiles_against_their_points_below_zero_too() -> None:
    state = after(position("E", "Q", "A", points=(0, 4, 4)), "lay D1 across E")
    assert outcome(state, BONUS).scores[1:] == (4 - 9, 4 - 1)


def test_m32_in_a_blocked_round_everybody_deducts_the_own_hand() -> None:
    state = after(position("Q", "A", "*", points=(10, 0, 5)), *["pass"] * 6)
    assert outcome(state, BONUS) == Outcome((1, -1, 5), (0, 0, 0))


def test_m33_the_most_points_win_whoever_went_out() -> None:
    state = after(position("E", "A", points=(0, 60)), "lay D1 across E")
    assert state.out == 0
    assert outcome(state, BONUS).winners == (1,)


def test_m33_equal_points_share_the_win() -> None:
    """C-3."""
    state = after(position("A", "E"), *["pass"] * 4)
    assert outcome(state, BONUS).winners == (0, 1)


def test_greens_give_no_tile_and_reds_take_none() -> None:
    """M-20 and M-21 are Rummy's."""
    state, events = play(position("RX", "A"), "lay B2 across R", game=BONUS)
    kinds: list[Any] = [type(event) for event in events]
    assert kinds == [Laid]
    assert after(position("EX", "A"), "lay C2 across E").owed == 0
    assert state.hands[0] == "X"
