"""Going out in Rummy, with a play or the one after it, against all moves that there are."""

from collections.abc import Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.games.diamino.bots.blocking import hindering
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.choices import Candidate
from diadem_shared.games.diamino.bots.give_back import Gifts
from diadem_shared.games.diamino.bots.going_out import (
    can_go_out,
    finishing,
    lines_to_go_out,
    most_laid,
    words_with_all,
)
from diadem_shared.games.diamino.bots.player import WIDE, DiaminoBot
from diadem_shared.games.diamino.bots.rollout_policy import Quick
from diadem_shared.games.diamino.table import Give, Lay, Move, State, TurnPhase
from diadem_shared.games.diamino.terms import Terms
from diadem_shared.games.diamino.tiles import without
from diadem_shared.games.diamino.words import finder_of, list_of
from tests.shared.games.diamino.positions import RUMMY, position

pytestmark = pytest.mark.slow

LONGEST_HAND = 7
"""Of more tiles there are too many plays to make each."""
WIDELY = replace(WIDE, slots=30, orders=6)


@cache
def positions() -> tuple[State, ...]:
    """States of rounds in which somebody with few tiles is to lay."""
    return tuple(state for key in (b"1", b"2", b"3", b"4") for state in _round(key))


def _round(key: bytes) -> Iterator[State]:
    state, _ = RUMMY.start(RUMMY.read_options({}), 3, None, Chance(key))
    player, chance = Quick(RUMMY.rules, Chance(key, "quick")), Chance(key, "moves")
    while state.phase is not TurnPhase.OVER:
        if state.phase is TurnPhase.PLAY and len(state.hands[state.turn]) <= LONGEST_HAND:
            yield state
        state, _ = RUMMY.carry_out(state, state.turn, player.move(state), chance)


def plays(state: State) -> Iterator[Lay]:
    found = finder_of(state.options).find(state.board, state.hands[state.turn], terms_of(state))
    yield from map(Lay, found)


def after(state: State, move: Move) -> State:
    return RUMMY.carry_out(state, state.turn, move, Chance(b"after"))[0]


def tiles_gone(state: State, move: Lay) -> int:
    """By how many its hand is smaller once as many are given back as may be."""
    seat, then = state.turn, after(state, move)
    owed = then.owed if then.phase is TurnPhase.GIVE and then.turn == seat else 0
    return len(state.hands[seat]) - len(then.hands[seat]) + min(owed, len(then.hands[seat]))


def goes_out(state: State, move: Lay) -> bool:
    return tiles_gone(state, move) == len(state.hands[state.turn])


def terms_of(state: State) -> Terms:
    return Terms(RUMMY.rules, len(state.reserve))


def to_move(state: State, hand: str) -> State:
    """As if the same player were to lay once more."""
    return replace(
        state,
        hands=tuple(hand if seat == state.turn else each for seat, each in enumerate(state.hands)),
        phase=TurnPhase.PLAY,
        owed=0,
    )


def choices(state: State) -> list[tuple[float, Candidate]]:
    view = RUMMY.view(state, state.turn)
    return DiaminoBot(Chance(b"mind"), WIDELY).choices(view, 60)


def test_there_are_positions_of_either_kind() -> None:
    out = [any(goes_out(state, move) for move in plays(state)) for state in positions()]
    assert sum(out) >= 3
    assert out.count(False) >= 3


def test_whether_one_can_go_out_is_known() -> None:
    """M-21 to M-23."""
    for state in positions():
        hand, finder = state.hands[state.turn], finder_of(state.options)
        expected = any(goes_out(state, move) for move in plays(state))
        assert can_go_out(state.board, hand, terms_of(state), finder) == expected
        ((_, lines),) = lines_to_go_out(
            state.board, [hand], len(hand), terms_of(state), finder.index
        )
        assert bool(lines) == expected


def test_how_many_tiles_a_play_gets_rid_of_is_known() -> None:
    """M-20, M-21."""
    for state in positions():
        hand, finder = state.hands[state.turn], finder_of(state.options)
        gone = max((tiles_gone(state, move) for move in plays(state)), default=0)
        assert most_laid(state.board, [hand], terms_of(state), finder) == [max(0, gone)]


