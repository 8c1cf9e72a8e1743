"""What happens in the sample game, in words."""

from diadem_client.i18n import gettext as _
from diadem_client.wording.reader import Reader
from tests.sample_game import Answered


def tell(event: Answered, reader: Reader) -> str:
    return reader.told(
        event.seat,
        _("{name} says {number}: {answer}."),
        _("You say {number}: {answer}."),
        number=event.number,
        answer=event.answer,
    )
