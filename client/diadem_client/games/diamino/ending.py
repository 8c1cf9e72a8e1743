"""How a round of Diamino was won."""

from diadem_client.games.client_game import Ending
from diadem_client.i18n import gettext as _
from diadem_client.i18n import ngettext
from diadem_shared.game import Seat
from diadem_shared.games.diamino.table import PublicState
from diadem_shared.games.diamino.terms import RuleSet


def reason(table: PublicState, winner: Seat) -> str:
    if table.out is None:
        if table.rules is RuleSet.RUMMY:
            return _("Nobody could go on: the smallest hand ranks first (M-24).")
        return _("Nobody could go on: each hand counts against its player (M-32).")
    if table.out == winner:
        if table.doubled:
            return _("Out, with the last tile on black.")
        return _("Out, with all tiles laid.")
    return _("The most points win, also against the one who went out (M-33).")


def scored(count: int) -> str:
    return ngettext("{count} point", "{count} points", count).format(count=count)


def tie(mine: int, other: int) -> str:
    if mine > 0:
        return _("Equal points: who went out wins (M-23).")
    sentence = _("Equal points: the smaller hand ranks first, {mine} to {other} (M-24).")
    return sentence.format(mine=-mine, other=-other)


ENDING = Ending(reason, scored, tie)
