"""A short list to choose from: a key, a word and what it means, a row each."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from textual.binding import BindingType
from textual.events import Click
from textual.message import Message

from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted
from diadem_client.i18n import N_
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.drawing import Drawing

INDENT = 3
GAP = 3


class Entry(Struct, frozen=True):
    id: str
    key: str
    """What is printed on its key; empty if it has none."""
    label: str
    about: str = ""


class Menu(Drawing, can_focus=True):
    ACTIONS = (
        Action("down", ("down", "tab"), N_("next"), N_("To the next line."), in_footer=False),
        Action(
            "up", ("up", "shift+tab"), N_("previous"), N_("To the line before."), in_footer=False
        ),
        Action("choose", ("enter", "space"), N_("choose"), N_("Choose what is marked.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = "Menu { height: auto; width: 100%; }"

    class Marked(Message):
        """Another entry is marked now."""

        def __init__(self, id_: str) -> None:
            super().__init__()
            self.id = id_

    class Chosen(Marked):
        """An entry was chosen."""

    def __init__(self, entries: Sequence[Entry] = (), *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._entries = tuple(entries)
        self._at = 0

    def show(self, entries: Sequence[Entry]) -> None:
        """The same entry stays marked if it is still there."""
        marked = self.marked
        self._entries = tuple(entries)
        self.mark(marked)
        self.refresh(layout=True)

    @property
    def marked(self) -> str:
        return self._entries[self._at].id if self._entries else ""

    def mark(self, id_: str) -> None:
        ids = [entry.id for entry in self._entries]
        self._at = ids.index(id_) if id_ in ids else 0
        self.redraw()

    def get_content_height(self, *_given: object) -> int:
        return len(self._entries)

    def draw(self, canvas: Canvas) -> None:
        keys = max((cells_of(entry.key) for entry in self._entries), default=0)
        labels = INDENT + keys + (2 if keys else 0)
        abouts = labels + GAP + max((cells_of(entry.label) for entry in self._entries), default=0)
        for y, entry in enumerate(self._entries):
            marked = y == self._at
            if marked:
                canvas.fill(Rect(0, y, canvas.width, 1), "row")
                canvas.put(1, y, canvas.sign(signs.TURN), Paint("accent"))
            canvas.put(INDENT, y, entry.key, Ink.KEY)
            canvas.put(labels, y, entry.label, Ink.STRONG if marked else Ink.PLAIN)
            canvas.put(abouts, y, fitted(entry.about, canvas.width - abouts), Ink.FAINT)
            canvas.place(Rect(0, y, canvas.width, 1), y)

    def _go(self, steps: int) -> None:
        if self._entries:
            self._at = (self._at + steps) % len(self._entries)
            self.redraw()
            self.post_message(self.Marked(self.marked))

    def action_down(self) -> None:
        self._go(1)

    def action_up(self) -> None:
        self._go(-1)

    def action_choose(self) -> None:
        if self._entries:
            self.post_message(self.Chosen(self.marked))

    def on_click(self, event: Click) -> None:
        at = self.placed_at(event.x, event.y)
        if at is not None:
            self._at = at
            self.redraw()
            self.action_choose()
