"""M-11 and M-12: who says what is a word, and what becomes of a refused play."""

import pytest
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import pack
from diadem_shared.games.diamino.bots.zombie import Zombie
from diadem_shared.games.diamino.play import parse_play
from diadem_shared.games.diamino.table import (
    Ended,
    Laid,
    Passed,
    Proposed,
    Silence,
    State,
    TakenBack,
    Took,
    TurnPhase,
    Voted,
)
from diadem_shared.games.diamino.verdict import Way
from tests.shared.games.diamino.positions import (
    BONUS,
    RUMMY,
    TABLE,
    after,
    outcome,
    play,
    position,
    refusal,
    told,
)

NONSENSE = "lay D1 across X"
TWO, THREE, FOUR, FIVE = (("XEY", "A", "B", "C", "D")[:seats] for seats in (2, 3, 4, 5))


def judged(hands: tuple[str, ...], **given: object) -> State:
    return replace(position(*hands, options=TABLE), **given)


def proposed(hands: tuple[str, ...]) -> State:
    return after(judged(hands), NONSENSE)


def refusals_of(state: State) -> list[str]:
    """Objections by as many opponents as it takes."""
    moves = []
    while state.phase is TurnPhase.JUDGE:
        seat = RUMMY.actors(RUMMY.public(state))[0] + 1
        moves.append(f"{seat}: object")
        state = after(state, moves[-1])
    return moves


def test_m11_the_list_decides_at_once() -> None:
    refused = refusal(position("XEY", "A"), NONSENSE)
    assert (refused.code, refused.about) == ("unknown_words", {"words": ["TORX"]})


def test_m12_with_a_list_a_refused_play_costs_nothing() -> None:
    state = position("XEY", "A")
    for _ in range(5):
        assert refusal(state, NONSENSE).code == "unknown_words"
    assert after(state, "lay D1 across E").turn == 1


@pytest.mark.parametrize("hands", [TWO, THREE, FOUR])
def test_m12_a_play_waits_for_all_opponents(hands: tuple[str, ...]) -> None:
    state, events = play(judged(hands), NONSENSE)
    table = RUMMY.public(state)
    assert RUMMY.actors(table) == tuple(range(1, len(hands)))
    (event,) = told(events, Proposed)
    assert (event.seat, event.play, event.words) == (0, parse_play(NONSENSE), ("TORX",))
    assert table.pending is not None
    assert table.pending.laid == {"D1": "X"}
    assert state.board == judged(hands).board
    assert state.hands == judged(hands).hands


@pytest.mark.parametrize("hands", [TWO, THREE, FOUR])
def test_m12_it_stands_once_all_have_accepted(hands: tuple[str, ...]) -> None:
    state = proposed(hands)
    for seat in range(len(hands), 1, -1):
        assert state.phase is TurnPhase.JUDGE
        state, events = play(state, f"{seat}: accept")
    assert [type(event) for event in events] == [Voted, Laid]
    assert state.board.letters.startswith("TORX")
    assert (state.turn, state.phase, state.pending) == (1, TurnPhase.PLAY, None)


@pytest.mark.parametrize("hands", [TWO, THREE, FOUR])
def test_m12_silence_accepts(hands: tuple[str, ...]) -> None:
    """The zombie moves for the silent, after the table's own time."""
    state = proposed(hands)
    assert RUMMY.patience(RUMMY.public(state)) == TABLE.judging_time == 30
    for seat in RUMMY.actors(RUMMY.public(state)):
        choice = Zombie(Chance(b"silent")).choose(RUMMY.view(state, seat))
        assert choice == Silence()
        state, events = play(state, f"{seat + 1}: {RUMMY.notate(choice)}")
        assert told(events, Voted) == [Voted(seat, accepts=True, silent=True)]
    assert state.board.letters.startswith("TORX")


