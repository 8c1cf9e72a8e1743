"""How others come to where one is. Loaded when somebody is invited."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.invitation_sheet import InvitationSheet, Sheet
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.ui.widgets.overlay import FRAME_CSS, Overlay


class InviteScreen(Overlay[None]):
    ACTIONS = (Action("close", ("escape", "q", "backspace", "f10"), N_("back"), N_("Close this.")),)
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = (
        FRAME_CSS.format(name="InviteScreen", height="auto")
        + """
    InviteScreen #frame { width: 80; background: $background; }
    """
    )

    def __init__(self, title: str, sheet: Sheet, *, copies: bool, on_dark: bool) -> None:
        super().__init__()
        self._heading = title
        self._sheet = InvitationSheet(sheet, copies=copies, on_dark=on_dark)

    def compose(self) -> ComposeResult:
        with Vertical(id="frame") as frame:
            frame.border_title = self._heading
            yield self._sheet
        yield KeyHints()

    def on_mount(self) -> None:
        self._sheet.focus()

    def on_invitation_sheet_copied(self) -> None:
        self.query_one("#frame", Vertical).border_subtitle = _(
            "Copied, if your terminal lets programs copy."
        )

    def action_close(self) -> None:
        self.dismiss()
