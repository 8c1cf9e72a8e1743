"""One of several values, in one line, between two arrows."""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from diadem_client.i18n import N_
from diadem_client.ui.actions import Action, bindings

PAGE = 10

ACTIONS = (
    Action("earlier", ("left",), N_("before"), N_("The value before this one."), in_footer=False),
    Action("later", ("right", "space"), N_("change"), N_("The next value.")),
    Action("much_earlier", ("pageup",), N_("far back"), N_("Ten values back."), in_footer=False),
    Action("much_later", ("pagedown",), N_("far on"), N_("Ten values on."), in_footer=False),
)


class AskedRow(Horizontal):
    """A question and its answer; the one that is marked has a bar and a tint."""

    DEFAULT_CSS = """
    AskedRow { height: 1; border-left: blank; padding: 0 1; }
    AskedRow:focus-within { border-left: outer $accent; background: $row; }
    AskedRow Label { width: 34; }
    AskedRow:focus-within Label { text-style: bold; }
    """


class Choice(Widget, can_focus=True):
    DEFAULT_CSS = """
    Choice { height: 1; width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }
    Choice:focus { text-style: reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    index: reactive[int] = reactive(0)

    class Changed(Message):
        def __init__(self, choice: "Choice") -> None:
            super().__init__()
            self.choice = choice

        @property
        def control(self) -> "Choice":
            return self.choice

    def __init__(
        self,
        values: Sequence[tuple[Any, str]],
        value: Any = None,
        *,
        id: str | None = None,  # noqa: A002
    ) -> None:
        """`values` are pairs of a value and what it is called."""
        super().__init__(id=id)
        self._values = list(values)
        self.set_reactive(Choice.index, self._index_of(value))

    def _index_of(self, value: Any) -> int:
        found = (
            number
            for number, (each, _) in enumerate(self._values)
            if each == value and type(each) is type(value)
        )
        return next(found, 0)

    @property
    def value(self) -> Any:
        return self._values[self.index][0]

    def choose(self, value: Any) -> None:
        self.index = self._index_of(value)

    def render(self) -> Content:
        return Content(f"\u2039 {self._values[self.index][1]} \u203a")

    def watch_index(self) -> None:
        self.post_message(self.Changed(self))

    def _go(self, steps: int) -> None:
        if abs(steps) == 1:
            self.index = (self.index + steps) % len(self._values)
        else:
            self.index = max(0, min(self.index + steps, len(self._values) - 1))

    def action_earlier(self) -> None:
        self._go(-1)

    def action_later(self) -> None:
        self._go(1)

    def action_much_earlier(self) -> None:
        self._go(-PAGE)

    def action_much_later(self) -> None:
        self._go(PAGE)

    def on_click(self, event: Click) -> None:
        self._go(1 if event.button == 1 else -1)
