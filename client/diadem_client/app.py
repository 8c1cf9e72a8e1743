"""The application: one client at a time, the screen that belongs to its state, and settings."""

import time
from collections.abc import Coroutine
from typing import Any

from msgspec.structs import replace
from textual import events
from textual.command import CommandPalette
from textual.geometry import Size
from textual.message import Message

from diadem_client import VERSION, i18n, refusals
from diadem_client.i18n import gettext as _
from diadem_client.launch import LaunchOptions, TerminalOptions
from diadem_client.local.servers import LocalServers
from diadem_client.local_play import LocalPlay
from diadem_client.net import requests
from diadem_client.net.address import Address, BadAddress, read_address
from diadem_client.net.client import Client
from diadem_client.net.discovery import ServerBrowser
from diadem_client.net.session import ClientSession
from diadem_client.net.transport import Closed
from diadem_client.settings import RecentServer, Settings, SettingsStore
from diadem_client.state.client_state import ClientState
from diadem_client.terminal.driver import exit_on_sigterm
from diadem_client.ui import themes
from diadem_client.ui.leaving import LeavingApp
from diadem_client.ui.palette import Palette
from diadem_client.ui.presenter import Presenter
from diadem_client.ui.screens.base import BaseScreen, fit_all
from diadem_client.ui.screens.entry_screens import connect_screen, lobby_screen, start_screen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.screens.too_small import TooSmallScreen, is_too_small
from diadem_client.wording import state
from diadem_client.wording.refusals import sentence_for
from diadem_shared import protocol
from diadem_shared.lesson import is_lesson
from diadem_shared.refusals import Refusal


