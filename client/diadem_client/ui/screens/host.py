"""A server of one's own: how the others come to it."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.local.host import addresses
from diadem_client.look.palette import Theme
from diadem_client.net.address import Address
from diadem_client.state.client_state import ClientState
from diadem_client.state.invitation import ways
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import GLOBAL_ACTIONS, BaseScreen
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import heading
from diadem_client.ui.widgets.invitation_sheet import InvitationSheet, Sheet
from diadem_client.ui.widgets.key_hints import KeyHints


class HostScreen(BaseScreen):
    ACTIONS = (
        Action(
            "enter",
            ("enter",),
            N_("to the tables"),
            N_("Go to the tables of your server."),
            at_once=True,
        ),
        Action("stop", ("x",), N_("end it"), N_("End your server.")),
        Action("back", ("escape", "q", "f10"), N_("back"), N_("Back to the menu; it stays open.")),
        *GLOBAL_ACTIONS,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    HostScreen #middle { height: 1fr; padding: 1 2 0 2; }
    HostScreen.-low #middle { padding: 0 2; }
    """

    def compose(self) -> ComposeResult:
        yield FixedText(heading(_("Host here")), id="title")
        with Vertical(id="middle"):
            on_dark = self.diadem.settings.theme != Theme.LIGHT
            yield InvitationSheet(Sheet(), copies=True, on_dark=on_dark)
        yield FixedText(id="notice")
        yield KeyHints()

    def on_mount(self) -> None:
        self.query_one(InvitationSheet).focus()
        self.begin()
        self.diadem.local.open_host()

    def show(self, client_state: ClientState) -> None:
        self.query_one(InvitationSheet).show(self._sheet())
        self.refresh_bindings()

    def _sheet(self) -> Sheet:
        port = self.diadem.local.open_port
        if port is None:
            return Sheet(heading=_("Starting your server ..."))
        found = addresses(port)
        if not found:
            nobody = _("This machine is on no network: only who sits at it can come.")
            return Sheet(heading=_("Your server is open."), notes=(nobody,))
        return Sheet(
            ways(self.diadem.local.own_doors, found[0]),
            heading=_("Your server is open."),
            notes=_notes(found[1:]),
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"enter", "stop"}:
            return self.diadem.local.open_port is not None
        return super().check_action(action, parameters)

    def on_invitation_sheet_copied(self) -> None:
        self.show_notice(_("Copied, if your terminal lets programs copy."))

    def action_enter(self) -> None:
        self.diadem.local.go_to_own_server()

    def action_stop(self) -> None:
        self.diadem.local.stop_hosting()
        self.diadem.go_home(_("Your server has ended."))

    def action_back(self) -> None:
        self.diadem.go_home()


def _notes(elsewhere: list[Address]) -> tuple[str, ...]:
    notes = [_("Diadem on the same network finds it with j in its menu.")]
    if elsewhere:
        hosts = ", ".join(address.host for address in elsewhere)
        notes.append(_("On other networks it is at {addresses}.").format(addresses=hosts))
    notes.append(
        _(
            "Whoever is on your network can come in. The server ends with you, unless you say"
            " otherwise as you quit."
        )
    )
    return tuple(notes)
