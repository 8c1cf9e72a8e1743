"""What happens at a table of Diadingo, in words."""

from msgspec import UNSET

from diadem_client.i18n import gettext as _
from diadem_client.wording.reader import Reader
from diadem_client.wording.values import grouped
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


def tell(event: DiadingoEvent, reader: Reader) -> str:
    match event:
        case Opened(seat):
            return reader.told(seat, _("{name} begins."), _("You begin."))
        case Turned(seat, card) if card == THEFT:
            return reader.told(seat, _("{name} turns up a THEFT."), _("You turn up a THEFT."))
        case Turned(seat, card):
            return reader.told(
                seat,
                _("{name} turns up a ring of {value} dollars."),
                _("You turn up a ring of {value} dollars."),
                value=grouped(int(card)),
            )
        case Tried(seat, spot, _value, loose=True):
            return reader.told(
                seat,
                _("{name} takes {spot}: it comes off!"),
                _("You take {spot}: it comes off!"),
                spot=spot,
            )
        case Tried(seat, spot, _value):
            return reader.told(
                seat,
                _("{name} tries {spot}: it does not move."),
                _("You try {spot}: it does not move."),
                spot=spot,
            )
        case Missed(seat, value):
            return reader.told(
                seat,
                _("{name} missed, and a ring of {value} dollars stayed empty."),
                _("You missed, and a ring of {value} dollars stayed empty."),
                value=grouped(value),
            )
        case Stole():
            return _stolen(event, reader)
        case Declined(seat):
            return reader.told(seat, _("{name} does not steal."), _("You do not steal."))
        case Useless(seat):
            return reader.told(
                seat, _("{name} finds nothing to steal."), _("You find nothing to steal.")
            )
        case Ended():
            return _ended(event)


def _ended(event: Ended) -> str:
    if event.fixed is UNSET:
        cards, diamonds = _("The last card is used."), _("Only fixed diamonds are left.")
        return cards if event.by == "cards" else diamonds
    cards = _("The last card is used. Fixed: {spots}.")
    diamonds = _("Only fixed diamonds are left: {spots}.")
    return (cards if event.by == "cards" else diamonds).format(spots=" ".join(event.fixed))


def _stolen(event: Stole, reader: Reader) -> str:
    if event.victim == reader.seat:
        sentence = _("{name} steals the diamond of your {value} dollar ring.")
        return sentence.format(name=reader.name(event.seat), value=grouped(event.value))
    return reader.told(
        event.seat,
        _("{name} steals the diamond of a {value} dollar ring from {victim}."),
        _("You steal the diamond of a {value} dollar ring from {victim}."),
        value=grouped(event.value),
        victim=reader.name(event.victim),
    )
