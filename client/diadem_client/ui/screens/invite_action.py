"""Inviting others to where one is: to the server, or to the table."""

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.look.palette import Theme
from diadem_client.state.client_state import TableState
from diadem_client.ui.actions import Action
from diadem_client.ui.screens.base import BaseScreen
from diadem_shared.match import Phase

INVITE = Action(
    "invite", ("ctrl+o",), N_("invite"), N_("See how others come here."), in_footer=False
)


class Inviting(BaseScreen):
    """A screen from where others are invited: to the server, or to the table one is at."""

    def action_invite(self) -> None:
        from diadem_client.ui.screens.invite import InviteScreen  # noqa: PLC0415, few look at it
        from diadem_client.ui.widgets.invitation_sheet import Sheet  # noqa: PLC0415

        app, table = self.diadem, self.client_state.table
        if app.local.is_alone:
            self.tell(_("You play alone here. For company, choose “Host here” in the menu."))
            return
        found = app.local.ways(table.code if table else "")
        if not found:
            self.tell(self._why_nobody())
            return
        notes = tuple(_notes(table, asks_password=self._asks_password))
        sheet = Sheet(found, notes=notes)
        title = (
            _("Invite to table {table}").format(table=table.code)
            if table
            else _("Invite to this server")
        )
        # Without colours, too, the theme is all that tells how the terminal is.
        on_dark = app.settings.theme != Theme.LIGHT
        copies = app.launch.address is None
        self.app.push_screen(InviteScreen(title, sheet, copies=copies, on_dark=on_dark))

    def _why_nobody(self) -> str:
        if self.client_state.doors:
            return _("Only its host can tell how this server is reached from elsewhere.")
        return _("Only who sits at the server's own machine can come here.")

    @property
    def _asks_password(self) -> bool:
        """Whether this client was let in by one."""
        client = self.diadem.client
        return client is not None and bool(client.session.password)


def _notes(table: TableState | None, *, asks_password: bool) -> list[str]:
    notes = []
    if asks_password:
        notes.append(_("They are asked for the server's password. Tell it to them yourself."))
    if table is None:
        return notes
    setup = table.public.setup
    runs = table.public.phase is not Phase.GATHERING
    if runs or len(table.public.players) >= table.game.seats[-1]:
        seats = _("No seat is free: whoever comes looks on.")
        notes.append(seats if setup.spectators else _("No seat is free, and nobody may look on."))
    if setup.private:
        notes.append(_("The lobby does not show this table: its code is what leads here."))
    return notes