class DiademApp(LeavingApp):
    TITLE = "Diadem"
    ENABLE_COMMAND_PALETTE = False
    CSS = themes.CSS

    class StateChanged(Message):
        """There is a newer client state than the one that is shown."""

    def __init__(
        self,
        launch: LaunchOptions,
        store: SettingsStore,
        *,
        settings: Settings | None = None,
        servers: LocalServers | None = None,
        terminal: TerminalOptions | None = None,
    ) -> None:
        self.terminal = terminal or TerminalOptions()
        # Without ANSI colours Textual would turn its own into greys instead of leaving them out.
        super().__init__(
            driver_class=self.terminal.driver,
            ansi_color=True if self.terminal.without_colour else None,
        )
        self.launch = launch
        self.store = store
        self.settings = settings or store.settings()
        self._apply_theme()  # later, Textual would parse the styles of all screens once more
        self.local = LocalPlay(self, servers)
        self.server_browser = ServerBrowser
        self.client: Client | None = None
        self.crash: BaseException | None = None
        self.is_closing = False
        self.window_title = ""
        self.presenter = Presenter(self)
        self._pending_notice = ""
        self._kept_token = ""
        self._connects_at_once = launch.connect_at_once
        self.offline: type[BaseScreen] = (
            start_screen() if launch.menu or self.local.is_alone else connect_screen()
        )
        """The screen that is shown while there is no connection."""
        self.kept_seat = ""
        self.farewell = ""
        """What is said once the screen is gone."""

    @property
    def client_state(self) -> ClientState:
        """What is shown. What the client knows already may be some moves further."""
        return self.presenter.client_state

    @property
    def asks_where(self) -> bool:
        """Whether it is for the player to say where to go."""
        if self.launch.address is not None or self.local.is_alone:
            return False
        if self.client is None:
            return not self._connects_at_once
        return isinstance(self.client_state.link, Closed)

    @property
    def ascii_only(self) -> bool:
        return self.terminal.must_be_ascii or self.settings.ascii

    async def on_mount(self) -> None:
        self.show_window_title()
        if not self.is_headless:
            exit_on_sigterm(self.terminate)
        await self.push_screen(self.offline())
        self._check_size()
        if self.local.is_alone:
            self.local.connect_solo()
        elif self.launch.replay:
            self.base_screen.look_at(self.launch.replay)
        elif self.launch.connect_at_once:
            self._connect_at_once()

    def _apply_theme(self) -> None:
        themes.apply(self, themes.look_for(self.settings, self.terminal.tier))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS

    # Servers

    def _connect_at_once(self) -> None:
        self._connects_at_once = False
        try:
            address = self.launch.address or read_address(self.launch.host)
        except BadAddress:
            self.say(sentence_for(Refusal(refusals.ClientCode.BAD_ADDRESS)))
        else:
            if self.launch.name:
                self.connect(address, self.launch.name, self.launch.password or None)
        self.show_state(self.client_state)

    def join(self) -> None:
        """Ask where to play; a hosted client has one server only."""
        if self.launch.address is not None:
            self.connect(self.launch.address, self.launch.name, self.launch.password or None)
        else:
            self.go_offline(connect_screen())

    def connect(self, address: Address, name: str, password: str | None = None) -> None:
        self._close_connection()
        session = ClientSession(
            name,
            version=VERSION,
            first_id=time.time_ns() // 1_000_000,
            token=self.store.token(*who) if (who := self._token_key(address, name)) else None,
            password=password,
        )
        client = self.local.client_at(address, session, self.presenter.arrive)
        self.client = client
        self.run_worker(client.run(), group="connection", exclusive=True)
        self.present(client.client_state)

    def _token_key(self, address: Address, name: str) -> tuple[Address, str] | None:
        """The key of a kept token; None if none is kept."""
        return self.local.token_key() if self.local.is_alone else (address, name)

    def go_offline(self, screen: type[BaseScreen]) -> None:
        """To one of the screens that need no connection."""
        self.offline = screen
        self.show_state(self.client_state)

    def disconnect(self, offline: type[BaseScreen] | None = None) -> None:
        """Leave the server for the screen that asks for another, or for any; the seat there is kept."""
        self._close_connection()
        self.kept_seat = ""
        self.go_offline(offline or connect_screen())

    def _close_connection(self) -> None:
        if self.client is not None:
            self.client = None
            self.workers.cancel_group(self, "connection")
            self.presenter.take(ClientState())

    def go_home(self, why: Refusal | str = "") -> None:
        """Back to the menu that all begins with."""
        self.launch = replace(self.launch, setup=None, bots=(), table="", watch=False)
        self.local.leave()
        self.disconnect(start_screen())
        self.say(sentence_for(why) if isinstance(why, Refusal) else why)

    def on_diadem_app_state_changed(self) -> None:
        self.presenter.is_announced = False
        client = self.client
        if client is None or self.is_closing:
            return
        client_state = client.client_state
        if client_state.welcomed:
            self._keep_token(client)
            if not client.arrived:
                client.arrived = True
                self._welcomed_first(client)
        self.show_state(self.client_state)
        self.local.follow(client, client_state)

    def _keep_token(self, client: Client) -> None:
        """Save the session's token. A server that has forgotten the session gives a new one."""
        token = client.session.token
        who = self._token_key(client.address, client.session.name)
        if who and token and token != self._kept_token:
            self._kept_token = token
            self.store.save_token(*who, token)

    def _welcomed_first(self, client: Client) -> None:
        """Do what the command line asks for, once a server has let the player in for the first time."""
        self.save_server(client)
        if self.local.arrived(client):
            return
        if self.launch.setup is not None:
            starts = not self.local.is_alone or is_lesson(self.launch.setup)
            made = client.ask(protocol.Make, self.launch.setup)
            self.run_request(requests.make(client, made, self.launch.bots, starts=starts))
        elif self.launch.table:
            self.go_to(self.launch.table, sit=not self.launch.watch)

    def save_server(self, client: Client) -> None:
        """Save the server and the name for the next start."""
        if not (self.local.is_alone or self.local.is_at_own_server):
            address = client.address
            host = address.url if address.secure else str(address)
            settings = self.settings.with_recent_server(
                RecentServer(host, client.client_state.server)
            )
            self.change_settings(replace(settings, name=client.session.name))

    # Tables

    def go_to(self, code: str, *, sit: bool) -> None:
        if self.client is not None:
            if code == self.kept_seat:
                self.kept_seat = ""
            sit = sit and not self.launch.watch
            self.run_request(
                requests.join(self.client, self.client.ask(protocol.Join, code), sit=sit)
            )

    def run_request(self, request: Coroutine[Any, Any, Refusal | None]) -> None:
        async def run() -> None:
            if refusal := await request:
                self.say(sentence_for(refusal))
                self.show_state(self.client_state)

        self.run_worker(run())

    def say(self, sentence: str) -> None:
        """Show a notice, on the screen that is there or on the next one."""
        if self.base_screen.laid_out and type(self.base_screen) is self._screen_for(
            self.client_state
        ):
            self.base_screen.show_notice(sentence)
        else:
            self._pending_notice = sentence

    def take_notice(self) -> str:
        word, self._pending_notice = self._pending_notice, ""
        return word

    def keep_seat(self, code: str) -> None:
        """Tell the player that the seat they leave in a running match is kept."""
        self.kept_seat = code
        sentence = _("Your seat at table {table} is kept. Press b to go back to it.")
        self._pending_notice = sentence.format(table=code)

    def forget_notice(self) -> None:
        if self.client is not None:
            self.client.forget_notice()

    def announce_turn(self) -> None:
        if self.settings.bell:
            self.bell()

    def show_window_title(self) -> None:
        """Set the title of the terminal's window. Only our own page is told the names of others there."""
        self.window_title = state.title(
            self.client_state.table, tells_all=self.terminal.is_our_page
        )
        if self.terminal_driver is not None:
            self.terminal_driver.set_title(self.window_title if self.settings.title else "")

    # Screens

    def _screen_for(self, client_state: ClientState) -> type[BaseScreen]:
        if self.client is None:
            return self.offline
        if isinstance(client_state.link, Closed):
            return start_screen() if self.local.is_alone else connect_screen()
        if self.local.offers_to_resume:
            return type(self.base_screen)
        if client_state.table is not None:
            return TableScreen
        if (
            client_state.welcomed
            and self.client.session.table is None
            and not self._waits_for_table()
        ):
            return lobby_screen()
        return type(self.base_screen)

    def _waits_for_table(self) -> bool:
        """Whether a table comes first, and the lobby only if there is none."""
        client = self.client
        if client is None or not (self.launch.setup or self.launch.table):
            return False
        return isinstance(self.base_screen, self.offline) and any(
            isinstance(command, protocol.Make | protocol.Join) for command in client.session.pending
        )

    @property
    def base_screen(self) -> BaseScreen:
        """The full screen under the dialogs that lie over it."""
        found = (each for each in reversed(self.screen_stack) if isinstance(each, BaseScreen))
        return next(each for each in found if not each.lies_over)

    def present(self, client_state: ClientState) -> None:
        """Show a newer client state, as far as it is its time."""
        self.presenter.take(client_state)
        self.show_state(self.client_state)

    def show_state(self, client_state: ClientState) -> None:
        """Go to the screen that belongs to a client state, and show it there."""
        self.show_window_title()
        wanted = self._screen_for(client_state)
        if type(self.base_screen) is not wanted:
            self._close_dialogs()
            self.switch_screen(wanted())
            self._check_size()
        elif self.base_screen.laid_out:
            self.base_screen.show(client_state)

    def on_resize(self, event: events.Resize) -> None:
        self._check_size(event.size)
        fit_all(self.screen_stack, event.size)

    def _check_size(self, size: Size | None = None) -> None:
        is_small = is_too_small(size or self.size)
        if is_small and not isinstance(self.screen, TooSmallScreen):
            self.push_screen(TooSmallScreen())
        elif isinstance(self.screen, TooSmallScreen) and not is_small:
            self.pop_screen()

    # What few look at is loaded when it is wanted.

    def action_help(self) -> None:
        from diadem_client.ui.screens.help import HelpScreen  # noqa: PLC0415

        self.push_screen(HelpScreen(self.screen))

    def show_rules(self, game: str, clause: str = "") -> None:
        from diadem_client.ui.screens.help import RulesScreen  # noqa: PLC0415

        self.push_screen(RulesScreen(game, clause))

    def action_settings(self) -> None:
        from diadem_client.ui.screens.settings import SettingsScreen  # noqa: PLC0415

        self.push_screen(SettingsScreen())

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            palette = CommandPalette(providers=[Palette], placeholder=_("What do you want to do?"))
            self.push_screen(palette)

    async def action_quit(self) -> None:
        """Leave; whoever has a server for others is asked first what becomes of it."""
        if self.local.open_port is None:
            self.quit()
        else:
            self.local.ask_what_becomes_of_host()

    def quit(self) -> None:
        self.is_closing = True
        self.exit()

    def terminate(self) -> None:
        self.quit()

    def on_key(self, event: events.Key) -> None:
        """At a table moves are typed whatever lies over it."""
        # Another key may come once the last screen is closed: nothing is asked of any screen for it.
        if event.key != "f6" or isinstance(self.screen, BaseScreen | TooSmallScreen):
            return
        table = self.base_screen
        if isinstance(table, TableScreen):
            event.prevent_default()  # or the table, on top again, would take the same key once more
            self._close_dialogs()
            table.action_type_moves()

    def _close_dialogs(self) -> None:
        while self.screen is not self.base_screen:
            self.pop_screen()

    def change_settings(self, settings: Settings) -> None:
        """Save new settings and apply them at once."""
        if settings == self.settings:
            return
        before, self.settings = self.settings, settings
        self.store.save(settings)
        self._apply_theme()
        self.show_window_title()
        self.presenter.tell_pause()
        if settings.language != before.language:
            i18n.set_language(settings.language or None)
            self._retranslate()
        elif settings.ascii != before.ascii and self.base_screen.laid_out:
            self.base_screen.show(self.client_state)
            self.base_screen.refresh()

    def _retranslate(self) -> None:
        """Show the screen in another language."""
        self._close_dialogs()
        self.base_screen.retranslate()

    # When something goes wrong

    def _handle_exception(self, error: Exception) -> None:
        """Keep an unhandled exception in `crash` and exit, instead of printing a traceback to the player.

        After the exit it is none: a screen that is left while it is being made lacks its parts.
        """
        if self.is_closing:
            return
        if self.is_headless:
            super()._handle_exception(error)
        else:
            self.crash = error
            self.quit()
