"""Every event of Diamino has a sentence."""

from typing import get_args

import pytest

from diadem.games.diamino.play import parse_play
from diadem.games.diamino.table import (
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
from diadem_client.wording.events import tell

PLAY = parse_play("lay C8 across EIS")


def laid(
    *words: str,
    greens: int = 0,
    reds: int = 0,
    black: bool = False,
    points: tuple[int, int] = (0, 0),
) -> Laid:
    return Laid(0, PLAY, words, greens, reds, black, points)


SENTENCES: dict[DiaminoEvent, str] = {
    Opened((((0, "B"), (1, "C")),), 0): "Drawn for the start: Ana B, Bob C. Ana begins.",
    Opened((((0, "*"), (1, "A")), ((0, "C"), (1, "B"))), 1): (
        "Drawn for the start: Ana *, Bob A. Drawn for the start: Ana C, Bob B. Bob begins."
    ),
    Proposed(0, PLAY, ("EIS",)): "Ana proposes EIS at C8.",
    Voted(1, accepts=True): "Bob accepts.",
    Voted(1, accepts=False): "Bob objects.",
    TakenBack(0, again=True): "Ana takes the play back and may try once more.",
    TakenBack(0, again=False): "Ana takes the play back and loses the turn.",
    laid("EIS"): "Ana lays EIS at C8.",
    laid("EIS", "ES"): "Ana lays EIS, ES at C8.",
    laid("EIS", greens=1): "Ana lays EIS at C8. Covered: 1 green devil.",
    laid("EIS", greens=2, reds=1, points=(10, 10)): (
        "Ana lays EIS at C8. Covered: 2 green devils, 1 red devil. Points: Ana +10, Bob +10."
    ),
    laid("EIS", reds=2, points=(20, 0)): (
        "Ana lays EIS at C8. Covered: 2 red devils. Points: Ana +20."
    ),
    laid("EIS", black=True): "Ana lays EIS at C8. Covered: a black field.",
    Took(0, 1): "Ana takes 1 tile from the reserve.",
    Took(0, 3): "Ana takes 3 tiles from the reserve.",
    Took(0, 2, "AX"): "Ana takes 2 tiles from the reserve: AX.",
    PutBack(0, 1): "Ana puts 1 tile back.",
    PutBack(0, 2, "*E"): "Ana puts 2 tiles back: *E.",
    Passed(0): "Ana passes.",
    Ended(0, doubled=False, hands=("", "QX")): "Ana is out! Left over: Bob QX.",
    Ended(1, doubled=True, hands=("E", "")): (
        "Bob is out, with the last tile on black! Left over: Ana E."
    ),
    Ended(None, doubled=False, hands=("E", "QX")): (
        "Nothing goes any more. Left over: Ana E, Bob QX."
    ),
}


@pytest.mark.parametrize("event", SENTENCES, ids=str)
@pytest.mark.parametrize("game", ["diamino-rummy", "diamino-bonus"])
def test_an_event_is_told(game: str, event: DiaminoEvent) -> None:
    assert tell(game, event, ["Ana", "Bob"]) == SENTENCES[event]


def test_every_event_is_told() -> None:
    assert {type(event) for event in SENTENCES} == {*get_args(DiaminoEvent)}
