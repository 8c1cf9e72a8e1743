"""The first line of every screen: where one is, whose turn it is, and how the line is."""

from rich.cells import cell_len
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
        """The state is cut where there is no room for it; the line at the right never is."""
        right = link_parts(link, now) if link is not None else []
        width = self.app.size.width - 2
        room = width - sum(cell_len(text) for text, _style in right)
        left: list[Part | Content] = [heading(title)]
        left += [(f"  {fact}", "$faint") for fact in facts if fact]
        if my_turn:
            pill = REVERSE_CSS if self.app.no_color else PILL_CSS
            left += [("  ", ""), (f" {state} ", pill)]
        elif state:
            left.append((f"  {state}", ""))
        if clock:
            left.append((f"  {clock}", "bold $accent"))
        words = Content.assemble(*left).truncate(max(0, room - 1), ellipsis=True, pad=True)
        self.set_text(Content.assemble(words, " ", *right))


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
