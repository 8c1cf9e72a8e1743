"""One of several values, in one line, between two arrows."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.reactive import reactive
from textual.widget import Widget

from diadem_client.i18n import N_
from diadem_client.ui.actions import Action, bindings

PAGE = 10

ACTIONS = (
    Action(
        "earlier",
        ("left",),
        N_("before"),
        N_("The value before this one."),
        in_footer=False,
        at_once=True,
    ),
    Action("later", ("right", "space"), N_("change"), N_("The next value."), at_once=True),
    Action(
        "much_earlier",
        ("pageup",),
        N_("far back"),
        N_("Ten values back."),
        in_footer=False,
        at_once=True,
    ),
    Action(
        "much_later",
        ("pagedown",),
        N_("far on"),
        N_("Ten values on."),
        in_footer=False,
        at_once=True,
    ),
)


class AskedRow(Horizontal):
    """A question and its answer; the one that is marked has a bar and a tint."""

    DEFAULT_CSS = """
    AskedRow { height: 1; border-left: blank; padding: 0 1; }
    AskedRow:focus-within { border-left: outer $accent; background: $row; }
    AskedRow Label { width: 34; }
    AskedRow:focus-within Label { text-style: bold; }
    """

    def on_click(self) -> None:
        """The question leads to its answer."""
        self.children[-1].focus()


class Choice(Widget, can_focus=True):
    DEFAULT_CSS = """
    Choice { height: 1; width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }
    Choice:focus { text-style: reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    index: reactive[int] = reactive(0)

    def __init__(
        self,
        values: Sequence[tuple[Any, str]],
        value: Any = None,
        *,
        id: str | None = None,  # noqa: A002
        follow: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """`values` are pairs of a value and what it is called.

        `follow` is called with the id, after each change and before the next key is heeded.
        """
        super().__init__(id=id)
        self._follow = follow
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
    def values(self) -> Sequence[Any]:
        return [value for value, _ in self._values]

    @property
    def value(self) -> Any:
        return self._values[self.index][0]

    async def choose(self, value: Any) -> None:
        await self._set(self._index_of(value))

    def render(self) -> Content:
        return Content(f"\u2039 {self._values[self.index][1]} \u203a")

    async def _set(self, index: int) -> None:
        if index != self.index:
            self.index = index
            if self._follow is not None:
                await self._follow(self.id or "")

    async def _go(self, steps: int) -> None:
        if abs(steps) == 1:
            await self._set((self.index + steps) % len(self._values))
        else:
            await self._set(max(0, min(self.index + steps, len(self._values) - 1)))

    async def action_earlier(self) -> None:
        await self._go(-1)

    async def action_later(self) -> None:
        await self._go(1)

    async def action_much_earlier(self) -> None:
        await self._go(-PAGE)

    async def action_much_later(self) -> None:
        await self._go(PAGE)

    async def on_click(self, event: Click) -> None:
        """The arrow at the left leads back, anything else on."""
        await self._go(1 if event.button == 1 and event.x > 1 else -1)
