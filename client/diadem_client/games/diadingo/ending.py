"""How a round of Diadingo was won."""

from diadem_client.games.client_game import Ending
from diadem_client.i18n import gettext as _
from diadem_client.i18n import ngettext
from diadem_client.wording.values import grouped
from diadem_shared.game import Seat
from diadem_shared.games.diadingo.table import PublicState


def reason(table: PublicState, winner: Seat) -> str:
    count = len(table.hands[winner].filled)
    return ngettext("{count} ring is set.", "{count} rings are set.", count).format(count=count)


def scored(count: int) -> str:
    return ngettext("{count} dollar", "{count} dollars", count).format(count=grouped(count))


def tie(mine: int, other: int) -> str:
    sentence = _("Equal dollars: more set rings decide, {mine} to {other} (D-11).")
    return sentence.format(mine=mine, other=other)


ENDING = Ending(reason, scored, tie)
