"""A list that is drawn, a row each, of which one is marked."""

from typing import ClassVar

from textual.binding import BindingType
from textual.events import Click
from textual.message import Message

from diadem_client.board.canvas import Canvas, Rect
from diadem_client.i18n import N_
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.drawing import Drawing

HEAD = 2
"""Rows above the list."""
PAGE = 8


class Rows(Drawing, can_focus=True):
    ACTIONS = (
        Action("down", ("down",), N_("next"), N_("To the next line."), in_footer=False),
        Action("up", ("up",), N_("previous"), N_("To the line before."), in_footer=False),
        Action("page_down", ("pagedown",), N_("further"), N_("Some lines on."), in_footer=False),
        Action("page_up", ("pageup",), N_("back up"), N_("Some lines back."), in_footer=False),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    class Marked(Message):
        """Another row is marked now."""

    class Clicked(Message):
        """The marked row was clicked once more."""

    at = 0
    """Which one is marked."""

    @property
    def count(self) -> int:
        raise NotImplementedError

    def draw_row(self, canvas: Canvas, number: int, y: int, *, marked: bool) -> None:
        raise NotImplementedError

    def draw_rows(self, canvas: Canvas) -> None:
        """As many as there is room for, around the one that is marked."""
        room = max(1, canvas.height - HEAD)
        first = max(0, min(self.at - room // 2, self.count - room))
        for y, number in enumerate(range(first, min(first + room, self.count)), start=HEAD):
            canvas.place(Rect(0, y, canvas.width, 1), number)
            if number == self.at:
                canvas.fill(Rect(1, y, canvas.width - 2, 1), "row")
                canvas.put(1, y, canvas.sign(signs.MARKED), Paint("accent"))
            self.draw_row(canvas, number, y, marked=number == self.at)

    def mark(self, number: int) -> None:
        self.at = max(0, min(number, self.count - 1))
        self.redraw()
        self.post_message(self.Marked())

    def _go(self, steps: int) -> None:
        if self.count:
            self.mark(self.at + steps)

    def action_down(self) -> None:
        self._go(1)

    def action_up(self) -> None:
        self._go(-1)

    def action_page_down(self) -> None:
        self._go(PAGE)

    def action_page_up(self) -> None:
        self._go(-PAGE)

    def on_click(self, event: Click) -> None:
        at = self.placed_at(event.x, event.y)
        if at == self.at:
            self.post_message(self.Clicked())
        elif at is not None:
            self.mark(at)
