"""What moves do to the table: D-1 and D-3 to D-11, clause by clause."""

from collections import Counter
from typing import Literal

import pytest

from diadem_shared.chance import Chance
from diadem_shared.game import Outcome, digest
from diadem_shared.games.diadingo.board import DECK, FIXED, LOOSE, SPOTS, THEFT
from diadem_shared.games.diadingo.table import (
    Declined,
    Ended,
    Hand,
    Opened,
    Options,
    State,
    Steal,
    Stole,
    Tried,
    Turned,
    TurnPhase,
    Useless,
)
from tests.shared.games.diadingo.positions import (
    FIXED_SPOTS,
    GAME,
    LOOSE_SPOTS,
    PAIR,
    PLAIN,
    PROFESSIONAL,
    over,
    play,
    position,
)


def dealt(seed: int, seats: int = 4) -> State:
    state, _ = GAME.start(PLAIN, seats, None, Chance(seed.to_bytes(2, "little")))
    return state


def test_diamonds_and_cards_are_shuffled_anew_each_round() -> None:
    """D-1."""
    states = [dealt(seed) for seed in range(20)]
    assert [
        state for state in states if not (state.board == SPOTS and len(state.loose) == LOOSE)
    ] == []
    assert len({state.loose for state in states}) == 20
    assert len({state.deck for state in states}) == 20


def test_every_spot_is_as_likely_loose_as_any_other() -> None:
    """D-1."""
    rounds = 400
    loose = Counter(spot for seed in range(rounds) for spot in dealt(seed).loose)
    expected = rounds * LOOSE / len(SPOTS)
    assert [spot for spot in SPOTS if abs(loose[spot] - expected) >= 0.2 * expected] == []


def test_the_first_player_is_random() -> None:
    """D-3."""
    assert {dealt(seed).turn for seed in range(60)} == {0, 1, 2, 3}


def test_the_first_player_is_random_in_every_round() -> None:
    """D-3: the game has its own way to find who begins, so C-1 names nobody."""
    starts = {GAME.start(PLAIN, 4, 2, Chance(bytes([seed])))[0].turn for seed in range(60)}
    assert starts == {0, 1, 2, 3}


def test_the_top_card_is_turned_up_when_a_turn_begins() -> None:
    """D-4."""
    state, told = GAME.start(PLAIN, 3, None, Chance(b"turn"))
    assert [happening.event for happening in told] == [
        Opened(state.turn),
        Turned(state.turn, state.card or THEFT),
    ]
    assert sorted(map(str, (*state.deck, state.card))) == sorted(map(str, DECK))


def test_a_loose_diamond_is_set_on_the_ring_just_turned_up() -> None:
    """D-4: never on an older one, whatever that is worth."""
    state, told = play(position(1000, Hand(empty=(6000,)), Hand()), "take A1")
    assert state.hands[0] == Hand(filled=(1000,), empty=(6000,))
    assert "A1" not in state.board
    assert told == [Tried(0, "A1", 1000, loose=True), Turned(1, 3000)]


def test_after_a_fixed_diamond_the_ring_stays_empty() -> None:
    """D-4."""
    fixed = FIXED_SPOTS[0]
    state, told = play(position(5000, Hand(filled=(1000,)), Hand()), f"take {fixed}")
    assert state.hands[0] == Hand(filled=(1000,), empty=(5000,))
    assert fixed in state.board
    assert told[0] == Tried(0, fixed, 5000, loose=False)


@pytest.mark.parametrize("spot", [LOOSE_SPOTS[0], FIXED_SPOTS[0]])
def test_one_try_and_the_next_player_turns_up(spot: str) -> None:
    """D-4, C-4."""
    state, told = play(position(1000, Hand(), Hand(), Hand(), turn=2), f"take {spot}")
    assert state.turn == 0
    assert told[-1] == Turned(0, 3000)


def test_a_thief_takes_a_diamond_for_an_empty_ring_of_the_same_value() -> None:
    """D-5."""
    thief, victim = Hand((1000,), (3000, 4000)), Hand((3000, 3000), (1000,))
    state, told = play(position(THEFT, thief, victim), "steal 3000 from 2")
    assert state.hands == (Hand((1000, 3000), (4000,)), Hand((3000,), (1000, 3000)))
    assert told[0] == Stole(0, 1, 3000)
    assert len(state.board) == len(SPOTS)


