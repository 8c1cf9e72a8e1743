"""Where to play, and as whom."""

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Grid, Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Label, OptionList

from diadem_client.board.canvas import Canvas
from diadem_client.board.emblem import CROWN_HEIGHT, CROWN_WIDTH, draw_crown
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.net.address import BadAddress, read_address
from diadem_client.net.discovery import DiscoveredServer
from diadem_client.net.transport import Closed
from diadem_client.refusals import ClientCode
from diadem_client.state.client_state import ClientState
from diadem_client.ui.actions import FORTH_AND_BACK, Action, bindings
from diadem_client.ui.focus import move_focus
from diadem_client.ui.screens.base import GLOBAL_ACTIONS, BaseScreen
from diadem_client.ui.widgets.drawing import Drawing
from diadem_client.ui.widgets.field import Field
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import heading
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.ui.widgets.servers import Servers
from diadem_client.wording.refusals import sentence_for
from diadem_shared.protocol import LONGEST_NAME
from diadem_shared.refusals import Code, Refusal

ABOUT_THE_NAME = frozenset({Code.NAME_EMPTY, Code.NAME_IN_USE, Code.NAME_MIXED, Code.NAME_TOO_LONG})
ABOUT_THE_PASSWORD = frozenset({Code.PASSWORD_NEEDED, Code.PASSWORD_WRONG, Code.TOO_MANY_GUESSES})
FIELDS = ("host", "name", "password")
LONGEST_HOST = 260
LONGEST_PASSWORD = 200
LOW = 22
"""In fewer rows the mark is left out."""


class Mark(Drawing):
    DEFAULT_CSS = f"Mark {{ width: {CROWN_WIDTH + 4}; height: {CROWN_HEIGHT + 1}; }}"

    def draw(self, canvas: Canvas) -> None:
        draw_crown(canvas, 0, 0)


