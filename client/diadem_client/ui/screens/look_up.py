"""Looking words up in the list of the table."""

from collections.abc import Awaitable, Callable
from typing import ClassVar, TypeAlias

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from diadem_client.i18n import gettext as _
from diadem_client.i18n import listed
from diadem_client.ui.actions import bindings
from diadem_client.ui.widgets.dialogs import CLOSE, DIALOG_CSS
from diadem_client.ui.widgets.field import Field
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_shared.protocol import LookedUp

LONGEST = 40
MOST_SPELLINGS = 8

Ask: TypeAlias = Callable[[str], Awaitable[LookedUp | str]]
"""Asks the server for a word; what it says, or a sentence why it says nothing."""


class LookUpScreen(ModalScreen[None]):
    """One word after the other, until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings((CLOSE,))
    DEFAULT_CSS = DIALOG_CSS.format(name="LookUpScreen")

    def __init__(self, ask: Ask) -> None:
        super().__init__()
        self._ask = ask

    def compose(self) -> ComposeResult:
        with Vertical():
            yield FixedText(_("Which word do you look up?"))
            yield Field(max_length=LONGEST, compact=True)
            yield FixedText(id="found")
        yield KeyHints()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if word := event.value.strip():
            event.input.clear()
            self.run_worker(self._look_up(word), exclusive=True)

    async def _look_up(self, word: str) -> None:
        answer = await self._ask(word)
        sentence = answer if isinstance(answer, str) else said_of(answer)
        self.query_one("#found", FixedText).set_text(sentence, layout=True)

    def action_close(self) -> None:
        self.dismiss()


def said_of(found: LookedUp) -> str:
    """What the list says, in a sentence."""
    if not found.tiles:
        return _("Tiles show letters alone: no hyphen, no apostrophe, no digit.")
    if not found.spellings:
        return _("{tiles} is not in the list.").format(tiles=found.tiles)
    words = listed(found.spellings[:MOST_SPELLINGS])
    return _("{tiles} is in the list: {words}.").format(tiles=found.tiles, words=words)