def test_the_thief_chooses_whom() -> None:
    """D-5."""
    state = position(
        THEFT, Hand(empty=(2000, 3000)), Hand((3000,)), Hand((2000, 3000)), Hand((6000,))
    )
    offered = {move for move in GAME.moves(GAME.view(state, 0)) if isinstance(move, Steal)}
    assert offered == {Steal(3000, 1), Steal(2000, 2), Steal(3000, 2)}


@pytest.mark.parametrize(
    "hands",
    [
        (Hand(), Hand((3000,))),
        (Hand(empty=(2000,)), Hand((3000,))),
        (Hand((3000,), (3000,)), Hand(empty=(3000,))),
    ],
    ids=["no empty ring", "no equal value", "only their own is set"],
)
def test_a_theft_without_a_pair_of_rings_is_put_aside(hands: tuple[Hand, Hand]) -> None:
    """D-5: and the same player turns up another card."""
    state, told = play(position(1000, *hands, deck=(4000, THEFT), turn=1), "take A1")
    assert told[1:] == [Turned(0, THEFT), Useless(0), Turned(0, 4000)]
    assert (state.turn, state.phase, state.card) == (0, TurnPhase.TAKE, 4000)


def test_who_declines_turns_up_another_card() -> None:
    """D-6."""
    state, told = play(position(THEFT, *PAIR), "decline")
    assert told == [Declined(0), Turned(0, 3000)]
    assert (state.turn, state.card, state.hands) == (0, 3000, PAIR)


def test_the_robbed_player_plays_next_and_then_clockwise() -> None:
    """D-7."""
    hands = (Hand(), Hand((3000,)), Hand(), Hand(empty=(3000,)))
    state, _ = play(position(THEFT, *hands, turn=3), "steal 3000 from 2")
    assert state.turn == 1
    state, _ = play(state, "take A1")
    assert state.turn == 2


def test_what_was_stolen_can_be_stolen_back() -> None:
    """D-8: the robbed ring is empty again, and a theft fills it."""
    state, _ = play(position(THEFT, *PAIR, deck=(1000, THEFT)), "steal 3000 from 2")
    assert (state.turn, state.phase) == (1, TurnPhase.STEAL)
    state, _ = play(state, "steal 3000 from 1")
    assert state.hands == PAIR


def test_no_try_fills_a_robbed_ring() -> None:
    """D-8."""
    state, _ = play(position(THEFT, *PAIR, deck=(1000, 3000)), "steal 3000 from 2")
    state, _ = play(state, "take A1")
    assert state.hands[1] == Hand(filled=(3000,), empty=(3000,))


def test_d9_the_round_ends_when_the_last_card_is_resolved() -> None:
    """D-9."""
    last = position(1000, Hand(), Hand(), deck=())
    assert GAME.outcome(GAME.public(last)) is None
    state, told = play(last, "take A1")
    assert told == [Tried(0, "A1", 1000, loose=True), Ended("cards", FIXED_SPOTS)]
    assert GAME.outcome(GAME.public(state)) == Outcome(scores=(1000, 0), tiebreaks=(1, 0))
    assert GAME.actors(GAME.public(state)) == ()


@pytest.mark.parametrize("move", ["decline", "steal 3000 from 2"])
def test_d9_a_theft_may_be_the_last_card(move: str) -> None:
    """D-9."""
    state, told = play(position(THEFT, *PAIR, deck=()), move)
    assert told[-1] == Ended("cards", FIXED_SPOTS)
    assert state.phase is TurnPhase.OVER


def test_d9_a_useless_theft_may_be_the_last_card() -> None:
    """D-9."""
    _, told = play(position(1000, Hand(), Hand(), deck=(THEFT,)), "take A1")
    assert told[1:] == [Turned(1, THEFT), Useless(1), Ended("cards", FIXED_SPOTS)]


