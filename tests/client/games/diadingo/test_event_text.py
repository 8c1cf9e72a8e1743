"""Every event of Diadingo has a sentence."""

from diadem_client.wording.events import tell
from diadem_shared.games.diadingo.board import THEFT
from diadem_shared.games.diadingo.table import (
    Declined,
    DiadingoEvent,
    Ended,
    Missed,
    Opened,
    Stole,
    Tried,
    Turned,
    Useless,
)

SENTENCES: dict[DiadingoEvent, str] = {
    Opened(0): "Ana begins.",
    Turned(0, 3000): "Ana turns up a ring of 3 000 dollars.",
    Turned(0, THEFT): "Ana turns up a THEFT.",
    Tried(0, "C4", 3000, loose=True): "Ana takes C4: it comes off!",
    Tried(0, "C4", 3000, loose=False): "Ana tries C4: it does not move.",
    Missed(0, 3000): "Ana missed, and a ring of 3 000 dollars stayed empty.",
    Stole(0, 1, 3000): "Ana steals the diamond of a 3 000 dollar ring from Bob.",
    Declined(0): "Ana does not steal.",
    Useless(0): "Ana finds nothing to steal.",
    Ended("cards"): "The last card is used.",
    Ended("diamonds"): "Only fixed diamonds are left.",
    Ended("cards", ("A1", "C4")): "The last card is used. Fixed: A1 C4.",
    Ended("diamonds", ("A1", "C4")): "Only fixed diamonds are left: A1 C4.",
}


def test_an_event_is_told() -> None:
    told = {event: tell("diadingo", event, ["Ana", "Bob"]) for event in SENTENCES}
    assert {event: said for event, said in told.items() if said != SENTENCES[event]} == {}
