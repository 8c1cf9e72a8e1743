"""What moves do to the table, under the rules Rummy: M-13 to M-24."""

import pytest

from diadem_shared.game import Outcome
from diadem_shared.games.diamino.table import Cause, Ended, Laid, PutBack, Took, TurnPhase
from tests.shared.games.diamino.positions import (
    after,
    outcome,
    play,
    position,
    refusal,
    told,
)


def test_a_play_lies_on_the_board_and_the_next_player_is_on() -> None:
    """M-5, C-4."""
    state, events = play(position("EX", "A"), "lay D1 across E")
    assert state.board.letters.startswith("TORE.")
    assert (state.hands, state.turn) == (("X", "A"), 1)
    (laid,) = told(events, Laid)
    assert (laid.words, laid.greens, laid.reds, laid.black) == (("tore",), 0, 0, False)


def test_c4_turns_go_round() -> None:
    state = position("A", "B", "C", turn=2)
    assert after(state, "pass").turn == 0


def test_m16_a_devil_acts_when_first_covered_only() -> None:
    """The red under A2 is covered by the first play; TORE runs over it again."""
    state = after(position("ORA", "EB", reserve="XX"), "lay A2 down OR", "keep")
    assert state.turn == 1
    state, events = play(state, "lay A4 across E")
    (laid,) = told(events, Laid)
    assert (laid.words, laid.reds, laid.greens) == (("tore",), 0, 1)


def test_m19_nothing_is_refilled() -> None:
    assert after(position("EX", "A", reserve="BBBB"), "lay D1 across E").hands == ("X", "A")


def test_m20_a_green_gives_its_layer_a_tile() -> None:
    state, events = play(position("RX", "A", reserve="B"), "lay B2 across R")
    assert (state.hands, state.reserve, state.turn) == (("BX", "A"), "", 1)
    assert told(events, Took) == [Took(0, 1, "B", Cause.GREEN)]


def test_m20_two_greens_give_two() -> None:
    state = after(position("ORENX", "A", reserve="BBB"), "lay A2 down OREN")
    assert state.hands[0] == "BBX"
    assert state.reserve == "B"


def test_m20_a_reserve_gives_what_it_has() -> None:
    state, events = play(position("ORENX", "A", reserve="B"), "lay A2 down OREN")
    assert (state.hands[0], state.reserve) == ("BX", "")
    assert told(events, Took) == [Took(0, 1, "B", Cause.GREEN)]


def test_m20_an_empty_reserve_gives_nothing() -> None:
    state, events = play(position("RX", "A"), "lay B2 across R")
    assert state.hands[0] == "X"
    assert told(events, Took) == []


def test_m20_a_last_tile_on_green_does_not_go_out_while_the_reserve_gives() -> None:
    state = after(position("R", "A", reserve="B"), "lay B2 across R")
    assert (state.phase, state.hands) == (TurnPhase.PLAY, ("B", "A"))
    assert after(position("R", "A"), "lay B2 across R").out == 0


def test_m20_which_tile_the_green_gives_is_chance() -> None:
    given = {
        play(position("RX", "A", reserve="BCD"), "lay B2 across R", seed=bytes([seed]))[0].hands[0]
        for seed in range(40)
    }
    assert given == {"BX", "CX", "DX"}


def test_m21_a_red_lets_its_layer_give_a_tile_back() -> None:
    state = after(position("EXY", "A", reserve="B"), "lay C2 across E")
    assert (state.phase, state.turn, state.owed) == (TurnPhase.GIVE, 0, 1)
    state, events = play(state, "give X")
    assert (state.hands, state.reserve) == (("Y", "A"), "BX")
    assert (state.phase, state.turn, state.owed) == (TurnPhase.PLAY, 1, 0)
    assert told(events, PutBack) == [PutBack(0, 1, "X", Cause.RED)]


def test_m21_a_joker_may_be_given() -> None:
    assert after(position("EX*", "A"), "lay C2 across E", "give *").hands[0] == "X"


def test_m21_all_may_be_kept() -> None:
    state, events = play(position("EX", "A"), "lay C2 across E", "keep")
    assert (state.hands[0], state.turn) == ("X", 1)
    assert told(events, PutBack) == []


@pytest.mark.parametrize("given", ["give X", "give XY", "keep"])
def test_m21_two_reds_take_up_to_two(given: str) -> None:
    state = after(position("ORXYZ", "A"), "lay A2 down OR")
    assert state.owed == 2
    assert refusal(state, "give XYZ").code == "too_many"
    assert after(state, given).turn == 1


def test_m21_no_more_can_be_given_than_is_held() -> None:
    assert after(position("ORX", "A"), "lay A2 down OR").owed == 1


def test_m21_the_greens_come_first_and_what_they_gave_may_go_back() -> None:
    state, events = play(position("OTX", "A", reserve="B"), "lay C2 down OT", "give B")
    assert (state.hands[0], state.reserve) == ("X", "B")
    kinds = [type(event) for event in events]
    assert kinds == [Laid, Took, PutBack]


def test_m21_giving_the_last_tile_back_wins_undoubled() -> None:
    state, events = play(position("EX", "QQ"), "lay C2 across E", "give X")
    assert (state.out, state.doubled, state.phase) == (0, False, TurnPhase.OVER)
    assert told(events, Ended) == [Ended(0, doubled=False, hands=("", "QQ"))]
    assert outcome(state).scores == (18, 0)


def test_m21_who_is_out_already_gives_nothing() -> None:
    assert after(position("E", "A"), "lay C2 across E").phase is TurnPhase.OVER


def test_m22_the_last_tile_may_lie_on_black() -> None:
    state = after(position("EN", "QQ"), "lay D1 across EN")
    assert (state.out, state.doubled) == (0, True)


def test_m22_black_with_a_green_needs_an_empty_reserve() -> None:
    refused = refusal(position("RT", "A", reserve="B"), "lay B2 down RT")
    assert (refused.code, refused.about["why"]) == ("black_field", ["green_draws"])
    assert after(position("RT", "A"), "lay B2 down RT").doubled


def test_m23_who_goes_out_gets_the_tiles_of_the_others() -> None:
    state = after(position("E", "QA", "*T"), "lay D1 across E")
    assert outcome(state) == Outcome((9 + 1 + 0 + 1, 0, 0), (0, 0, 0))


def test_m23_doubled_on_black() -> None:
    state = after(position("X", "EN", "QA", turn=1), "lay D1 across EN")
    assert outcome(state).scores == (0, 2 * (8 + 9 + 1), 0)
    assert outcome(state).winners == (1,)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_m23_who_goes_out_wins_alone_where_the_others_hold_jokers_only(seat: int) -> None:
    hands = ["*", "*", "**"]
    hands[seat] = "E"
    state = after(position(*hands, turn=seat), "lay D1 across E")
    assert outcome(state).scores == (0, 0, 0)
    assert outcome(state).winners == (seat,)


def test_m24_in_a_blocked_round_nobody_scores_and_the_lowest_hand_is_first() -> None:
    state = after(position("QA", "EE", "NN"), *["pass"] * 6)
    assert outcome(state) == Outcome((0, 0, 0), (-10, -2, -2))
    assert outcome(state).winners == (1, 2)
