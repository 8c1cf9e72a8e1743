"""A whole match of Diadingo around its rounds."""

from itertools import pairwise

from diadem_shared.entries import Setup, Started
from diadem_shared.games import GAMES
from diadem_shared.match import Match, Phase, add_up
from diadem_shared.playout import play_out

SETUP = Setup("diadingo", rounds=6)


def dealt_and_last(seats: int, seed: int) -> tuple[list[Match], Match]:
    """The match as each of its rounds was dealt, and as it ended."""
    steps = list(play_out(SETUP, ["zombie"] * seats, bytes([seed])))
    return [step.match for step in steps if isinstance(step.entry, Started)], steps[-1].match


def test_it_is_registered_for_2_to_8_players() -> None:
    assert GAMES["diadingo"].seats == range(2, 9)


def test_dollars_add_up_over_the_rounds() -> None:
    """D-11, C-1."""
    for seats in (2, 8):
        _, last = dealt_and_last(seats, 1)
        assert last.phase is Phase.OVER
        assert len(last.rounds) == SETUP.rounds
        assert last.totals == add_up(last.rounds, seats)


def test_every_round_is_opened_by_whom_chance_names() -> None:
    """D-3: not by the next seat, as C-1 has it where a game has no way of its own."""
    openers = [match.opener or 0 for match in dealt_and_last(4, 3)[0]]
    assert any(after != (before + 1) % 4 for before, after in pairwise(openers))


def test_every_round_hides_its_diamonds_anew() -> None:
    """D-1."""
    dealt, _ = dealt_and_last(3, 2)
    assert len({match.state.loose for match in dealt}) == SETUP.rounds
