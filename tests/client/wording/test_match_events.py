"""Every entry and event of the match has a sentence."""

from typing import Any, get_args

from diadem_client import i18n
from diadem_client.wording.events import tell
from diadem_client.wording.match_events import Around, read_event
from diadem_shared.entries import (
    Adjudicated,
    Changed,
    Entry,
    Hinted,
    Left,
    Lost,
    Moved,
    Resigned,
    Returned,
    Sat,
    Sealed,
    Setup,
    Started,
    TakenOver,
    TimedOut,
)
from diadem_shared.game import Outcome
from diadem_shared.games import GAMES
from diadem_shared.match_events import MatchOver, RoundOver, Stalled
from tests.cases import cases

SENTENCES: list[tuple[Any, str]] = [
    (Sat("Cem"), "Cem sits down."),
    (Sat("Zirko", "easy"), "Zirko sits down, a bot (cautious)."),
    (Left(1), "Bob gives up the seat."),
    (Left(7), "Somebody gives up the seat."),
    (Changed(Setup("diamoniak")), "The table was changed."),
    (Started(), "A round begins."),
    (Started(("ab" * 32, "")), "A round begins."),
    (
        Started(("ab" * 32, None)),
        "A round begins, shuffled without Bob: no answer came in time.",
    ),
    (Adjudicated(), "The match is ended here; a round not played out counts for nobody."),
    (TimedOut(0), "Ana ran out of time; a bot plays on."),
    (Lost(0), "Ana is gone; a bot plays on."),
    (Resigned(0), "Ana gives up; a bot plays on."),
    (TakenOver(0, "easy"), "Ana lets a bot play (cautious)."),
    (Returned(0), "Ana is back."),
    (Hinted(1), "Bob is given a hint."),
    (Stalled(2400), "No winner after 2 400 moves: the round is scored as it stands (C-5)."),
    (RoundOver(Outcome((1, 0), (1, 2))), "The round is over: Ana 1, Bob 0."),
    (MatchOver(Outcome((1, 0), (1, 2)), (0,)), "Ana has won: Ana 1, Bob 0."),
    (MatchOver(Outcome((1, 1), (1, 1)), (0, 1)), "Ana, Bob share the win: Ana 1, Bob 1."),
]


@cases(("event", "sentence"), SENTENCES, ids=lambda each: str(each)[:24])
def test_what_happens_is_told(event: Any, sentence: str) -> None:
    assert tell("diamoniak", event, ["Ana", "Bob"]) == sentence


def test_everything_is_told() -> None:
    """Moves are told by what they bring about, and what is sealed by the round that begins."""
    assert {type(event) for event, _sentence in SENTENCES} | {Sealed} == {*get_args(Around)}
    assert tell("diamoniak", Sealed(("ab" * 32, "")), ["Ana", "Bob"]) is None
    assert {*get_args(Entry)} - {*get_args(Around)} == {Moved}


@cases("game", [*GAMES, "ludo"])
def test_a_field_that_only_later_servers_know_is_left_out(game: str) -> None:
    """Also in what a command may not have a field too many in."""
    setup = {"game": game, "clock": {"type": "none", "later": 1}, "later": [1]}
    assert read_event(game, {"type": "changed", "setup": setup, "later": 1}) == Changed(Setup(game))
    assert read_event(game, {"type": "hinted", "seat": 1, "later": 1}) == Hinted(1)


def test_levels_are_named_in_the_language_spoken() -> None:
    i18n.set_language("de")
    try:
        assert (
            tell("diamoniak", TakenOver(0, "easy"), ["Ana"])
            == "Ana lässt einen Bot spielen (vorsichtig)."
        )
    finally:
        i18n.set_language("en")
