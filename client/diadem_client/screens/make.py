"""A new table, or other terms for one: every option of the game, and what surrounds it."""

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Label

from diadem.entries import Setup
from diadem.games import GAMES
from diadem_client import forms
from diadem_client.actions import AMONG_LINES, Action, bindings
from diadem_client.forms import Among, Question
from diadem_client.telling.options import game_name, option_name, value_name
from diadem_client.text import N_
from diadem_client.text import gettext as _
from diadem_client.widgets.choice import Choice
from diadem_client.widgets.field import Field
from diadem_client.widgets.keys import Keys
from diadem_client.widgets.words import Words

NEEDED_BY: dict[str, set[str]] = {"seconds": {"turn", "game"}, "increment": {"game"}}
"""Questions that only some clocks ask."""


class MakeScreen(ModalScreen[Setup | None]):
    ACTIONS = (
        Action("done", ("enter", "f2"), N_("agreed"), N_("Make the table so.")),
        *AMONG_LINES,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    MakeScreen { background: $surface; }
    MakeScreen #title { height: 1; background: $primary; color: $background; padding: 0 1;
                        text-style: bold; }
    MakeScreen:ansi #title { background: ansi_default; color: ansi_default; text-style: reverse; }
    MakeScreen VerticalScroll { padding: 1 2; scrollbar-size-vertical: 1; }
    MakeScreen Horizontal { height: 1; }
    MakeScreen #rows { height: auto; }
    MakeScreen Label { width: 32; }
    MakeScreen Input { width: 1fr; }
    """

    def __init__(self, setup: Setup | None = None, *, fixed: bool = False) -> None:
        """With a setup to begin with; `fixed` keeps its game."""
        super().__init__()
        self._before = setup or Setup(next(iter(GAMES)))
        self._fixed = fixed

    def compose(self) -> ComposeResult:
        yield Words(_("What is played here?"), id="title")
        game = self._before.game
        games = [game] if self._fixed else list(GAMES)
        choice = Choice([(each, game_name(each)) for each in games], game, id="game")
        with VerticalScroll(can_focus=False):
            yield Horizontal(Label(option_name("game"), markup=False), choice)
            with Vertical(id="rows"):
                yield from self._rows()
        yield Keys()

    def _rows(self) -> ComposeResult:
        game, before = self._before.game, self._before
        for question in forms.questions(game):
            given = before.options.get(question.name, question.default)
            yield _row(f"option-{question.name}", question, given)
        for question in forms.around(game, before):
            yield _row(f"around-{question.name}", question, question.default)

    def on_mount(self) -> None:
        self._hide_what_is_not_needed()
        self.query_one("#game").focus()

    async def on_choice_changed(self, event: Choice.Changed) -> None:
        if event.choice.id == "game" and event.choice.value != self._before.game:
            game = str(event.choice.value)
            self._before = Setup(game, forms.at_first(game))
            rows = self.query_one("#rows", Vertical)
            async with self.batch():
                await rows.remove_children()
                await rows.mount_all(self._rows())
        self._hide_what_is_not_needed()

    def _hide_what_is_not_needed(self) -> None:
        clock = self.query_one("#around-clock", Choice).value
        for name, clocks in NEEDED_BY.items():
            row = self.query_one(f"#around-{name}").parent
            if isinstance(row, Widget):
                row.display = clock in clocks

    def action_done(self) -> None:
        game = self._before.game
        options = {
            question.name: self._answer(f"option-{question.name}")
            for question in forms.questions(game)
        }
        chosen = {
            question.name: self._answer(f"around-{question.name}")
            for question in forms.around(game)
        }
        self.dismiss(forms.setup_of(game, options, chosen))

    def _answer(self, id_: str) -> Any:
        widget = self.query_one(f"#{id_}")
        if isinstance(widget, Choice):
            return widget.value
        return widget.value.strip() if isinstance(widget, Input) else None

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_done()

    def action_next(self) -> None:
        self.focus_next()

    def action_previous(self) -> None:
        self.focus_previous()

    def action_close(self) -> None:
        self.dismiss(None)


def _row(id_: str, question: Question, given: Any) -> Horizontal:
    label = Label(option_name(question.name), markup=False)
    if not isinstance(question, Among):
        return Horizontal(label, Field(given, max_length=question.longest, id=id_, compact=True))
    named = [
        (value, value_name(question.name, value, is_seat=question.are_seats))
        for value in question.values
    ]
    if given not in question.values:
        named.append((given, value_name(question.name, given)))
    return Horizontal(label, Choice(named, given, id=id_))
