"""Everything there is to draw of a table of Diadingo."""

from msgspec import Struct

from diadem.game import Seat, Viewer
from diadem.games.diadingo.table import PublicState
from diadem_client.games.diadingo.draft import Aim, Theft
from diadem_client.games.diadingo.gems import Moment
from diadem_client.i18n import gettext as _


class Sight(Struct, frozen=True):
    table: PublicState
    seat: Viewer
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    aim: Aim | None = None
    theft: Theft | None = None
    moment: Moment | None = None
    lifts: bool = False
    """Whether what a diamond brings stands where it came off."""
    sentence: str = ""
    """What is still said of the moment before, once it is over."""

    def name(self, seat: Seat) -> str:
        return _("You") if seat == self.seat else self.names[seat]
