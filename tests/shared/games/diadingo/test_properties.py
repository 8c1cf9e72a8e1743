"""What holds in every game, however it is played."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_shared.chance import Chance
from diadem_shared.game import pack
from diadem_shared.games.diadingo.board import DECK, FIXED, LOOSE, SPOTS, THEFT, THEFTS
from diadem_shared.games.diadingo.table import (
    Declined,
    Ended,
    Opened,
    Options,
    Stole,
    Tried,
    Turned,
    TurnPhase,
    Useless,
)
from tests.shared.games.diadingo.positions import GAME, Step, play_at_random
from tests.thoroughness import times

games = st.builds(
    lambda *given: list(play_at_random(*given)),
    st.integers(0, 2**64 - 1),
    st.sampled_from(GAME.seats),
    st.builds(
        Options,
        scoring=st.sampled_from(["plain", "professional"]),
        play=st.sampled_from(["memory", "marked"]),
    ),
)
a_few = settings(max_examples=times(40, 400), deadline=None)


@a_few
@given(games)
def test_42_diamonds_are_on_the_board_or_on_rings(game: list[Step]) -> None:
    """D-1, D-4, D-5."""
    for step in game:
        state = step.state
        assert len(state.board) + sum(len(hand.filled) for hand in state.hands) == len(SPOTS)


@a_few
@given(games)
def test_only_loose_diamonds_leave_the_board(game: list[Step]) -> None:
    """D-1, D-4."""
    first = game[0].state
    fixed = set(first.board) - set(first.loose)
    assert (len(first.loose), len(fixed)) == (LOOSE, FIXED)
    for step in game:
        assert set(step.state.board) - set(step.state.loose) == fixed
        assert set(step.state.proved) <= fixed


@a_few
@given(games)
def test_49_cards_are_in_the_deck_or_were_turned_up(game: list[Step]) -> None:
    """D-1, D-2."""
    turned = [event.card for step in game for event in step.told if isinstance(event, Turned)]
    assert Counter((*game[-1].state.deck, *turned)) == Counter(DECK)
    seen = 0
    for step in game:
        seen += sum(isinstance(event, Turned) for event in step.told)
        table = GAME.public(step.state)
        assert seen + table.deck == len(DECK)
        assert table.thefts_to_come == THEFTS - turned[:seen].count(THEFT)
        assert table.rings_to_come == table.deck - table.thefts_to_come


@a_few
@given(games)
def test_scores_are_what_the_events_add_up_to(game: list[Step]) -> None:
    """D-4, D-5, D-8, D-10, D-11."""
    last = GAME.public(game[-1].state)
    seats = range(len(last.hands))
    filled = [Counter[int]() for _ in seats]
    empty = [Counter[int]() for _ in seats]
    for event in (event for step in game for event in step.told):
        match event:
            case Tried(seat, _, value, loose):
                (filled if loose else empty)[seat][value] += 1
            case Stole(seat, victim, value):
                for mine, change in ((filled, 1), (empty, -1)):
                    mine[seat][value] += change
                    mine[victim][value] -= change
            case _:
                pass
    debts = last.options.scoring == "professional"
    outcome = GAME.outcome(last)
    assert outcome is not None
    for seat in seats:
        owed = sum(value * count for value, count in empty[seat].items()) if debts else 0
        worth = sum(value * count for value, count in filled[seat].items())
        assert outcome.scores[seat] == worth - owed
        assert outcome.tiebreaks[seat] == filled[seat].total()


@a_few
@given(games)
def test_turns_go_clockwise_but_to_the_robbed_after_a_theft(game: list[Step]) -> None:
    """D-4 to D-7, C-4."""
    seats = len(game[0].state.hands)
    expected = -1
    for event in (event for step in game for event in step.told):
        match event:
            case Opened(seat):
                expected = seat
            case Turned(seat) | Declined(seat) | Useless(seat):
                assert seat == expected
            case Tried(seat):
                assert seat == expected
                expected = (seat + 1) % seats
            case Stole(seat, victim):
                assert seat == expected
                expected = victim
            case _:
                pass


@a_few
@given(games)
def test_a_round_ends_by_cards_or_by_diamonds_and_at_no_other_time(game: list[Step]) -> None:
    """D-9."""
    for step in game[:-1]:
        assert step.state.phase is not TurnPhase.OVER
        assert len(step.state.board) > FIXED
    last = game[-1]
    by_diamonds = len(last.state.board) == FIXED
    fixed = tuple(spot for spot in last.state.board if spot not in last.state.loose)
    assert last.told[-1] == Ended("diamonds" if by_diamonds else "cards", fixed)
    assert GAME.public(last.state).marked == fixed
    assert by_diamonds or not last.state.deck


@a_few
@given(games, st.integers(0, 2**32))
def test_no_view_tells_resampled_states_apart(game: list[Step], seed: int) -> None:
    """D-1, D-12: and what was seen proved stays as it was."""
    chance = Chance(seed.to_bytes(8, "little"))
    for step in game:
        for viewer in (None, *range(len(step.state.hands))):
            other = GAME.resample(step.state, viewer, chance)
            assert pack(GAME.view(other, viewer)) == pack(GAME.view(step.state, viewer))
            assert other.proved == step.state.proved
            assert set(other.loose) <= set(other.board) - set(other.proved)
            assert len(other.loose) == len(step.state.loose)
            assert Counter(other.deck) == Counter(step.state.deck)


@a_few
@given(games)
def test_what_is_offered_is_allowed_and_nothing_is_offered_twice(game: list[Step]) -> None:
    for step in game:
        view = GAME.view(step.state, step.state.turn)
        offered = list(GAME.moves(view))
        assert len(set(offered)) == len(offered)
        assert [move for move in offered if GAME.explain(view, move) is not None] == []
        assert [move for move in offered if GAME.parse(GAME.notate(move)) != move] == []
        assert bool(offered) == bool(GAME.actors(view.public))
