"""Help: what every key does here, and the rules of the games in our own words."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from diadem_client.board.canvas import wrapped
from diadem_client.i18n import N_, after_colon
from diadem_client.i18n import gettext as _
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.fixed_text import lines
from diadem_client.ui.widgets.key_hints import KeyHints, active_actions, key_label
from diadem_client.ui.widgets.overlay import FRAME_CSS, Overlay
from diadem_client.ui.widgets.paragraphs import Paragraphs
from diadem_client.wording.options import game_name
from diadem_client.wording.rules import rules_of

GAP = 2
"""Columns between a key and its words."""


class _Reading(Overlay[None]):
    """Something to read, scrolled with the arrows."""

    ACTIONS = (
        Action("close", ("escape", "q", "backspace", "f1", "f10"), N_("back"), N_("Close this.")),
        Action("scroll", ("pagedown", "space"), N_("further"), N_("Read on.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, title: str, body: Widget) -> None:
        super().__init__()
        self._heading = title
        self._body = body

    def compose(self) -> ComposeResult:
        with Vertical(id="frame") as frame:
            frame.border_title = self._heading
            with VerticalScroll():
                yield self._body
        yield KeyHints()

    def action_close(self) -> None:
        self.dismiss()

    def action_scroll(self) -> None:
        self.query_one(VerticalScroll).scroll_page_down(animate=False)


class HelpScreen(_Reading):
    DEFAULT_CSS = (
        FRAME_CSS.format(name="HelpScreen", height=19)
        + """
    HelpScreen VerticalScroll { padding: 1 0 1 1; height: 1fr; scrollbar-size-vertical: 1; }
    HelpScreen #body { height: auto; margin: 0 1 0 0; }
    """
    )

    def __init__(self, about: Screen[object]) -> None:
        super().__init__(_("Keys that do something here"), KeyList(list(_keys(about))))


class RulesScreen(_Reading):
    DEFAULT_CSS = (
        FRAME_CSS.format(name="RulesScreen", height="1fr")
        + """
    RulesScreen #frame { width: 78; padding: 0; }
    RulesScreen VerticalScroll { padding: 1 0 1 1; height: 1fr; scrollbar-size-vertical: 1; }
    RulesScreen #body { height: auto; margin: 0 1 0 0; }
    """
    )

    def __init__(self, game: str, clause: str = "") -> None:
        """Opened where a clause is told, if one is named."""
        title = _("{game}: the rules").format(game=game_name(game))
        rules = rules_of(game)
        self._rules = Paragraphs(rules.text, rules.clauses.get(clause, range(0)))
        super().__init__(title, self._rules)

    def on_mount(self) -> None:
        """Whenever the text is laid out, at first, too: the clause is in other rows then."""
        self.watch(self.query_one(VerticalScroll), "virtual_size", self._laid_out)

    def _laid_out(self) -> None:
        self.call_after_refresh(self._go_to_clause)

    def _go_to_clause(self) -> None:
        if rows := self._rules.marked_rows():
            scroll = self.query_one(VerticalScroll)
            above = max(0, scroll.size.height - len(rows)) // 2
            scroll.scroll_to(y=rows.start - above, animate=False, force=True)


class ReasonsScreen(_Reading):
    DEFAULT_CSS = (
        FRAME_CSS.format(name="ReasonsScreen", height="1fr")
        + """
    ReasonsScreen #frame { width: 78; padding: 0; }
    ReasonsScreen VerticalScroll { padding: 1 0 1 1; height: 1fr; scrollbar-size-vertical: 1; }
    ReasonsScreen #body { height: auto; margin: 0 1 0 0; }
    """
    )

    def __init__(self, told: str) -> None:
        super().__init__(_("Why the bots moved so"), Paragraphs(told))


class KeyList(Widget):
    """Keys and what they do. What takes more than a row goes on below its own words, not below its key."""

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__(id="body")
        self._keys = keys

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._set(width).plain.count("\n") + 1

    def render(self) -> Content:
        return self._set(self.size.width)

    def _set(self, width: int) -> Content:
        column = max((cell_len(key) for key, _words in self._keys), default=0)
        rows = []
        for key, words in self._keys:
            first, *others = wrapped(words, max(1, width - column - GAP)) or [""]
            shown = Content.styled(" " * (column - cell_len(key)) + key, "bold $accent")
            rows.append(Content.assemble(shown, " " * GAP, first))
            rows += [Content(" " * (column + GAP) + other) for other in others]
        return lines(rows)


def _keys(screen: Screen[object]) -> Iterator[tuple[str, str]]:
    for _node, binding, *_rest in active_actions(screen):
        words = _(binding.description) + after_colon(_(binding.tooltip))
        yield key_label(binding.key), words