def test_m12_the_time_to_judge_is_an_option_and_binds_nobody_else() -> None:
    hurried = replace(TABLE, judging_time=10)
    state = position(*TWO, options=hurried)
    assert RUMMY.patience(RUMMY.public(state)) is None
    assert RUMMY.patience(RUMMY.public(after(state, NONSENSE))) == 10


def test_m12_of_two_players_the_other_decides() -> None:
    state, events = play(proposed(TWO), "2: object")
    assert [type(event) for event in events] == [Voted, TakenBack]
    assert (state.phase, state.turn, state.refused) == (TurnPhase.PLAY, 0, 1)


def test_m12_of_three_players_both_others_must_be_against() -> None:
    """One of two opponents is no majority."""
    doubted = after(proposed(THREE), "3: object")
    assert (doubted.phase, doubted.doubted) == (TurnPhase.JUDGE, True)
    assert RUMMY.actors(RUMMY.public(doubted)) == (1,)
    assert after(doubted, "2: object").refused == 1
    assert after(doubted, "2: accept").board.letters.startswith("TORX")


def test_m12_of_four_players_two_of_the_three_others_refuse() -> None:
    doubted = after(proposed(FOUR), "3: object")
    assert RUMMY.actors(RUMMY.public(doubted)) == (1, 3)
    assert after(doubted, "2: object").refused == 1
    undecided = after(doubted, "2: accept")
    assert undecided.phase is TurnPhase.JUDGE
    assert after(undecided, "4: object").refused == 1
    assert after(undecided, "4: accept").turn == 1


def test_m12_of_five_players_two_objections_are_no_majority() -> None:
    doubted = after(proposed(FIVE), "2: object", "3: object")
    assert doubted.phase is TurnPhase.JUDGE
    assert after(doubted, "4: object").refused == 1
    assert after(doubted, "4: accept", "5: accept").board.letters.startswith("TORX")


def test_m12_an_objection_reopens_the_vote_of_those_who_had_accepted() -> None:
    doubted = after(proposed(FOUR), "2: accept", "3: object")
    assert RUMMY.actors(RUMMY.public(doubted)) == (1, 3)
    assert after(doubted, "2: object").refused == 1


def test_m12_votes_are_open() -> None:
    state, events = play(proposed(FOUR), "3: object")
    assert told(events, Voted) == [Voted(2, accepts=False)]
    assert RUMMY.public(state).votes == (None, None, False, None)


@pytest.mark.parametrize("hands", [TWO, THREE, FOUR])
def test_m12_after_a_refusal_everything_is_as_before(hands: tuple[str, ...]) -> None:
    before = judged(hands, idle=1, passes=1, points=tuple(range(len(hands))))
    state = after(before, NONSENSE, *refusals_of(after(before, NONSENSE)))
    assert replace(state, refused=0, witnessed=before.witnessed) == before


def test_m12_the_player_may_try_once_more() -> None:
    state = proposed(TWO)
    again, events = play(state, "2: object")
    assert told(events, TakenBack) == [
        TakenBack(0, again=True, words=("TORX",), against=1, voters=1)
    ]
    state = after(again, "lay D1 across E", "2: accept")
    assert state.board.letters.startswith("TORE")
    assert (state.turn, state.refused) == (1, 0)


def test_m12_then_the_turn_is_lost() -> None:
    state, events = play(proposed(TWO), "2: object", "lay D1 across Y", "2: object")
    assert told(events, TakenBack) == [
        TakenBack(0, again=True, words=("TORX",), against=1, voters=1),
        TakenBack(0, again=False, words=("TORY",), against=1, voters=1),
    ]
    assert (state.turn, state.phase, state.refused) == (1, TurnPhase.PLAY, 0)
    assert (state.passes, state.idle) == (0, 1)


LOST = NONSENSE, "1: object", "lay D1 across Y", "1: object"


