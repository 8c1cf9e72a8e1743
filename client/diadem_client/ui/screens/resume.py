"""A match that was left is found again: go on with it, or begin anew."""

from typing import ClassVar

from diadem_client.i18n import gettext as _
from diadem_client.i18n import listed
from diadem_client.state.client_state import TableState
from diadem_client.ui.widgets.dialogs import SelectDialog
from diadem_client.wording.options import game_name


class ResumeScreen(SelectDialog):
    """Closed without a choice it gives nothing up."""

    NEW: ClassVar[str] = "new"

    def __init__(self, table: TableState) -> None:
        others = [name for seat, name in enumerate(table.names) if seat != table.seat]
        question = _("You left a match of {game} with {names} before its end.").format(
            game=game_name(table.public.setup.game), names=listed(others)
        )
        choices = [
            ("on", _("Go on with it")),
            (self.NEW, _("Give it up and begin a new one")),
        ]
        super().__init__(question, choices)
