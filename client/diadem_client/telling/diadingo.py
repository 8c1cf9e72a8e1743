"""What happens at a table of Diadingo, in words."""

from collections.abc import Sequence

from diadem.games.diadingo.board import THEFT
from diadem.games.diadingo.table import (
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
from diadem_client.text import gettext as _


def tell(event: DiadingoEvent, names: Sequence[str]) -> str:
    match event:
        case Opened(seat):
            return _("{name} begins.").format(name=names[seat])
        case Turned(seat, card) if card == THEFT:
            return _("{name} turns up a THEFT.").format(name=names[seat])
        case Turned(seat, card):
            return _("{name} turns up a ring of {value} dollars.").format(
                name=names[seat], value=card
            )
        case Tried(seat, spot, _value, loose=True):
            return _("{name} takes {spot}: it comes off!").format(name=names[seat], spot=spot)
        case Tried(seat, spot, _value):
            return _("{name} tries {spot}: it does not move.").format(name=names[seat], spot=spot)
        case Missed(seat, value):
            return _("{name} missed, and a ring of {value} dollars stayed empty.").format(
                name=names[seat], value=value
            )
        case Stole(seat, victim, value):
            return _("{name} steals the diamond of a {value} dollar ring from {victim}.").format(
                name=names[seat], value=value, victim=names[victim]
            )
        case Declined(seat):
            return _("{name} does not steal.").format(name=names[seat])
        case Useless(seat):
            return _("{name} finds nothing to steal.").format(name=names[seat])
        case Ended(by):
            cards, diamonds = _("The last card is used."), _("Only fixed diamonds are left.")
            return cards if by == "cards" else diamonds
