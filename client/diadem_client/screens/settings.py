"""How it looks and sounds."""

from typing import TYPE_CHECKING, ClassVar, cast

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from diadem_client import themes
from diadem_client.actions import AMONG_LINES, Action, bindings
from diadem_client.text import LANGUAGES, N_
from diadem_client.text import gettext as _
from diadem_client.widgets.choice import Choice
from diadem_client.widgets.keys import Keys
from diadem_client.widgets.words import Words

if TYPE_CHECKING:
    from diadem_client.app import DiademApp


class SettingsScreen(ModalScreen[None]):
    ACTIONS = (
        Action("done", ("enter", "f2"), N_("done"), N_("Keep it so.")),
        *AMONG_LINES,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    SettingsScreen { align: center middle; }
    SettingsScreen Vertical { width: 64; height: auto; border: solid $primary; padding: 0 1;
                              background: $surface; }
    SettingsScreen Horizontal { height: 1; }
    SettingsScreen Label { width: 28; }
    SettingsScreen #note { height: 2; margin: 1 0 0 0; }
    """

    @property
    def _app(self) -> "DiademApp":
        return cast("DiademApp", self.app)

    def compose(self) -> ComposeResult:
        now = self._app.settings
        looks = [(theme, _(name)) for theme, name in themes.NAMES.items()]
        tongues = [("", _("as the system has it")), *LANGUAGES.items()]
        switch = [(False, _("off")), (True, _("on"))]
        with Vertical():
            for label, choice in (
                (_("Colours"), Choice(looks, now.theme, id="theme")),
                (_("Language"), Choice(tongues, now.language, id="language")),
                (_("Bell when it is my turn"), Choice(switch, now.bell, id="bell")),
                (_("Letters of ASCII only"), Choice(switch, now.ascii, id="ascii")),
            ):
                yield Horizontal(Label(label, markup=False), choice)
            yield Words(_("ASCII takes effect the next time Diadem is started."), id="note")
        yield Keys()

    def action_done(self) -> None:
        chosen = {
            name: self.query_one(f"#{name}", Choice).value
            for name in ("theme", "language", "bell", "ascii")
        }
        before = self._app.settings
        self.dismiss()
        self._app.change_settings(replace(before, **chosen))

    def action_next(self) -> None:
        self.focus_next()

    def action_previous(self) -> None:
        self.focus_previous()

    def action_close(self) -> None:
        self.dismiss()
