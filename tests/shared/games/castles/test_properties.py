"""What holds in every state of castles that play can reach."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_shared.games.castles.editions import PARTS, colour_of, in_order
from diadem_shared.games.castles.rules import owed
from diadem_shared.games.castles.table import State, TurnPhase
from tests.rig.walk import options_for, walk
from tests.shared.games.castles.positions import Diamoniak, Piratatak, all_cards
from tests.thoroughness import times

games = st.sampled_from([Diamoniak, Piratatak])
seeds = st.binary(min_size=4, max_size=4)


@pytest.mark.slow
@settings(max_examples=times(30, 1000))
@given(game=games, seats=st.sampled_from(Diamoniak.seats), seed=seeds)
def test_along_every_round(game, seats, seed):  # type: ignore[no-untyped-def]
    everything = in_order(game.edition.deck())
    for step in walk(game, options_for(game, 0), seats, seed):
        state = step.after
        assert all_cards(state) == everything, "no card comes or goes"
        _castles_are_sound(state)
        _phase_is_sound(state)
        if state.turn != step.before.turn:
            assert state.turn == (step.before.turn + 1) % seats, "C-4"


def _castles_are_sound(state: State) -> None:
    colours = [holding.builds for holding in state.holdings if holding.builds]
    assert len(colours) == len(set(colours)), "K-4: nobody builds what another builds"
    for holding in state.holdings:
        assert {colour_of(card) for card in holding.castle} <= {holding.builds}
        assert holding.spare(holding.builds) == (), (
            "K-5, K-14: a player's own colour is in the castle"
        )
        assert "danger" not in holding.cards, "K-15: dangers never stay with players"
    complete = [holding for holding in state.holdings if len(holding.castle) == PARTS]
    assert bool(complete) == (state.phase is TurnPhase.OVER), "K-16"


def _phase_is_sound(state: State) -> None:
    mover = state.holdings[state.turn]
    assert (state.phase is TurnPhase.OPEN) <= (state.drawn == ())
    if state.phase is TurnPhase.DANGER:
        assert state.drawn[-1] == state.aside[-1] == "danger"
        assert owed(mover) == 3 or mover.shielded, "K-9: no question without a choice"
