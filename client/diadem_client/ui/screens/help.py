"""Help: what every key does here, and the rules of the games in our own words."""

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen

from diadem_client.i18n import N_, after_colon
from diadem_client.i18n import gettext as _
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.fixed_text import FixedText, lines
from diadem_client.ui.widgets.key_hints import KeyHints, active_actions, key_label
from diadem_client.ui.widgets.overlay import FRAME_CSS, Overlay
from diadem_client.wording.options import game_name
from diadem_client.wording.rules import rules_of


class _Reading(Overlay[None]):
    """Something to read, scrolled with the arrows."""

    ACTIONS = (
        Action("close", ("escape", "q", "backspace", "f1", "f10"), N_("back"), N_("Close this.")),
        Action("scroll", ("pagedown", "space"), N_("further"), N_("Read on.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, title: str, body: Content) -> None:
        super().__init__()
        self._heading = title
        self._body = body

    def compose(self) -> ComposeResult:
        with Vertical(id="frame") as frame:
            frame.border_title = self._heading
            with VerticalScroll():
                yield FixedText(self._body, id="body")
        yield KeyHints()

    def action_close(self) -> None:
        self.dismiss()

    def action_scroll(self) -> None:
        self.query_one(VerticalScroll).scroll_page_down(animate=False)


class HelpScreen(_Reading):
    DEFAULT_CSS = (
        FRAME_CSS.format(name="HelpScreen", height=19)
        + """
    HelpScreen VerticalScroll { padding: 1 1; height: 1fr; scrollbar-size-vertical: 1; }
    HelpScreen #body { height: auto; }
    """
    )

    def __init__(self, about: Screen[object]) -> None:
        super().__init__(_("Keys that do something here"), lines(_keys(about)))


class RulesScreen(_Reading):
    DEFAULT_CSS = (
        FRAME_CSS.format(name="RulesScreen", height="1fr")
        + """
    RulesScreen #frame { width: 78; padding: 0; }
    RulesScreen VerticalScroll { padding: 1 1; height: 1fr; scrollbar-size-vertical: 1; }
    RulesScreen #body { height: auto; }
    """
    )

    def __init__(self, game: str) -> None:
        title = _("{game}: the rules").format(game=game_name(game))
        super().__init__(title, Content(rules_of(game)))


def _keys(screen: Screen[object]) -> Iterator[Content]:
    for _node, binding, *_rest in active_actions(screen):
        key = Content.styled(f"{key_label(binding.key):>10}", "bold $accent")
        yield Content.assemble(key, f"  {_(binding.description)}{after_colon(_(binding.tooltip))}")
