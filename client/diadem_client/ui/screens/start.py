"""The menu that all begins with, and where every way back ends."""

from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Center, Vertical

from diadem_client import VERSION
from diadem_client.board.canvas import Canvas, Ink, cells_of
from diadem_client.board.emblem import (
    CROWN_HEIGHT,
    CROWN_WIDTH,
    LOGO_HEIGHT,
    LOGO_WIDTH,
    draw_crown,
    draw_logo,
)
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.net.transport import Closed
from diadem_client.state.client_state import ClientState
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import GLOBAL_ACTIONS, BaseScreen
from diadem_client.ui.screens.games import GamesScreen
from diadem_client.ui.widgets.drawing import Drawing
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.ui.widgets.menu import Entry, Menu
from diadem_client.wording.refusals import sentence_for

WHOLE = CROWN_HEIGHT + 1 + LOGO_HEIGHT + 2
"""Rows of the mark, the name, and the line below them."""
LOW = 23
"""In fewer rows the mark is left out."""
TIGHT = 25
"""In fewer rows it would stand at the upper edge."""


class Title(Drawing):
    DEFAULT_CSS = f"Title {{ width: 100%; height: {WHOLE}; }}"

    def draw(self, canvas: Canvas) -> None:
        y = 0
        if canvas.height >= WHOLE:
            draw_crown(canvas, (canvas.width - CROWN_WIDTH) // 2, 0)
            y = CROWN_HEIGHT + 1
        draw_logo(canvas, (canvas.width - LOGO_WIDTH) // 2, y)
        words = _("board games for a few good friends")
        canvas.put((canvas.width - cells_of(words)) // 2, y + LOGO_HEIGHT + 1, words, Ink.FAINT)


class StartScreen(BaseScreen):
    ACTIONS = (
        Action("play", ("p",), N_("play"), N_("Play alone, against bots."), in_footer=False),
        Action("join", ("j",), N_("join"), N_("Go to a server where others are."), in_footer=False),
        Action("host", ("h",), N_("host"), N_("Let others come to you."), in_footer=False),
        Action("learn", ("l",), N_("learn"), N_("Learn a game by playing it."), in_footer=False),
        Action(
            "look_back",
            ("k",),
            N_("look back"),
            N_("See the matches that you have played."),
            in_footer=False,
        ),
        Action(
            "set_up",
            ("s",),
            N_("settings"),
            N_("Name, colours, language, sound."),
            in_footer=False,
        ),
        Action("leave", ("q",), N_("quit"), N_("Leave Diadem; your seat is kept.")),
        Action("stay", ("escape",), N_("back"), N_("There is nothing further back."), False),  # noqa: FBT003
        *(
            replace(each, in_footer=False) if each.id == "settings" else each
            for each in GLOBAL_ACTIONS
        ),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = f"""
    StartScreen #middle {{ align: center middle; height: 1fr; }}
    StartScreen Menu {{ width: 60; max-width: 100%; margin: 2 0 0 0; }}
    StartScreen.-tight Menu, StartScreen.-low Menu {{ margin: 1 0 0 0; }}
    StartScreen.-low Title {{ height: {LOGO_HEIGHT + 2}; }}
    """

    def compose(self) -> ComposeResult:
        with Vertical(id="middle"):
            yield Title()
            yield Center(Menu(self._entries()))
        yield FixedText(id="notice")
        yield KeyHints(corner=VERSION)

    def _entries(self) -> list[Entry]:
        hosted = self.diadem.launch.address is not None
        join = _("to the tables of this server") if hosted else _("one nearby, or by its address")
        entries = [
            Entry("play", "P", _("Play alone"), _("against bots, as strong as you like")),
            Entry("join", "J", _("Join"), join),
            Entry("host", "H", _("Host here"), self._hosting()),
            Entry("learn", "L", _("Learn"), _("a first game, step by step")),
            Entry("look_back", "K", _("Look back"), _("what you have played from here")),
            Entry("set_up", "S", _("Settings"), _("name, colours, language, sound")),
            Entry("leave", "Q", _("Quit"), ""),
        ]
        return [each for each in entries if self.check_action(each.id, ())]

    def on_mount(self) -> None:
        self._fit()
        self.query_one(Menu).focus()
        self.begin()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        self.set_class(self.app.size.height < LOW, "-low")
        self.set_class(self.app.size.height < TIGHT, "-tight")

    def show(self, client_state: ClientState) -> None:
        if isinstance(client_state.link, Closed):
            self.show_notice(sentence_for(client_state.link.why))
        elif self.diadem.local.is_starting or self.diadem.client is not None:
            self.show_notice(_("Laying the table ..."))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"play", "host", "look_back"}:
            return self.diadem.local.servers is not None
        return super().check_action(action, parameters)

    def on_menu_chosen(self, message: Menu.Chosen) -> None:
        getattr(self, f"action_{message.id}")()

    def action_play(self) -> None:
        def play(game: str | None) -> None:
            if game:
                self.diadem.local.play(game)
                self.show(self.client_state)

        self.app.push_screen(GamesScreen(_("Which game?")), play)

    def action_join(self) -> None:
        self.diadem.join()

    def _hosting(self) -> str:
        if self.diadem.local.open_port is None:
            return _("let others come to you")
        return _("your server is open")

    def action_host(self) -> None:
        from diadem_client.ui.screens.host import HostScreen  # noqa: PLC0415, few host

        self.diadem.go_offline(HostScreen)

    def action_learn(self) -> None:
        self.choose_lesson()

    def action_look_back(self) -> None:
        self.look_back(is_at_server=False)

    def action_set_up(self) -> None:
        self.diadem.action_settings()

    async def action_leave(self) -> None:
        await self.diadem.action_quit()

    def action_stay(self) -> None:
        self.show_notice(_("Press q to leave Diadem."))
