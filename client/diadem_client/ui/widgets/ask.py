"""A question before something that cannot be undone, and a choice among a few."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from diadem_client.i18n import N_
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.field import Field
from diadem_client.ui.widgets.keys import Keys
from diadem_client.ui.widgets.words import Words

CLOSE = Action("close", ("escape", "f10"), N_("back"), N_("Close this and change nothing."))
BOX = """
{name} {{ align: center middle; }}
{name} > Vertical {{
    width: 64; max-width: 100%; height: auto; max-height: 100%;
    border: solid $primary; background: $surface; padding: 0 1;
}}
{name} Words {{ height: auto; }}
{name} Input {{ margin: 1 0 0 0; }}
{name} OptionList {{ height: auto; max-height: 12; margin: 1 0 0 0; }}
"""


class Ask(ModalScreen[bool]):
    """Yes or no; y and Enter say yes."""

    ACTIONS = (
        Action("yes", ("enter", "y", "j", "o"), N_("yes"), N_("Do it.")),
        Action("close", ("n", "escape", "q", "backspace"), N_("no"), N_("Leave it.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = BOX.format(name="Ask")

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Words(self._question)
        yield Keys()

    def action_yes(self) -> None:
        self.dismiss(result=True)

    def action_close(self) -> None:
        self.dismiss(result=False)


class Choices(OptionList):
    ACTIONS = (Action("select", ("enter",), N_("choose"), N_("Choose what is marked.")),)
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)


class Pick(ModalScreen[str | None]):
    """One of a few."""

    ACTIONS = (
        Action("close", ("escape", "q", "backspace"), N_("back"), N_("Close this without choice.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = BOX.format(name="Pick")

    def __init__(self, question: str, among: Sequence[tuple[str, str]]) -> None:
        """`among` are pairs of a value and what it is called."""
        super().__init__()
        self._question = question
        self._among = among

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Words(self._question)
            options = [Option(words, id=value) for value, words in self._among]
            yield Choices(*options, markup=False, compact=True)
        yield Keys()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)

    def action_close(self) -> None:
        self.dismiss(None)


class Type(ModalScreen[str | None]):
    """A few letters."""

    BINDINGS: ClassVar[list[BindingType]] = bindings((CLOSE,))
    DEFAULT_CSS = BOX.format(name="Type")

    def __init__(self, question: str, longest: int = 20) -> None:
        super().__init__()
        self._question = question
        self._longest = longest

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Words(self._question)
            yield Field(max_length=self._longest)
        yield Keys()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def action_close(self) -> None:
        self.dismiss(None)