def test_d9_the_round_ends_as_soon_as_only_the_fixed_diamonds_are_left() -> None:
    """D-9: whatever cards are left."""
    state, told = play(position(1000, Hand(), Hand(), loose=("A1",)), "take A1")
    assert told == [Tried(0, "A1", 1000, loose=True), Ended("diamonds", FIXED_SPOTS)]
    assert len(state.board) == FIXED
    assert state.deck


def test_d9_the_round_goes_on_while_a_loose_diamond_and_a_card_are_left() -> None:
    state, told = play(position(1000, Hand(), Hand(), loose=("A1", "A2")), "take A1")
    assert (len(state.board), state.phase) == (FIXED + 1, TurnPhase.TAKE)
    assert told == [Tried(0, "A1", 1000, loose=True), Turned(1, 3000)]


def test_d9_the_last_diamond_with_the_last_card_ends_it_once() -> None:
    state, told = play(position(1000, Hand(), Hand(), deck=(), loose=("A1",)), "take A1")
    assert told == [Tried(0, "A1", 1000, loose=True), Ended("diamonds", FIXED_SPOTS)]
    assert state.phase is TurnPhase.OVER


@pytest.mark.parametrize("move", ["decline", "steal 3000 from 2"])
@pytest.mark.parametrize("play_", ["memory", "marked"])
def test_d9_fixed_diamonds_are_shown_once_the_round_is_over_and_not_before(
    move: str, play_: Literal["memory", "marked"]
) -> None:
    """D-12 ends with the round."""
    before = position(
        THEFT, *PAIR, deck=(), options=Options(play=play_), loose=("A1", "C4"), proved=()
    )
    assert GAME.public(before).marked == ()
    state, told = play(before, move)
    assert GAME.public(state).marked == FIXED_SPOTS
    assert told[-1] == Ended("cards", FIXED_SPOTS)


def test_d9_under_version_1_of_the_rules_nobody_is_told_what_was_fixed() -> None:
    first = GAME.under(1)
    before = position(THEFT, *PAIR, deck=(), proved=FIXED_SPOTS[:1])
    state, told = first.play(before, 0, first.parse("decline"), Chance(b"unused"))
    assert first.public(state).marked == ()
    assert told[-1].event == Ended("cards")


HANDS = (Hand((3000, 5000), (6000,)), Hand((1000,), (1000, 2000)), Hand())


def test_plain_scoring_counts_set_rings() -> None:
    """D-10."""
    outcome = GAME.outcome(over(*HANDS))
    assert outcome is not None
    assert outcome.scores == (8000, 1000, 0)


def test_professional_scoring_counts_empty_rings_against_their_player() -> None:
    """D-10: totals may be below zero."""
    outcome = GAME.outcome(over(*HANDS, options=PROFESSIONAL))
    assert outcome is not None
    assert outcome.scores == (2000, -2000, 0)


def test_a_robbed_ring_counts_negative_too() -> None:
    """D-10: whichever way it came to be empty."""
    robbed, _ = play(position(THEFT, *PAIR, deck=(), options=PROFESSIONAL), "steal 3000 from 2")
    outcome = GAME.outcome(GAME.public(robbed))
    assert outcome is not None
    assert outcome.scores == (3000, -3000)


def test_most_dollars_win() -> None:
    """D-11."""
    outcome = GAME.outcome(over(Hand((1000,) * 5), Hand((6000,))))
    assert outcome is not None
    assert outcome.winners == (1,)


def test_of_equal_dollars_more_set_rings_win() -> None:
    """D-11."""
    outcome = GAME.outcome(over(Hand((3000,)), Hand((1000, 2000)), Hand((3000,))))
    assert outcome is not None
    assert outcome.winners == (1,)


def test_equal_dollars_and_equal_rings_share() -> None:
    """D-11, C-3."""
    outcome = GAME.outcome(over(Hand((1000, 4000)), Hand(), Hand((2000, 3000))))
    assert outcome is not None
    assert outcome.winners == (0, 2)


def test_nothing_is_kept_of_how_a_hand_came_about() -> None:
    """Two rings of one value before one player are alike in every rule, so the state is too."""
    one, _ = play(position(2000, Hand((1000,)), Hand()), "take A1")
    other, _ = play(position(1000, Hand((2000,)), Hand()), "take A1")
    assert digest(one) == digest(other)
