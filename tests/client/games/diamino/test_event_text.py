"""Every event of Diamino has a sentence."""

from typing import get_args

import pytest

from diadem_client.wording.events import tell
from diadem_shared.games.diamino.play import Direction, parse_play
from diadem_shared.games.diamino.table import (
    Cause,
    DiaminoEvent,
    Ended,
    Laid,
    Opened,
    Passed,
    Proposed,
    PutBack,
    TakenBack,
    Took,
    Voted,
)
from diadem_shared.games.diamino.verdict import Reading, Run, Way

PLAY = parse_play("lay C8 across EIS")


def laid(
    *words: str,
    greens: int = 0,
    reds: int = 0,
    black: bool = False,
    points: tuple[int, int] = (0, 0),
) -> Laid:
    runs = tuple(Run("C8", Direction.ACROSS, word, (Reading(word, Way.ACROSS),)) for word in words)
    return Laid(0, PLAY, words, greens, reds, black, points, runs=runs)


UP = Run("C8", Direction.DOWN, "SIE", (Reading("EIS", Way.UP),))


SENTENCES: dict[DiaminoEvent, str] = {
    Opened((((0, "B"), (1, "C")),), 0): "Drawn for the start: Ana B, Bob C. Ana begins.",
    Opened((((0, "*"), (1, "A")), ((0, "C"), (1, "B"))), 1): (
        "Drawn for the start: Ana *, Bob A. Drawn for the start: Ana C, Bob B. Bob begins."
    ),
    Proposed(0, PLAY, ("EIS",), (UP,)): "Ana proposes EIS (C10 up).",
    Voted(1, accepts=True, silent=True): "Bob says nothing, and so accepts.",
    Voted(1, accepts=True): "Bob accepts.",
    Voted(1, accepts=False): "Bob objects.",
    TakenBack(0, again=True, words=("EIS", "ES"), against=2, voters=3): (
        "Refused, 2 of 3 against: EIS, ES. Ana may try once more."
    ),
    TakenBack(0, again=False, words=("EIS",), against=1, voters=1): (
        "Refused, 1 of 1 against: EIS. Ana loses the turn."
    ),
    laid("EIS"): "Ana lays EIS (C8 across).",
    laid("EIS", "ES"): "Ana lays EIS (C8 across), ES.",
    laid("EIS", greens=1): "Ana lays EIS (C8 across). Covered: 1 green devil.",
    laid("EIS", greens=2, reds=1, points=(10, 10)): (
        "Ana lays EIS (C8 across). Covered: 2 green devils, 1 red devil. Points: Ana +10, Bob +10."
    ),
    laid("EIS", reds=2, points=(20, 0)): (
        "Ana lays EIS (C8 across). Covered: 2 red devils. Points: Ana +20."
    ),
    laid("EIS", black=True): "Ana lays EIS (C8 across). Covered: a black field.",
    Took(0, 1): "Ana takes 1 tile from the reserve.",
    Took(0, 3): "Ana takes 3 tiles from the reserve.",
    Took(0, 2, "AX"): "Ana takes 2 tiles from the reserve: AX.",
    PutBack(0, 1): "Ana puts 1 tile back.",
    PutBack(0, 2, "*E"): "Ana puts 2 tiles back: *E.",
    PutBack(0, 3, why=Cause.EXCHANGE): "Ana exchanges 3 tiles.",
    Passed(0): "Ana passes.",
    Ended(0, doubled=False, hands=("", "QX")): "Ana is out! Left over: Bob QX.",
    Ended(1, doubled=True, hands=("E", "")): (
        "Bob is out, with the last tile on black! Left over: Ana E."
    ),
    Ended(None, doubled=False, hands=("E", "QX")): (
        "Nothing goes any more. Left over: Ana E, Bob QX."
    ),
}


@pytest.mark.parametrize("game", ["diamino-rummy", "diamino-bonus"])
def test_an_event_is_told(game: str) -> None:
    told = {event: tell(game, event, ["Ana", "Bob"]) for event in SENTENCES}
    assert {event: said for event, said in told.items() if said != SENTENCES[event]} == {}


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            Opened((((0, "B"), (1, "C")),), 0),
            "Drawn for the start: you B, Bob C. You begin.",
        ),
        (
            laid("EIS", greens=1, points=(5, 5)),
            "You lay EIS (C8 across). Covered: 1 green devil. Points: you +5, Bob +5.",
        ),
        (
            Ended(1, doubled=False, hands=("E", "QX")),
            "Bob is out! Left over: you E, Bob QX.",
        ),
    ],
)
def test_readers_stand_in_lists_as_you(event: DiaminoEvent, told: str) -> None:
    assert tell("diamino-bonus", event, ["Ana", "Bob"], 0) == told


def test_what_comes_into_a_hand_is_told_to_its_player_alone() -> None:
    told = "You take 2 tiles from the reserve: AX."
    for why in (Cause.REFILL, Cause.GREEN, Cause.EXCHANGE):
        assert tell("diamino-bonus", Took(0, 2, why=why), ["Ana", "Bob"]) is None
        assert tell("diamino-bonus", Took(0, 2, "AX", why), ["Ana", "Bob"], 0) == told


def test_a_play_that_was_not_judged_in_time_is_told_so() -> None:
    voted = Voted(1, accepts=True, silent=True)
    assert tell("diamino-bonus", voted, ["Ana", "Bob"], 1) == "You say nothing, and so accept."


def test_every_event_is_told() -> None:
    assert {type(event) for event in SENTENCES} == {*get_args(DiaminoEvent)}
