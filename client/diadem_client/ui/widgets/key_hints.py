"""The last line of every screen: which keys do something now."""

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import compress

from textual.binding import ActiveBinding, Binding
from textual.content import Content
from textual.events import Click
from textual.screen import Screen

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.ui.widgets.fixed_text import FixedText

KEY_LABELS: dict[str, str] = {
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
    "home": N_("Home"),
    "end": N_("End"),
    "up": N_("Up"),
    "down": N_("Down"),
    "left": N_("Left"),
    "right": N_("Right"),
}


def key_label(keys: str) -> str:
    """What is printed on the first key of a binding."""
    key = keys.split(",", maxsplit=1)[0]
    if key.startswith("ctrl+"):
        return f"^{key[-1].upper()}"
    if key in KEY_LABELS:
        return _(KEY_LABELS[key])
    return key.upper()


def active_actions(screen: Screen[object]) -> Iterator[ActiveBinding]:
    """The bindings of our own that do something now, the focused widget's first, each once."""
    seen = set()
    for active in screen.active_bindings.values():
        id_ = active.binding.id
        if active.enabled and id_ and id_ not in seen:
            seen.add(id_)
            yield active


MOST_OFFERS = 32
"""Offers of a pane whose line is kept."""
ALWAYS_SHOWN = frozenset({"play_on", "look", "leave", "help"})
"""Ways out of where one would be stuck: others make room for them."""


class KeyHints(FixedText):
    """As many as there is room for, the ones of the focused widget first."""

    DEFAULT_CSS = """
    KeyHints { height: 1; width: 100%; dock: bottom; text-wrap: nowrap; text-overflow: clip; }
    """

    _shown: Sequence[ActiveBinding] = ()

    def __init__(self, corner: str = "") -> None:
        """With a word that stands at the right, where there is room for it."""
        super().__init__()
        self._corner = corner
        self._told: dict[Hashable, tuple[Sequence[ActiveBinding], Content]] = {}
        """Since anything but the offer of a pane has changed: for which offer what was told."""
        self.always_shown = ALWAYS_SHOWN

    def on_mount(self) -> None:
        # At once: as a message of its own it takes a turn of the loop more, at every key that changes what others do.
        self.screen.bindings_updated_signal.subscribe(self, self._tell, immediate=True)
        self._tell(self.screen)

    def on_resize(self) -> None:
        self._tell(self.screen)

    def _tell(self, screen: Screen[object]) -> None:
        self._told.clear()
        if screen.is_attached and screen is self.screen:
            self._show(self._reckon(screen))

    def show_offer(self, offer: Hashable) -> None:
        """Follow the pane of a game, whose keys do something else now; `offer` is all that decides what they do.

        To ask every action takes as long as to paint the tile for which that is done, and the offers of a pane come again
        and again; what else the line depends on is told of by `bindings_updated_signal`.
        """
        if not self.is_attached:
            return
        what = self.screen.focused, offer
        if what not in self._told:
            if len(self._told) == MOST_OFFERS:
                self._told.clear()
            self._told[what] = self._reckon(self.screen)
        self._show(self._told[what])

    def _reckon(self, screen: Screen[object]) -> tuple[Sequence[ActiveBinding], Content]:
        shown = [active for active in active_actions(screen) if active.binding.show]
        shown.sort(key=lambda active: active.binding.id == "help")
        words = tuple(_said(each.binding) for each in shown)
        always = tuple(each.binding.id in self.always_shown for each in shown)
        kept, text = _fitted(words, always, self.app.size.width, self._corner)
        return tuple(compress(shown, kept)), text

    def _show(self, told: tuple[Sequence[ActiveBinding], Content]) -> None:
        self._shown, text = told
        self.set_text(text)

    def on_click(self, event: Click) -> None:
        """Where there is a mouse, a word here does what its key does."""
        end = 0
        for active in self._shown:
            end += _word(active.binding).cell_length
            if event.x < end:
                self.app.simulate_key(active.binding.key.split(",", maxsplit=1)[0])
                return


def _said(binding: Binding) -> tuple[str, str]:
    return key_label(binding.key), _(binding.description)


def _word(binding: Binding) -> Content:
    return _put_together(*_said(binding))


@lru_cache(128)
def _put_together(key: str, does: str) -> Content:
    return Content.assemble((f" {key}", "bold $accent"), f" {does} ")


@lru_cache(32)
def _fitted(
    said: tuple[tuple[str, str], ...], always: tuple[bool, ...], width: int, corner: str
) -> tuple[tuple[bool, ...], Content]:
    """Which of them there is room for, and the line of these: the same few come again and again."""
    words, kept = [_put_together(*each) for each in said], [*always]
    room = width - sum(word.cell_length for word in compress(words, kept))
    for at, word in enumerate(words):
        if not kept[at] and word.cell_length <= room:
            kept[at] = True
            room -= word.cell_length
    text = Content("").join(compress(words, kept))
    gap = width - text.cell_length - len(corner) - 1
    if corner and gap > 0:
        text = Content.assemble(text, " " * gap, (corner, "$faint"))
    return tuple(kept), text
