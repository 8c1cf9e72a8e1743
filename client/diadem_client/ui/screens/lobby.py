"""The tables of a server: look, join, watch, make one."""

import time
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state import forms
from diadem_client.state.client_state import ClientState
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import GLOBAL_ACTIONS, guarded
from diadem_client.ui.screens.invite_action import INVITE, Inviting
from diadem_client.ui.widgets.dialogs import TextDialog
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import Header
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.ui.widgets.table_list import TableList, TablePanel
from diadem_client.wording.refusals import sentence_for
from diadem_client.wording.state import changes_by_itself
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import TableLine

LONGEST_CODE = 12


class LobbyScreen(Inviting):
    ACTIONS = (
        Action("join", ("j", "enter"), N_("join"), N_("Sit down at the marked table.")),
        Action("watch", ("w",), N_("look on"), N_("Look on at the marked table.")),
        Action("make", ("m",), N_("make"), N_("Make a table of your own.")),
        Action("go_back", ("b",), N_("my seat"), N_("Back to the table where you have a seat.")),
        Action("code", ("c",), N_("code"), N_("Join a table by its code, also a private one.")),
        Action("look_back", ("k",), N_("look back"), N_("See what you have played here.")),
        replace(INVITE, keys=("i", *INVITE.keys), in_footer=True),
        Action("disconnect", ("d",), N_("other server"), N_("Go to another server.")),
        Action("menu", ("escape", "q", "f10"), N_("menu"), N_("Leave this server for the menu.")),
        Action("learn", ("l",), N_("learn"), N_("Learn a game by playing it.")),
        *GLOBAL_ACTIONS,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    LobbyScreen TablePanel { display: none; }
    """

    def compose(self) -> ComposeResult:
        self._title = Header()
        yield self._title
        yield TableList()
        yield TablePanel()
        yield FixedText(id="notice")
        yield KeyHints()

    def on_mount(self) -> None:
        self._tables: tuple[TableLine, ...] | None = None
        self._not_made: Setup | None = None
        """The terms of a table that could not be made."""
        self._ticks = self.set_interval(1.0, self._tick, pause=True)
        self.query_one(TableList).focus()
        self.send(protocol.WatchLobby, on=True)
        self.begin()

    def on_unmount(self) -> None:
        if self.diadem.client is not None and not self.diadem.is_closing:
            self.diadem.client.ask(protocol.WatchLobby, on=False)

    @guarded
    def show(self, client_state: ClientState) -> None:
        self._tick()
        run = changes_by_itself(client_state.link, None)
        (self._ticks.resume if run else self._ticks.pause)()
        if client_state.sent_off is not None:
            self.show_notice(sentence_for(client_state.sent_off))
            self.diadem.forget_notice()
        if client_state.lobby != self._tables and client_state.lobby is not None:
            self._tables = client_state.lobby
            self.query_one(TableList).show(client_state.lobby)
        self.refresh_bindings()

    def _tick(self) -> None:
        client_state = self.client_state
        title = _("{server}, as {name}").format(server=client_state.server, name=client_state.name)
        self._title.show(title, link=client_state.link, now=time.monotonic())

    def _marked(self) -> TableLine | None:
        return self.query_one(TableList).marked

    def on_rows_marked(self) -> None:
        self.query_one(TablePanel).show(self._marked())
        self.refresh_bindings()

    def on_rows_clicked(self) -> None:
        self.action_join()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"join", "watch"}:
            return bool(self.client_state.lobby)
        if action == "go_back":
            return bool(self.diadem.kept_seat)
        if action == "disconnect":
            return self.diadem.launch.address is None and not self.diadem.local.is_alone
        return super().check_action(action, parameters)

    def action_join(self) -> None:
        if table := self._marked():
            self.diadem.go_to(table.table, sit=table.phase is Phase.GATHERING)

    def action_watch(self) -> None:
        if table := self._marked():
            self.diadem.go_to(table.table, sit=False)

    def action_go_back(self) -> None:
        self.diadem.go_to(self.diadem.kept_seat, sit=False)

    def action_code(self) -> None:
        def go(code: str | None) -> None:
            if code:
                self.diadem.go_to(code, sit=True)

        self.app.push_screen(TextDialog(_("The code of the table:"), LONGEST_CODE), go)

    def action_make(self) -> None:
        def make(setup: Setup | None) -> None:
            if setup is not None:
                self.run_worker(self._make(setup))

        from diadem_client.ui.screens.make import MakeScreen  # noqa: PLC0415, wanted by few

        self.app.push_screen(
            MakeScreen(
                self._not_made,
                reader=self.diadem.launch.file_reader,
                lists=self.client_state.word_lists,
                hints=protocol.HINTS in self.client_state.features,
            ),
            make,
        )

    async def _make(self, setup: Setup) -> None:
        """What was chosen is still there after a refusal."""
        self._not_made = forms.without_files(setup)
        if await self.ask(protocol.Make, setup) is not None:
            self._not_made = None

    def action_learn(self) -> None:
        self.choose_lesson()

    def action_look_back(self) -> None:
        self.look_back(is_at_server=True)

    def action_disconnect(self) -> None:
        self.diadem.disconnect()

    def action_menu(self) -> None:
        self.diadem.go_home()
