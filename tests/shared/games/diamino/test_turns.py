"""Exchanging, passing and blocked rounds: M-13, M-14, M-17."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.games.diamino.game import Diamino
from diadem_shared.games.diamino.play import Direction
from diadem_shared.games.diamino.table import (
    Cause,
    Ended,
    Laid,
    Passed,
    Proposed,
    PutBack,
    Took,
    TurnPhase,
)
from diadem_shared.games.diamino.verdict import Reading, Run, Way
from tests.cases import cases
from tests.shared.games.diamino.positions import (
    BOTH,
    DICTIONARY,
    RUMMY,
    TABLE,
    after,
    all_tiles,
    play,
    position,
    refusal,
    told,
)

EX = Cause.EXCHANGE
both_rules = cases("game", BOTH, ids=lambda game: game.name)


@both_rules
def test_m13_tiles_are_exchanged_with_the_reserve(game: Diamino) -> None:
    before = position("AEX", "B", reserve="QQQ")
    state, events = play(before, "exchange AX", game=game)
    assert (state.hands, state.reserve, state.turn) == (("EQQ", "B"), "AQX", 1)
    assert events == [Took(0, 2, "QQ", EX), PutBack(0, 2, "AX", EX)]
    assert all_tiles(state) == all_tiles(before)


def test_m13_he_takes_first_so_none_of_his_own_comes_back() -> None:
    for seed in range(30):
        state, _ = play(position("ABC", "D", reserve="XYZ"), "exchange ABC", seed=bytes([seed]))
        assert (state.hands[0], state.reserve) == ("XYZ", "ABC")


def test_m13_what_is_taken_is_chance() -> None:
    hands = {
        play(position("A", "D", reserve="XYZ"), "exchange A", seed=bytes([seed]))[0].hands[0]
        for seed in range(40)
    }
    assert hands == {"X", "Y", "Z"}


def test_m13_what_was_returned_is_in_the_reserve_again() -> None:
    """Mixed: the next to exchange may get it as well as anything else."""
    state = after(position("A", "D", reserve="X"), "exchange A")
    assert after(state, "exchange D").hands == ("X", "A")


def test_m13_a_joker_may_be_exchanged() -> None:
    assert after(position("*A", "D", reserve="X"), "exchange *").hands[0] == "AX"


def test_m13_no_more_than_the_reserve_holds() -> None:
    state = position("ABC", "D", reserve="XY")
    refused = refusal(state, "exchange ABC")
    assert (refused.code, refused.about) == ("reserve_too_small", {"reserve": 2})
    assert after(state, "exchange AB").turn == 1
    empty = position("ABC", "D")
    assert refusal(empty, "exchange A").code == "reserve_too_small"


def test_m13_he_says_himself_that_he_cannot_lay() -> None:
    """TORE could be laid; nothing says so."""
    assert after(position("E", "D", reserve="X"), "exchange E").turn == 1


def test_m13_all_that_may_be_exchanged_is_offered() -> None:
    state = position("AAB", "D", reserve="XY")
    offered = {RUMMY.notate(move) for move in RUMMY.moves(RUMMY.view(state, 0))}
    assert {text for text in offered if text.startswith("exchange")} == {
        "exchange A",
        "exchange B",
        "exchange AA",
        "exchange AB",
    }


def test_m18_only_who_exchanges_is_told_what() -> None:
    state = position("AEX", "B", reserve="Q")
    _, happenings = RUMMY.play(state, 0, RUMMY.parse("exchange X"), Chance(b"told"))
    for viewer in (1, None):
        assert [each.told(viewer) for each in happenings] == [
            Took(0, 1, why=EX),
            PutBack(0, 1, why=EX),
        ]
    assert [each.told(0) for each in happenings] == [Took(0, 1, "Q", EX), PutBack(0, 1, "X", EX)]


@both_rules
def test_m14_passing_is_always_allowed(game: Diamino) -> None:
    state, events = play(position("E", "A", reserve="B"), "pass", game=game)
    assert (events, state.turn) == ([Passed(0)], 1)
    assert after(position("E", "A", letters=""), "pass", game=game).turn == 1


@both_rules
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_m17_two_rounds_of_passes_end_it(game: Diamino, seats: int) -> None:
    state = position(*"ABCD"[:seats], reserve="EE")
    public = game.public(state)
    assert (public.most_passes, public.most_idle) == (2 * seats, 3 * seats)
    for _ in range(2 * seats - 1):
        state = after(state, "pass", game=game)
        assert state.phase is TurnPhase.PLAY
    state, events = play(state, "pass", game=game)
    assert state.phase is TurnPhase.OVER
    assert told(events, Ended) == [Ended(None, doubled=False, hands=tuple("ABCD"[:seats]))]


def test_m17_an_exchange_breaks_a_round_of_passes() -> None:
    state = after(position("A", "B", reserve="EE"), "pass", "pass", "pass", "exchange B")
    assert (state.phase, state.passes, state.idle) == (TurnPhase.PLAY, 0, 4)
    assert after(state, "pass").phase is TurnPhase.PLAY


@pytest.mark.parametrize("seats", [2, 3])
def test_m17_three_rounds_with_nothing_laid_end_it(seats: int) -> None:
    state = position(*"ABC"[:seats], reserve="EEEEEE")
    for _ in range(3 * seats - 1):
        state = after(state, f"exchange {state.hands[state.turn]}")
        assert state.phase is TurnPhase.PLAY
    assert after(state, f"exchange {state.hands[state.turn]}").phase is TurnPhase.OVER


@both_rules
def test_m17_under_version_1_of_the_rules_half_as_much_ended_it(game: Diamino) -> None:
    """One round of passes, or two with nothing laid: matches of that time are played on so."""
    game = game.under(1)
    state = after(position("A", "B", reserve="EE"), "pass", game=game)
    assert (game.public(state).most_passes, game.public(state).most_idle) == (UNSET, UNSET)
    assert after(state, "pass", game=game).phase is TurnPhase.OVER
    exchanged = after(state, "exchange B", "pass", game=game)
    assert exchanged.phase is TurnPhase.PLAY
    assert after(exchanged, "exchange E", game=game).phase is TurnPhase.OVER


def test_m17_a_play_begins_the_count_anew() -> None:
    state = after(position("A", "EX", reserve="QQQQ"), "pass", "lay D1 across E", "pass")
    assert (state.phase, state.passes, state.idle) == (TurnPhase.PLAY, 1, 1)
    state = position("A", "EX", reserve="QQQQ")
    moves = ["exchange A", "pass", "exchange Q", "lay D1 across E"]
    state = after(state, *moves)
    assert (state.phase, state.passes, state.idle) == (TurnPhase.PLAY, 0, 0)


def test_m17_keeping_tiles_is_no_pass() -> None:
    state = after(position("A", "EX", reserve="Q"), "pass", "lay C2 across E", "keep", "pass")
    assert state.phase is TurnPhase.PLAY


def test_m8_what_is_laid_is_told_with_its_fields_and_the_way_it_reads() -> None:
    _, events = play(position("ROX", "B"), "lay A2 down RO")
    (laid,) = told(events, Laid)
    assert (laid.words, laid.fields) == (("ort",), ("A2", "A3"))
    assert laid.runs == (Run("A1", Direction.DOWN, "TRO", (Reading("ORT", Way.UP),)),)


def test_m9_words_are_told_as_the_list_writes_them() -> None:
    german = replace(DICTIONARY, word_list="")
    _, events = play(position("DEMUX", "B", letters="", options=german), "lay A1 across MUDE")
    assert told(events, Laid)[0].words == ("müde",)
    _, events = play(position("AEMSSX", "B", letters="", options=german), "lay A1 down MASSE")
    assert told(events, Laid)[0].words == ("Masse/Maße/mäße",)


def test_m11_what_the_players_judge_is_told_in_capitals() -> None:
    """Before they have judged, nothing shows whether a list has it; nor afterwards"""
    german = replace(TABLE, word_list="")
    state = position("DEMUX", "B", letters="", options=german)
    _, events = play(state, "lay A1 across MUDE", "2: accept")
    assert told(events, Proposed)[0].words == told(events, Laid)[0].words == ("MUDE",)
