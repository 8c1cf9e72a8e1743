"""A few things that are said at a table with a key, and stand beside the name for a moment."""

import time

from textual.timer import Timer

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state.client_state import TableState
from diadem_client.ui.actions import Action
from diadem_client.ui.screens.base import BaseScreen
from diadem_client.ui.widgets.dialogs import SelectDialog
from diadem_client.wording.reactions import choices
from diadem_shared import protocol

REACT = Action(
    "react", ("ctrl+r",), N_("react"), N_("Say one of a few things to all."), in_footer=False
)


class Reacting(BaseScreen):
    _reactions_end: Timer | None = None

    def action_react(self) -> None:
        def say(kind: str | None) -> None:
            if kind:
                self.send(protocol.React, kind)

        self.app.push_screen(SelectDialog(_("What do you say?"), choices()), say)

    def plan_reactions(self, table: TableState) -> None:
        """Draw again when the next of them is over."""
        now = time.monotonic()
        ends = [note.until for note in table.reactions if note.until > now]
        if self._reactions_end is not None:
            self._reactions_end.stop()
            self._reactions_end = None
        if ends:
            self._reactions_end = self.set_timer(min(ends) - now, self._end_reactions)

    def _end_reactions(self) -> None:
        self.show(self.client_state)
