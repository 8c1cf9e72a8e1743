"""A server of one's own: how the others come to it."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from diadem_client.board.canvas import Canvas, Ink, wrapped
from diadem_client.board.emblem import CROWN_HEIGHT, CROWN_WIDTH, draw_crown
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.local.host import addresses
from diadem_client.state.invitation import client_line
from diadem_client.state.picture import Picture
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import GLOBAL_ACTIONS, BaseScreen
from diadem_client.ui.widgets.drawing import Drawing
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import heading
from diadem_client.ui.widgets.key_hints import KeyHints

LEFT = 6
WIDEST = 70


class Invitation(Drawing):
    DEFAULT_CSS = "Invitation { height: 1fr; width: 100%; }"
    typed: tuple[str, ...] = ()
    """What others may type, by the networks that this machine is on."""
    is_open = False

    def draw(self, canvas: Canvas) -> None:
        width = min(WIDEST, canvas.width - 4)
        left, y = max(2, (canvas.width - width) // 2), 1
        if canvas.height > 16:
            draw_crown(canvas, (canvas.width - CROWN_WIDTH) // 2, y)
            y += CROWN_HEIGHT + 1
        title = _("Your server is open.") if self.is_open else _("Starting your server ...")
        canvas.put(left, y, title, Ink.KEY)
        if not self.is_open:
            return
        y += 2
        for line in wrapped(self._how(), width):
            canvas.put(left, y, line, Ink.PLAIN)
            y += 1
        for typed in self.typed:
            canvas.put(left + 3, y, typed, Ink.STRONG)
            y += 1
        y += 1
        for line in wrapped(
            _(
                "Whoever is on your network can come in. The server ends with you, unless you say"
                " otherwise as you quit."
            ),
            width,
        ):
            canvas.put(left, y, line, Ink.FAINT)
            y += 1

    def _how(self) -> str:
        if not self.typed:
            return _("This machine is on no network: only who sits at it can come.")
        return _("The others find it with j in their menu, or type:")


class HostScreen(BaseScreen):
    ACTIONS = (
        Action("enter", ("enter",), N_("to the tables"), N_("Go to the tables of your server.")),
        Action("copy", ("c",), N_("copy"), N_("Copy what the others type.")),
        Action("stop", ("x",), N_("end it"), N_("End your server.")),
        Action("back", ("escape", "q", "f10"), N_("back"), N_("Back to the menu; it stays open.")),
        *GLOBAL_ACTIONS,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def compose(self) -> ComposeResult:
        yield FixedText(heading(_("Host here")), id="title")
        yield Invitation()
        yield FixedText(id="notice")
        yield KeyHints()

    def on_mount(self) -> None:
        self.begin()
        self.diadem.local.open_host()

    def show(self, picture: Picture) -> None:
        port = self.diadem.local.open_port
        sheet = self.query_one(Invitation)
        sheet.is_open = port is not None
        if port is not None:
            sheet.typed = tuple(client_line(each) for each in addresses(port))
        sheet.redraw()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"enter", "stop"}:
            return self.diadem.local.open_port is not None
        if action == "copy":
            return bool(self.laid_out and self.query_one(Invitation).typed)
        return super().check_action(action, parameters)

    def action_enter(self) -> None:
        self.diadem.local.go_to_own_server()

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self.query_one(Invitation).typed[0])
        self.show_notice(_("Copied, if your terminal lets programs copy."))

    def action_stop(self) -> None:
        self.diadem.local.stop_hosting()
        self.diadem.go_home(_("Your server has ended."))

    def action_back(self) -> None:
        self.diadem.go_home()
