"""What readers do themselves is said to them, in every language; others are told the name."""

import re
from typing import Any

from diadem_client import i18n
from diadem_client.wording.events import tell
from diadem_shared.entries import Lost, Returned, TakenOver, TimedOut
from diadem_shared.game import Outcome
from diadem_shared.games.castles.table import Bought
from diadem_shared.games.diadingo.table import Stole
from diadem_shared.match_events import MatchOver
from tests.cases import cases
from tests.client.games.castles.test_event_text import SENTENCES as CASTLES
from tests.client.games.diadingo.test_event_text import SENTENCES as DIADINGO
from tests.client.games.diamino.test_event_text import SENTENCES as DIAMINO

NAMES = ["Ana", "Bob"]
AROUND = [
    TimedOut(0),
    Lost(0),
    Returned(0),
    TakenOver(0, "easy"),
    MatchOver(Outcome((1, 0), (1, 2)), (0,)),
]
DONE = [
    *(("diamoniak", event) for event in CASTLES),
    *(("piratatak", event) for event in CASTLES),
    *(("diadingo", event) for event in DIADINGO),
    *(("diamino-rummy", event) for event in DIAMINO),
    *(("diamoniak", event) for event in AROUND),
]
SUFFERED = [("diamoniak", Bought(0, 1, "blue2")), ("diadingo", Stole(0, 1, 3000))]
TO_ONESELF = {"en": r"\b[Yy]ou", "de": r"\b[Dd](u|ich|ir)\b", "fr": r"\b([Tt]u|te|t)\b"}


def doer(event: Any) -> int | None:
    """Whoever did it; nobody if it happened to the table."""
    if isinstance(event, MatchOver):
        return event.winners[0]
    seat = getattr(event, "seat", getattr(event, "out", None))
    return seat if isinstance(seat, int) else None


@cases("language", i18n.LANGUAGES)
@cases(("game", "event"), DONE, ids=str)
def test_what_one_does_is_said_to_oneself(game: str, event: Any, language: str) -> None:
    seat = doer(event)
    i18n.set_language(language)
    try:
        own = tell(game, event, NAMES, seat)
        others = [tell(game, event, NAMES, each) for each in (None, 7)]
    finally:
        i18n.set_language("en")
    assert others[0] == others[1]
    if seat is None:
        assert own == others[0]
    elif own is not None:
        assert re.search(TO_ONESELF[language], own)
        assert others[0] is not None
        assert NAMES[seat] in others[0]
        assert not re.search(TO_ONESELF[language], others[0])


@cases("language", i18n.LANGUAGES)
@cases(("game", "event"), SUFFERED, ids=str)
def test_what_is_done_to_one_is_said_to_oneself(game: str, event: Any, language: str) -> None:
    i18n.set_language(language)
    try:
        told = tell(game, event, NAMES, 1)
    finally:
        i18n.set_language("en")
    assert told is not None
    assert "Ana" in told
    assert "Bob" not in told
    assert re.search(r"\b(your?|dir|t'|te)", told)