def test_after_a_finishing_play_one_can_go_out() -> None:
    found = 0
    for state in positions():
        hand, finder = state.hands[state.turn], finder_of(state.options)
        for finish in finishing(state.board, hand, terms_of(state), finder.index, choices(state)):
            then = after(state, Lay(finish.choice.play))
            left = then.hands[state.turn]
            assert finish.choice.left == left
            owed = then.owed if then.turn == state.turn else 0
            kept = {without(left, gift) for gift in _gifts(left, owed)}
            terms = Terms(RUMMY.rules, len(then.reserve) + owed)
            assert any(can_go_out(then.board, each, terms, finder) for each in kept)
            found += 1
    assert found > 20


def _gifts(hand: str, owed: int) -> set[str]:
    return (
        {""}
        if not owed
        else {tile + rest for tile in hand for rest in _gifts(without(hand, tile), owed - 1)}
    )


def test_what_is_given_back_leaves_what_can_be_laid_at_once() -> None:
    """M-21."""
    found = 0
    for state in positions():
        now = Situation(RUMMY.view(state, state.turn))
        finder, hand = now.finder, now.hand
        after_one = Terms(RUMMY.rules, len(state.reserve) + 1)
        outs = {
            tile: can_go_out(state.board, without(hand, tile), after_one, finder)
            for tile in hand
            if len(hand) > 1
        }
        best = Gifts(now).best(state.board, hand, 1, len(state.reserve))
        if any(outs.values()) and not all(outs.values()):
            assert best is not None
            assert outs[best.tiles]
            found += 1
    assert found


def test_what_reds_take_back_need_not_be_laid() -> None:
    """M-21: E below R covers a red, which the other tile goes back for."""
    for other, expected in (("X", True), ("", True), ("XX", False)):
        state = position("E" + other, "N")
        hand, finder = state.hands[0], finder_of(state.options)
        assert can_go_out(state.board, hand, terms_of(state), finder) == expected
        assert most_laid(state.board, [hand], terms_of(state), finder) == [min(2, len(hand))]


def test_a_gift_may_leave_the_last_tile_for_a_black_field() -> None:
    """M-22: TORE can become TOREN; with T nothing can be done, though it is in more words."""
    state = position("NT", "E", letters="TORE")
    now = Situation(RUMMY.view(state, 0))
    assert Gifts(now).best(state.board, "NT", 1, 0) == Give("T")


def test_words_with_all_of_a_hand_are_counted() -> None:
    state = positions()[0]
    index, words = finder_of(state.options).index, list_of(state.options)
    for hand in ("ERBSCHAFE", "SPIELEN*", "XYQXYQ"):
        letters = hand.replace("*", "")
        expected = 0
        for length in range(len(hand) + 1, len(hand) + 4):
            packed = words.packed(length).decode()
            each = (packed[at : at + length] for at in range(0, len(packed), length))
            expected += sum(
                all(word.count(x) >= letters.count(x) for x in letters) for word in each
            )
        assert words_with_all(hand, index) == expected


def test_a_hindered_hand_has_none_of_its_places_left() -> None:
    found = 0
    for state in positions():
        finder = finder_of(state.options)
        other = (state.turn + 1) % len(state.hands)
        hand = state.hands[state.turn]
        threat = to_move(replace(state, turn=other), hand)
        before = [move for move in plays(threat) if goes_out(threat, move)]
        hinders = hindering(state.board, [hand], terms_of(state), finder, choices(state))
        for taken, _, choice in hinders[:3]:
            assert taken == 1
            then = after(state, Lay(choice.play))
            view = RUMMY.view(to_move(replace(then, turn=other), hand), other)
            still = (move for move in before if RUMMY.explain(view, move) is None)
            assert not any(still)
            found += 1
    assert found


def test_a_hand_that_cannot_go_out_needs_no_hindering() -> None:
    for state in positions():
        finder = finder_of(state.options)
        hinders = hindering(state.board, ["QXYQXY"], terms_of(state), finder, choices(state))
        assert hinders == []