class ConnectScreen(BaseScreen):
    ACTIONS = (
        Action("connect", ("f2",), N_("connect"), N_("Go to this server (Enter does it too).")),
        Action(
            "servers",
            ("f3",),
            N_("servers"),
            N_("Choose among the servers found or used before."),
        ),
        Action("abandon", ("escape",), N_("stop"), N_("Stop trying.")),
        Action("back", ("escape", "f10"), N_("back"), N_("Back to the menu.")),
        *(replace(action, in_footer=False) for action in FORTH_AND_BACK),
        *GLOBAL_ACTIONS,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    ConnectScreen #middle { align: center middle; height: 1fr; padding: 0 2; }
    ConnectScreen #middle > * { width: 72; max-width: 100%; }
    ConnectScreen #head { height: auto; margin: 0 0 1 0; }
    ConnectScreen #found { height: 1; color: $faint; }
    ConnectScreen.-asks-password Servers { max-height: 4; }
    ConnectScreen Grid { grid-size: 2; grid-columns: 14 1fr; grid-rows: 2; height: auto; }
    ConnectScreen Label { width: 12; text-align: right; color: $faint; }
    ConnectScreen Field { padding: 0 1 0 0; border-left: blank !important; }
    ConnectScreen Field:focus { border-left: outer $accent !important; }
    ConnectScreen .secret { display: none; }
    ConnectScreen.-asks-password .secret { display: block; }
    ConnectScreen.-hosted #intro, ConnectScreen.-hosted .where { display: none; }
    ConnectScreen.-low Mark { display: none; }
    ConnectScreen #intro { height: auto; width: 1fr; padding: 1 0 0 0; }
    ConnectScreen.-low #intro { padding: 0; }
    ConnectScreen #why { height: 2; margin: 1 0 0 0; text-style: bold; }
    """

    class ServersDiscovered(Message):
        def __init__(self, heard: tuple[DiscoveredServer, ...]) -> None:
            super().__init__()
            self.heard = heard

    def __init__(self, typed: Mapping[str, str] | None = None) -> None:
        """With what stood in the fields before."""
        super().__init__()
        self._typed = typed
        self._heard: tuple[DiscoveredServer, ...] = ()
        self._looks = False
        self._servers = Servers()

    def compose(self) -> ComposeResult:
        launch = self.diadem.launch
        typed = self._typed or dict(zip(FIELDS, (launch.host, launch.name, ""), strict=True))
        yield FixedText(heading(_("Join")), id="title")
        with Vertical(id="middle"):
            with Horizontal(id="head"):
                yield Mark()
                yield FixedText(_intro(), id="intro")
            with Grid():
                yield Label(_("Server"), markup=False, classes="where")
                yield Field(
                    typed["host"],
                    placeholder="games.example:7453",
                    max_length=LONGEST_HOST,
                    id="host",
                    classes="where",
                    compact=True,
                )
                yield Label(_("Your name"), markup=False)
                yield Field(
                    typed["name"],
                    placeholder=_("as the others know you"),
                    max_length=LONGEST_NAME,
                    id="name",
                    compact=True,
                )
                yield Label(_("Password"), markup=False, classes="secret")
                yield Field(
                    typed["password"],
                    password=True,
                    max_length=LONGEST_PASSWORD,
                    id="password",
                    classes="secret",
                    compact=True,
                )
            yield FixedText(id="why")
            yield FixedText(id="found")
            yield self._servers
        yield KeyHints()

    def on_resize(self) -> None:
        self.set_class(self.app.size.height < LOW, "-low")

    def on_mount(self) -> None:
        self._focus_first_gap()
        self.begin()

    def _focus_first_gap(self) -> None:
        host, name = self.query_one("#host", Input), self.query_one("#name", Input)
        hosted = self.diadem.launch.address is not None
        self.set_class(hosted, "-hosted")
        (name if hosted or (host.value and not name.value) else host).focus()

    def show(self, client_state: ClientState) -> None:
        self._look(on=self.diadem.asks_where)
        match client_state.link:
            case Closed(why):
                self._say_why(why)
            case _ if self.diadem.client is not None:
                server = self.diadem.client.address
                self.show_notice(_("Connecting to {server} ...").format(server=server))
            case _:
                pass
        self.refresh_bindings()

    def retranslate(self) -> None:
        """What is typed already stays."""
        self.diadem.switch_screen(ConnectScreen(self._written()))

    def _written(self) -> dict[str, str]:
        return {each: self.query_one(f"#{each}", Input).value for each in FIELDS}

    # Servers on the local network

    def _look(self, *, on: bool) -> None:
        """Listen to the network only while somebody looks."""
        if on and not self._looks:
            browser = self.diadem.server_browser(self._hear)
            self.run_worker(browser.run(), group="discovery", exclusive=True)
        elif self._looks and not on:
            self.workers.cancel_group(self, "discovery")
            self._heard = ()
        self._looks = on
        self._list()

    def _hear(self, heard: tuple[DiscoveredServer, ...]) -> None:
        self.post_message(self.ServersDiscovered(heard))

    def on_connect_screen_servers_discovered(self, message: ServersDiscovered) -> None:
        if self._looks:
            self._heard = message.heard
            self._list()

    def _list(self) -> None:
        found = ""
        if self._looks:
            found = (
                _("Servers on this network:")
                if self._heard
                else _("Looking for servers on this network ...")
            )
        self.query_one("#found", FixedText).set_text(found)
        used = self.diadem.settings.servers if self._looks else ()
        self._servers.show(self._heard, used)
        self.refresh_bindings()

    def action_servers(self) -> None:
        self.set_focus(self._servers)  # at once: the next key is for the list

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        host = self._servers.host_at(event.option_index)
        self.query_one("#host", Input).value = host or ""
        self.action_connect()

    # Going there

    def show_notice(self, sentence: str | Content) -> None:
        self.query_one("#why", FixedText).set_text(sentence)

    def _say_why(self, why: Refusal) -> None:
        self.show_notice(sentence_for(why))
        if why.code in ABOUT_THE_PASSWORD:
            self.add_class("-asks-password")
            self.query_one("#password", Input).focus()
        elif why.code in ABOUT_THE_NAME:
            self.query_one("#name", Input).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"abandon", "back"}:
            tries = self.diadem.client is not None and not isinstance(
                self.client_state.link, Closed
            )
            return tries is (action == "abandon")
        if action == "servers":
            return self._servers.option_count > 0
        if action in {"next", "previous"} and self._servers.has_focus:
            return not self._servers.goes_on(1 if action == "next" else -1)  # the list's own keys
        return super().check_action(action, parameters)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_connect()

    def action_connect(self) -> None:
        host, name, password = map(str.strip, self._written().values())
        address = self.diadem.launch.address
        if not host and address is None:
            self.query_one("#host", Input).focus()
            self.show_notice(_("Type where the server is."))
            return
        if not name:
            self.query_one("#name", Input).focus()
            self.show_notice(_("Type a name that the others will know you by."))
            return
        try:
            address = address or read_address(host)
        except BadAddress:
            self.query_one("#host", Input).focus()
            self.show_notice(sentence_for(Refusal(ClientCode.BAD_ADDRESS)))
            return
        self.diadem.connect(address, name, password or None)

    def action_next(self) -> None:
        move_focus(self, 1)

    def action_previous(self) -> None:
        move_focus(self, -1)

    def action_back(self) -> None:
        self.diadem.go_home()

    def action_abandon(self) -> None:
        self.diadem.disconnect()
        self.show_notice(_("Stopped. Try again, or another server."))


def _intro() -> Content:
    question, answer = _("Where do you play?"), _("Your host tells you the address.")
    return Content.assemble((question, "bold"), "\n", (answer, "$faint"))
