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
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.key_hints import KeyHints

CLOSE = Action("close", ("escape", "f10"), N_("back"), N_("Close this and change nothing."))
DIALOG_CSS = """
{name} {{ align: center middle; }}
{name} > Vertical {{
    width: 64; max-width: 100%; height: auto; max-height: 100%;
    border: solid $border; background: $surface; padding: 0 1;
}}
{name} FixedText {{ height: auto; }}
{name} Input {{ margin: 1 0; padding: 0 1; }}
{name} OptionList {{ height: auto; max-height: 12; margin: 1 0 0 0; }}
"""


class ConfirmDialog(ModalScreen[bool]):
    """Yes or no; y and Enter say yes."""

    ACTIONS = (
        Action("yes", ("enter", "y", "j", "o"), N_("yes"), N_("Do it.")),
        Action("close", ("n", "escape", "q", "backspace"), N_("no"), N_("Leave it.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = DIALOG_CSS.format(name="ConfirmDialog")

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical():
            yield FixedText(self._question)
        yield KeyHints()

    def action_yes(self) -> None:
        self.dismiss(result=True)

    def action_close(self) -> None:
        self.dismiss(result=False)


class Choices(OptionList):
    ACTIONS = (Action("select", ("enter",), N_("choose"), N_("Choose what is marked.")),)
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)


class SelectDialog(ModalScreen[str | None]):
    """One of a few."""

    ACTIONS = (
        Action("close", ("escape", "q", "backspace"), N_("back"), N_("Close this without choice.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = DIALOG_CSS.format(name="SelectDialog")

    def __init__(self, question: str, among: Sequence[tuple[str, str]]) -> None:
        """`among` are pairs of a value and what it is called."""
        super().__init__()
        self._question = question
        self._among = among

    def compose(self) -> ComposeResult:
        with Vertical():
            yield FixedText(self._question)
            options = [Option(words, id=value) for value, words in self._among]
            yield Choices(*options, markup=False, compact=True)
        yield KeyHints()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)

    def action_close(self) -> None:
        self.dismiss(None)


class TextDialog(ModalScreen[str | None]):
    """A few letters."""

    BINDINGS: ClassVar[list[BindingType]] = bindings((CLOSE,))
    DEFAULT_CSS = DIALOG_CSS.format(name="TextDialog")

    def __init__(self, question: str, longest: int = 20) -> None:
        super().__init__()
        self._question = question
        self._longest = longest

    def compose(self) -> ComposeResult:
        with Vertical():
            yield FixedText(self._question)
            yield Field(max_length=self._longest, compact=True)
        yield KeyHints()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def action_close(self) -> None:
        self.dismiss(None)
