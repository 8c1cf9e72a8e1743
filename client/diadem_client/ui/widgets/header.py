"""The first line of every screen: where one is, whose turn it is, and how the line is."""

from typing import Any

from rich.cells import cell_len
from textual.app import App
from textual.content import Content

from diadem_client.look import signs
from diadem_client.net.transport import Connected, Connecting, Link
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.wording.state import link_state

Part = tuple[str, str]
PILL_CSS = "bold $on-accent on $pill"
REVERSE_CSS = "bold reverse"


def heading(title: str) -> Content:
    """The first line of a screen that lies over another."""
    return Content.assemble((f"{signs.STONE.own} ", "$accent"), (title, "bold"))


class Header(FixedText):
    DEFAULT_CSS = """
    Header { height: 1; width: 100%; background: $bar; padding: 0 1; text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__(id="title")
        self._facts: list[str] = []
        self._first: list[Part | Content] = []
        self._last: list[Part] = []
        self._right: list[Part] = []

    def show(
        self,
        title: str,
        *facts: str,
        state: str = "",
        my_turn: bool = False,
        clock: str = "",
        link: Link | None = None,
        now: float = 0.0,
    ) -> None:
        """Where there is no room, facts are left out first, then the state is cut; the line at the right never is."""
        self._right = link_parts(link, now) if link is not None else []
        self._first = [heading(title)]
        self._facts = [f"  {fact}" for fact in facts if fact]
        self._last = []
        if my_turn:
            self._last += [("  ", ""), (f" {state} ", pill_css(self.app))]
        elif state:
            self._last.append((f"  {state}", ""))
        if clock:
            self._last.append((f"  {clock}", "bold $accent"))
        self._arrange()

    def on_resize(self) -> None:
        """The line at the right keeps to the edge."""
        if self._first:
            self._arrange()

    def _arrange(self) -> None:
        room = self.app.size.width - 3 - sum(cell_len(text) for text, _style in self._right)
        kept = list(self._facts)
        last = sum(cell_len(text) for text, _style in self._last)
        title = Content.assemble(*self._first).cell_length
        while kept and title + sum(map(cell_len, kept)) + last > room:
            kept.pop(0)
        facts = [(fact, "$faint") for fact in kept]
        words = Content.assemble(*self._first, *facts, *self._last)
        words = words.truncate(max(0, room), ellipsis=True, pad=True)
        self.set_text(Content.assemble(words, " ", *self._right))


def pill_css(app: App[Any]) -> str:
    """Of the one thing on a line that is on."""
    return REVERSE_CSS if app.no_color else PILL_CSS


def link_parts(link: Link, now: float) -> list[Part]:
    """A sign beside the words: a full circle for a good line, an empty one for none yet, a cross."""
    match link:
        case Connected():
            sign, style = signs.ON.own, "$good"
        case Connecting():
            sign, style = signs.OFF.own, "$accent"
        case _:
            sign, style = signs.NO.own, "bold $bad"
    trouble = "" if isinstance(link, Connected | Connecting) else "$bad"
    return [(f"{sign} ", style), (link_state(link, now), trouble or "$faint")]
