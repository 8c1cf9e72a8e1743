"""How fast a table shows what others do: a setting, changed by a key there, and hurried by another."""

from msgspec.structs import replace

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state.presentation import PAUSES
from diadem_client.ui.actions import Action
from diadem_client.ui.screens.base import BaseScreen

PACE_ACTIONS = (
    Action(
        "hurry", ("space",), N_("hurry"), N_("Show the rest of this turn at once."), in_footer=False
    ),
    Action(
        "pace",
        ("ctrl+t",),
        N_("pace"),
        N_("See the moves of others slower, faster, or at once."),
        in_footer=False,
    ),
)
PACES = {
    "slow": N_("slow"),
    "normal": N_("normal"),
    "fast": N_("fast"),
    "instant": N_("at once"),
}


class Paced(BaseScreen):
    def action_hurry(self) -> None:
        if not self.diadem.presenter.hurry():
            self.tell(_("You have seen all that has happened."))

    def action_pace(self) -> None:
        settings, paces = self.diadem.settings, list(PAUSES)
        at = paces.index(settings.pace) if settings.pace in paces else 0
        pace = paces[(at + 1) % len(paces)]
        self.diadem.change_settings(replace(settings, pace=pace))
        self.tell(_("Pace of the others: {pace}.").format(pace=_(PACES[pace])))
