"""What was played: at home all that was played from this machine, at a server what was played there."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import GLOBAL_ACTIONS
from diadem_client.ui.screens.export_action import Exporting
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import heading, pill_css
from diadem_client.ui.widgets.history import History
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.ui.widgets.puzzles import Puzzles
from diadem_client.ui.widgets.section import Section
from diadem_client.ui.widgets.standings import ServerStandings
from diadem_client.ui.widgets.statistics import OwnFigures

SECTIONS: tuple[type[Section], ...] = (History, OwnFigures, ServerStandings, Puzzles)


class LookBackScreen(Exporting):
    lies_over = True
    ACTIONS = (
        Action("next", ("tab",), N_("next page"), N_("To the next page."), at_once=True),
        Action(
            "previous",
            ("shift+tab",),
            N_("page before"),
            N_("To the page before."),
            in_footer=False,
            at_once=True,
        ),
        Action("back", ("escape", "q", "f10"), N_("back"), N_("Back to where you came from.")),
        *(replace(action, in_footer=action.id == "help") for action in GLOBAL_ACTIONS),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    LookBackScreen #pages { height: 1; width: 100%; padding: 0 1; margin: 1 0 0 0; }
    LookBackScreen.-low #pages { margin: 0; }
    """

    def __init__(self, *, is_at_server: bool) -> None:
        super().__init__()
        self.is_at_server = is_at_server
        self._sections: Sequence[Section] = [
            section()
            for section in SECTIONS
            if (section.is_at_server if is_at_server else section.is_at_home)
        ]
        self._at = 0

    def compose(self) -> ComposeResult:
        yield FixedText(id="title")
        yield FixedText(id="pages")
        yield from self._sections
        yield FixedText(id="notice")
        yield KeyHints()

    def on_mount(self) -> None:
        self.query_one(KeyHints).always_shown = frozenset({"back", "help"})
        title = _("Look back")
        if self.is_at_server:
            title = _("Look back: {server}").format(server=self.client_state.server)
        self.query_one("#title", FixedText).set_text(heading(title))
        self.query_one("#pages").display = len(self._sections) > 1
        self.begin()
        self._go_to(0)

    def _go_to(self, number: int) -> None:
        self._at = number % len(self._sections)
        for at, section in enumerate(self._sections):
            section.display = at == self._at
        names = [
            (f" {_(section.label)} ", pill_css(self.app) if at == self._at else "$faint")
            for at, section in enumerate(self._sections)
        ]
        self.query_one("#pages", FixedText).set_text(Content.assemble(*names))
        self.show_notice("")
        self._sections[self._at].begin()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"next", "previous"}:
            return len(self._sections) > 1
        return super().check_action(action, parameters)

    def action_next(self) -> None:
        self._go_to(self._at + 1)

    def action_previous(self) -> None:
        self._go_to(self._at - 1)

    def action_back(self) -> None:
        self.dismiss()
