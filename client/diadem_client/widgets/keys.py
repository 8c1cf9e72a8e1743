"""The last line of every screen: which keys do something now."""

from collections.abc import Iterator

from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen

from diadem_client.text import N_
from diadem_client.text import gettext as _
from diadem_client.widgets.words import Words

CAPS: dict[str, str] = {
    "question_mark": "?",
    "escape": N_("Esc"),
    "enter": N_("Enter"),
    "space": N_("Space"),
    "tab": N_("Tab"),
    "backspace": N_("Backspace"),
    "delete": N_("Delete"),
    "full_stop": ".",
    "plus": "+",
    "minus": "-",
    "pageup": N_("PgUp"),
    "pagedown": N_("PgDn"),
    "up": N_("Up"),
    "down": N_("Down"),
    "left": N_("Left"),
    "right": N_("Right"),
}


def cap(keys: str) -> str:
    """What is printed on the first key of a binding."""
    key = keys.split(",", maxsplit=1)[0]
    if key.startswith("ctrl+"):
        return f"^{key[-1].upper()}"
    if key in CAPS:
        return _(CAPS[key])
    return key.upper()


def offered(screen: Screen[object]) -> Iterator[Binding]:
    """The bindings of our own that do something now, the focused widget's first, each once."""
    seen = set()
    for active in screen.active_bindings.values():
        binding = active.binding
        if active.enabled and binding.id and binding.id not in seen:
            seen.add(binding.id)
            yield binding


class Keys(Words):
    """As many as there is room for, the ones of the focused widget first; help always."""

    DEFAULT_CSS = """
    Keys { height: 1; width: 100%; dock: bottom; text-wrap: nowrap; text-overflow: clip; }
    """

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._tell)
        self._tell(self.screen)

    def _tell(self, screen: Screen[object]) -> None:
        if not screen.is_attached or screen is not self.screen:
            return
        shown = [binding for binding in offered(screen) if binding.show]
        last = [binding for binding in shown if binding.id == "help"]
        room = self.app.size.width - sum(_word(binding).cell_length for binding in last)
        words: list[Content] = []
        for binding in shown:
            if binding not in last and (word := _word(binding)).cell_length <= room:
                words.append(word)
                room -= word.cell_length
        self.say(Content("").join([*words, *map(_word, last)]))


def _word(binding: Binding) -> Content:
    return Content.assemble((f" {cap(binding.key)}", "bold"), f" {_(binding.description)} ")
