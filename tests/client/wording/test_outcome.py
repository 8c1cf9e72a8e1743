"""Why somebody has won: by how much, by which rule, or that nobody is better."""

from msgspec.structs import replace

from diadem_client.state.client_state import TableState
from diadem_client.wording.outcome import what_next, who_won, why
from diadem_shared.entries import Sat, Setup, Started
from diadem_shared.game import Outcome
from diadem_shared.games.castles.table import Holding, TurnPhase
from diadem_shared.match import Phase
from tests.client.ui.screens.staged import Sitting

WON = Outcome((1, 0), (0, 0))


def ended(game: str, *rounds: Outcome, over: bool = True) -> TableState:
    """Ana and Bob, after rounds with these outcomes."""
    sitting = Sitting(Setup(game, rounds=max(1, len(rounds))))
    table = sitting.enter(Sat("Ana"), Sat("Bob"), Started()).table
    assert table is not None
    phase = Phase.OVER if over else Phase.BETWEEN
    return replace(table, public=replace(table.public, phase=phase, rounds=rounds, actors=()))


def test_a_margin_is_told() -> None:
    table = ended("diadingo", Outcome((7000, 4000), (2, 1)), Outcome((1000, 3000), (1, 1)))
    assert who_won(table) == "You have won!"
    assert list(why(table)) == ["8 000 dollars, 1 000 before Bob, in 2 rounds."]


def test_d_11_equal_dollars_are_decided_by_set_rings() -> None:
    table = ended("diadingo", Outcome((6000, 6000), (2, 3)))
    assert who_won(table) == "Bob has won!"
    assert list(why(table)) == [
        "6 000 dollars",
        "Equal dollars: more set rings decide, 3 to 2 (D-11).",
    ]


def test_m_24_a_blocked_round_goes_to_the_smaller_hand() -> None:
    table = ended("diamino-rummy", Outcome((0, 0), (-7, -12)))
    assert who_won(table) == "You have won!"
    assert list(why(table)) == ["Equal points: the smaller hand ranks first, 7 to 12 (M-24)."]


def test_m_23_who_goes_out_wins_even_for_nothing() -> None:
    table = ended("diamino-rummy", Outcome((0, 0), (0, 1)))
    assert list(why(table)) == ["Equal points: who went out wins (M-23)."]


def test_c_3_who_is_equal_in_everything_shares() -> None:
    table = ended("diadingo", Outcome((6000, 6000), (2, 2)))
    assert who_won(table) == "Ana, Bob share the win!"
    assert list(why(table)) == ["They are equal in everything, and share it (C-3)."]


def test_a_single_castle_is_no_sum() -> None:
    assert list(why(ended("diamoniak", Outcome((1, 0), (0, 0))))) == []


def test_c_5_a_castle_that_is_not_whole_won_a_round_that_was_stopped() -> None:
    sitting = Sitting(Setup("diamoniak"))
    table = sitting.enter(Sat("Ana"), Sat("Bob"), Started()).table
    assert table is not None
    assert table.view is not None
    public = table.view.public
    over = replace(
        public,
        phase=TurnPhase.OVER,
        holdings=(Holding(("blue1", "blue2")), Holding(("pink1",))),
    )
    ended = replace(table, view=replace(table.view, public=over))
    ended = replace(ended, public=replace(ended.public, phase=Phase.OVER, rounds=(WON,)))
    assert list(why(ended)) == ["The round was stopped: the most parts built win (C-5)."]


def test_nothing_is_said_of_a_match_without_rounds() -> None:
    table = ended("diamoniak")
    assert "counts for nobody" in who_won(table)
    assert list(why(table)) == []


def test_what_comes_next_is_said() -> None:
    outcome = Outcome((1, 0), (0, 0))
    assert "Press g" in what_next(ended("diamoniak", outcome))
    assert "Press r" in what_next(ended("diamoniak", outcome, over=False))
