"""How a round of castles was won."""

from diadem_client.games.castles.event_text import COLOURS
from diadem_client.games.client_game import Ending
from diadem_client.i18n import N_, ngettext
from diadem_client.i18n import gettext as _
from diadem_shared.game import Seat
from diadem_shared.games.castles.table import PublicState


def scored(count: int) -> str:
    return ngettext("{count} round won", "{count} rounds won", count).format(count=count)


def _of(built: str) -> Ending:
    def reason(table: PublicState, winner: Seat) -> str:
        holding = table.holdings[winner]
        if not holding.complete:
            return _("The round was stopped: the most parts built win (C-5).")
        return _(built).format(colour=_(COLOURS[holding.builds or ""]))

    return Ending(reason, scored)


CASTLE = _of(N_("All six parts of the {colour} castle stand (K-16)."))
SHIP = _of(N_("All six parts of the {colour} ship are there (K-16)."))
