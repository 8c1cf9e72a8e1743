"""A whole turn of Diadingo in one line: the cards that were turned up in it, and what came of each."""

from collections.abc import Iterable, Sequence

from diadem_client.i18n import gettext as _
from diadem_client.wording.reader import Reader
from diadem_client.wording.turns import Turns
from diadem_client.wording.values import grouped
from diadem_shared.game import Event, Seat, Viewer
from diadem_shared.games.diadingo.board import THEFT, Spot, Value
from diadem_shared.games.diadingo.table import (
    Declined,
    DiadingoEvent,
    Missed,
    Stole,
    Tried,
    Turned,
    Useless,
)


def whose(event: DiadingoEvent) -> Viewer:
    """A card is turned up as the one before is done with: that is the turn of whoever it is for."""
    match event:
        case Turned(seat) | Tried(seat) | Missed(seat):
            return seat
        case Stole(seat) | Declined(seat) | Useless(seat):
            return seat
        case _:
            return None


def tell(events: Sequence[DiadingoEvent], _before: Sequence[DiadingoEvent], reader: Reader) -> str:
    """A card is told of by what came of it, once that is known."""
    cards: list[str] = []
    for event in events:
        if not isinstance(event, Turned):
            del cards[-1:]
        cards.append(_told(event, reader))
    first, *others = cards or [""]
    for card in others:
        first = _("{deeds}; {deed}").format(deeds=first, deed=card)
    return first


def changed(events: Iterable[Event]) -> tuple[frozenset[Spot], frozenset[tuple[Seat, Value]]]:
    """Where diamonds came off in these events, and who has other rings of which value now."""
    spots: set[Spot] = set()
    rings: set[tuple[Seat, Value]] = set()
    for event in events:
        match event:
            case Tried(seat, spot, value, loose):
                rings.add((seat, value))
                spots.update([spot] if loose else [])
            case Missed(seat, value):
                rings.add((seat, value))
            case Stole(seat, victim, value):
                rings |= {(seat, value), (victim, value)}
            case _:
                pass
    return frozenset(spots), frozenset(rings)


def _told(event: DiadingoEvent, reader: Reader) -> str:
    match event:
        case Turned(_seat, card) if card == THEFT:
            return _("THEFT")
        case Turned(_seat, card):
            return _("a ring of {value} dollars").format(value=grouped(int(card)))
        case Tried(_seat, spot, value, loose=True):
            return _("{spot} comes off: +{value} dollars").format(spot=spot, value=grouped(value))
        case Tried(_seat, spot, value):
            sentence = _("{spot} does not move, ring of {value} stays empty")
            return sentence.format(spot=spot, value=grouped(value))
        case Missed(_seat, value):
            return _("missed, ring of {value} stays empty").format(value=grouped(value))
        case Stole(_seat, victim, value) if victim == reader.seat:
            return _("THEFT: {value} dollars from you").format(value=grouped(value))
        case Stole(_seat, victim, value):
            sentence = _("THEFT: {value} dollars from {victim}")
            return sentence.format(value=grouped(value), victim=reader.name(victim))
        case Declined():
            return _("THEFT: took nothing")
        case Useless():
            return _("THEFT: nothing to steal")
        case _:
            return ""


TURNS = Turns(whose, tell)
