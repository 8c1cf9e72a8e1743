"""What happens in Rows, in words."""

from diadem_client.i18n import gettext as _
from diadem_client.wording.reader import Reader
from tests.sample_hands import Laid, RowsEvent


def tell(event: RowsEvent, reader: Reader) -> str:
    if isinstance(event, Laid):
        return reader.told(
            event.seat, _("{name} lays {card}."), _("You lay {card}."), card=event.card
        )
    return reader.told(
        event.seat, _("{name} draws a card."), _("You draw {card}."), card=event.card or ""
    )