def test_m12_m17_a_lost_turn_is_no_pass() -> None:
    state = after(judged(("A", "XEY")), "pass", "pass", "pass", *LOST)
    assert (state.phase, state.passes, state.idle) == (TurnPhase.PLAY, 0, 4)


def test_m12_m17_a_turn_lost_last_ends_the_round() -> None:
    """In three rounds nothing was laid."""
    state, events = play(judged(("A", "XEY")), "pass", *LOST, "pass", *LOST, "pass", *LOST)
    assert told(events, Ended) == [Ended(None, doubled=False, hands=("A", "EXY"))]
    assert outcome(state).winners == (0,)


def test_m12_m17_under_version_1_of_the_rules_a_lost_turn_was_a_pass() -> None:
    state = after(judged(("A", "XEY")), "pass", *LOST, game=RUMMY.under(1))
    assert (state.phase, state.passes) == (TurnPhase.OVER, 2)


def test_m12_after_a_refusal_there_is_another_word_or_none() -> None:
    state = after(judged(TWO, reserve="BB"), NONSENSE, "2: object")
    assert refusal(state, "exchange X").code == "only_lay_or_pass"
    state, events = play(state, "pass")
    assert [type(event) for event in events] == [Passed]
    assert (state.turn, state.refused) == (1, 0)


def test_m12_an_accepted_play_does_all_that_a_play_does() -> None:
    rummy = after(judged(("ORENX", "A"), reserve="BB"), "lay A2 down OREN", "2: accept")
    assert (rummy.phase, rummy.owed, rummy.hands[0]) == (TurnPhase.GIVE, 2, "BBX")
    bonus, _ = play(
        judged(("ORENX", "A"), reserve="BB"), "lay A2 down OREN", "2: accept", game=BONUS
    )
    assert (bonus.points, bonus.hands[0]) == ((20, 10), "BBX")


def test_m12_m22_a_last_tile_on_black_is_judged_like_any_play() -> None:
    state = after(judged(("EQ", "A")), "lay D1 across EQ")
    assert after(state, "2: accept").doubled
    assert after(state, "2: object").phase is TurnPhase.PLAY


def test_m12_nothing_is_drawn_before_the_play_stands() -> None:
    _, events = play(judged(("RX", "A"), reserve="B"), "lay B2 across R", "2: object")
    assert told(events, Took) == []


def test_m12_only_words_are_judged_by_the_table() -> None:
    """Where a play lies is not a matter of opinion."""
    assert refusal(judged(TWO), "lay D3 across X").code == "touches_nothing"
    assert refusal(judged(TWO), "lay D1 across Q").code == "not_your_tiles"
    assert refusal(judged(TWO), "lay D1 across XY").code == "black_field"


def test_m8_a_column_is_told_in_the_reading_that_is_a_word() -> None:
    """TRO is on no list, but ORT is; of XT and TX the list knows neither."""
    lying = position("", letters=".....T", options=TABLE).board
    state = judged(("ROX", "A"), board=lying)
    for typed, word in {"lay A3 down RO": "ORT", "lay A3 across X": "TX"}.items():
        state_after, events = play(state, typed)
        assert told(events, Proposed)[0].words == (word,)
        pending = RUMMY.public(state_after).pending
        assert pending is not None
        assert [reading.way for reading in pending.runs[0].readings] == [Way.DOWN, Way.UP]


def test_m12_a_play_is_told_in_board_order_when_it_was_restored_while_it_was_judged() -> None:
    """A state that is written down has its maps sorted by their keys, which puts A10 before A9."""
    column = replace(TABLE, board="S....\n" + ".....\n" * 11)
    state = position("OORTT" * 4, "A", letters="", options=column)
    state = after(state, "lay A1 down TO", "2: accept", "2: pass", "lay A3 down ROTTORTO")
    restored = RUMMY.restore(pack(state))
    (laid,) = told(play(restored, "2: accept")[1], Laid)
    assert laid.fields == tuple(f"A{row}" for row in range(3, 11))
