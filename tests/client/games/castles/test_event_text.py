"""Every event of castles and ships has a sentence; whose turn begins is seen without one."""

from typing import get_args

from diadem_client.wording.events import tell
from diadem_shared.games.castles.table import (
    Began,
    Bought,
    CastleEvent,
    Completed,
    Drew,
    Founded,
    Paid,
    Razed,
    Shielded,
    Shuffled,
    Stopped,
)

SENTENCES: dict[CastleEvent, tuple[str, str]] = {
    Drew(0, "danger"): ("Ana draws: WITCH.", "Ana draws: PIRATE."),
    Drew(1, "blue3"): ("Bob draws: blue 3.", "Bob draws: blue 3."),
    Shuffled(12): (
        "The 12 cards put aside make a new deck.",
        "The 12 cards put aside make a new deck.",
    ),
    Founded(0, "blue", ()): ("Ana begins the blue castle.", "Ana begins the blue ship."),
    Founded(0, "blue", ("blue2",)): (
        "Ana begins the blue castle. From the reserve: blue 2.",
        "Ana begins the blue ship. From the reserve: blue 2.",
    ),
    Stopped(1): ("Bob stops.", "Bob stops."),
    Bought(0, 1, "blue2"): ("Ana buys blue 2 from Bob.", "Ana buys blue 2 from Bob."),
    Paid(0, ()): ("Ana has nothing to give up.", "Ana has nothing to give up."),
    Paid(0, ("currency", "blue2")): (
        "Ana gives up: diamond, blue 2.",
        "Ana gives up: gold coin, blue 2.",
    ),
    Paid(0, ("currency", "blue2", "currency")): (
        "Ana gives up: diamond x2, blue 2.",
        "Ana gives up: gold coin x2, blue 2.",
    ),
    Shielded(0): ("Ana is saved by a fairy.", "Ana is saved by a cannon."),
    Razed(0, "green"): (
        "Ana has no castle any more; green is free again.",
        "Ana has no ship any more; green is free again.",
    ),
    Completed(1, "green"): ("Bob completes the green castle!", "Bob completes the green ship!"),
}


def test_an_event_is_told() -> None:
    told = {
        event: tuple(tell(game, event, ["Ana", "Bob"]) for game in ("diamoniak", "piratatak"))
        for event in SENTENCES
    }
    assert {event: said for event, said in told.items() if said != SENTENCES[event]} == {}


def test_every_event_is_told() -> None:
    assert {type(event) for event in SENTENCES} == {*get_args(CastleEvent)} - {Began}
    assert tell("diamoniak", Began(0), ["Ana"]) is None
