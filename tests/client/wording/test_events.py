"""One sentence on each event: who reads it is "you", and what goes without saying is left out."""

import pytest

from diadem_client.wording.events import scores, tell
from diadem_shared.entries import Moved, Sat
from diadem_shared.game import Outcome
from diadem_shared.games.castles.table import Drew, Stopped
from diadem_shared.match_events import MatchOver, RoundOver

NAMES = ("Ana", "Bob")
END = Outcome((3, 1), (0, 0))


def test_whoever_reads_of_themselves_is_called_you() -> None:
    won = MatchOver(END, (0,))
    assert tell("diamoniak", won, NAMES) == "Ana has won: Ana 3, Bob 1."
    assert tell("diamoniak", won, NAMES, 1) == "Ana has won: Ana 3, Bob 1."
    assert tell("diamoniak", won, NAMES, 0) == "You have won: Ana 3, Bob 1."


def test_a_round_and_a_shared_win_name_the_points() -> None:
    assert tell("diamoniak", RoundOver(END), NAMES) == "The round is over: Ana 3, Bob 1."
    shared = MatchOver(Outcome((2, 2), (0, 0)), (0, 1))
    assert tell("diamoniak", shared, NAMES, 0) == "Ana, Bob share the win: Ana 2, Bob 2."


def test_a_games_own_events_are_told_by_the_game() -> None:
    sentence = tell("diamoniak", Drew(0, "currency"), NAMES)
    assert sentence is not None
    assert "Ana" in sentence
    assert tell("diamoniak", Drew(0, "currency"), NAMES, 0) != sentence


def test_what_happens_around_a_game_is_told_for_every_game() -> None:
    assert tell("diadingo", Sat("Cem"), NAMES) == "Cem sits down."


def test_what_goes_without_saying_is_not_said() -> None:
    assert tell("diamoniak", Moved(0, "draw"), NAMES) is None


def test_points_need_a_name_each() -> None:
    assert scores(END, NAMES) == "Ana 3, Bob 1"
    with pytest.raises(ValueError, match="argument"):
        scores(END, ("Ana",))


def test_somebody_who_has_left_meanwhile_is_told_of_all_the_same() -> None:
    assert tell("diamoniak", Stopped(7), NAMES)
