"""A new table, or other terms for one: every option of the game, and what surrounds it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Label

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state import forms
from diadem_client.state.forms import (
    FileReader,
    FileText,
    FreeText,
    OneList,
    OneOf,
    Question,
    UnusableFile,
)
from diadem_client.state.known_games import SERVER_GAMES
from diadem_client.ui.actions import AMONG_LINES, Action, bindings
from diadem_client.ui.focus import move_focus
from diadem_client.ui.widgets.choice import AskedRow, Choice
from diadem_client.ui.widgets.field import Field
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import heading
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.wording.options import game_name, option_help, option_name, value_name
from diadem_client.wording.refusals import sentence_for
from diadem_client.wording.word_lists import for_other_tiles, word_list
from diadem_shared.entries import OptionValue, Setup
from diadem_shared.lexicon.shelf import WordListLine

OWN = object()
"""The answer that a text is read from a file."""
NEEDED_BY: dict[str, tuple[str, object]] = {
    "around-seconds": ("around-clock", "turn"),
    "around-in_all": ("around-clock", "game"),
    "around-increment": ("around-clock", "game"),
    "option-judging_time": ("option-judging", "table"),
    "option-board-file": ("option-board", OWN),
}
"""Questions that are asked only after a certain answer to another one."""


class MakeScreen(ModalScreen[Setup | None]):
    ACTIONS = (
        Action("done", ("enter", "f2"), N_("agreed"), N_("Make the table so.")),
        *AMONG_LINES,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    MakeScreen { background: $surface; }
    MakeScreen #title { height: 1; background: $bar; padding: 0 1; }
    MakeScreen VerticalScroll { padding: 1 0; scrollbar-size-vertical: 1; }
    MakeScreen #rows { height: auto; }
    MakeScreen Input { width: 1fr; }
    MakeScreen #help { height: 3; padding: 0 2; color: $faint; }
    MakeScreen #notice { height: auto; min-height: 1; max-height: 3; padding: 0 1; text-style: bold; }
    """

    def __init__(
        self,
        setup: Setup | None = None,
        *,
        reader: FileReader | None = None,
        lists: Sequence[WordListLine] = (),
        fixed: bool = False,
        hints: bool = True,
    ) -> None:
        """With a setup to begin with; `fixed` keeps its game. Without a reader no file is asked for.
        `lists`: the word lists of the server. `hints`: whether it can give any."""
        super().__init__()
        self._before = setup or Setup(SERVER_GAMES.names()[0])
        self._reader = reader
        self._lists = tuple(lists)
        self._fixed = fixed
        self._hints = hints

    def compose(self) -> ComposeResult:
        yield FixedText(heading(_("What is played here?")), id="title")
        game = self._before.game
        games = [game] if self._fixed else SERVER_GAMES.names()
        choice = Choice(
            [(each, game_name(each)) for each in games], game, id="game", follow=self._follow
        )
        with VerticalScroll(can_focus=False):
            yield AskedRow(Label(option_name("game"), markup=False), choice)
            with Vertical(id="rows"):
                yield from self._rows()
        yield FixedText(id="help")
        yield FixedText(id="notice")
        yield KeyHints()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._explain(event.widget)

    def _explain(self, asked: Widget) -> None:
        name = (asked.id or "").removeprefix("option-").removeprefix("around-")
        self.query_one("#help", FixedText).set_text(option_help(name, self._before.game))

    def _rows(self) -> ComposeResult:
        game = self._before.game
        for question in forms.questions(game, self._lists):
            id_ = f"option-{question.name}"
            if isinstance(question, FileText):
                yield from self._rows_of_text(id_, question)
            else:
                yield self._row(id_, question, self._given(question))
        for question in forms.common_questions(game, self._before, hints=self._hints):
            yield self._row(f"around-{question.name}", question, question.default)

    def _rows_of_text(self, id_: str, question: FileText) -> ComposeResult:
        """Which one, and the file of one's own, where files can be read."""
        if question.shipped or self._reader:
            yield self._row(id_, question, self._given(question))
        if self._reader:
            label = Label(option_name(f"{question.name}-file", self._before.game), markup=False)
            hint = _("the name of a file")
            yield AskedRow(label, Field(placeholder=hint, id=f"{id_}-file", compact=True))

    def on_mount(self) -> None:
        self._hide_what_is_not_needed()
        self._warn()
        self.query_one("#game").focus()

    async def _follow(self, changed: str) -> None:
        """Ask what goes with an answer, before the next key is heeded."""
        if changed == "game":
            game = str(self.query_one("#game", Choice).value)
            self._before = Setup(game, forms.default_answers(game))
            rows = self.query_one("#rows", Vertical)
            async with self.batch():
                await rows.remove_children()
                await rows.mount_all(self._rows())
            self._explain(self.query_one("#game", Choice))
        self._hide_what_is_not_needed()
        self._warn()

    def _warn(self) -> None:
        """Of words that do not go with the tiles; it may be meant so."""
        warning = ""
        for chosen in self.query(f"#option-{forms.WORD_LIST}").results(Choice):
            lists = [line for line in self._lists if line.name == chosen.value]
            for language in self.query("#option-language").results(Choice):
                warning = "".join(for_other_tiles(line, str(language.value)) for line in lists)
        self.query_one("#notice", FixedText).set_text(warning, layout=True)

    def _hide_what_is_not_needed(self) -> None:
        for id_ in NEEDED_BY:
            for widget in self.query(f"#{id_}"):
                if isinstance(widget.parent, Widget):
                    widget.parent.display = self._is_asked(id_)

    def _is_asked(self, id_: str) -> bool:
        if id_ not in NEEDED_BY:
            return True
        other, answer = NEEDED_BY[id_]
        return all(asked.value == answer for asked in self.query(f"#{other}").results(Choice))

    def action_done(self) -> None:
        game = self._before.game
        try:
            options = {
                question.name: self._answer(f"option-{question.name}", question)
                for question in forms.questions(game, self._lists)
            }
        except UnusableFile as unusable:
            self.query_one("#notice", FixedText).set_text(
                sentence_for(unusable.refusal), layout=True
            )
            return
        chosen = {
            question.name: self._answer(f"around-{question.name}", question)
            for question in forms.common_questions(game, hints=self._hints)
        }
        self.dismiss(forms.setup_of(game, options, chosen))

    def _answer(self, id_: str, question: Question) -> Any:
        if isinstance(question, OneOf):
            return (
                self.query_one(f"#{id_}", Choice).value if self._is_asked(id_) else question.default
            )
        if isinstance(question, OneList):
            return self.query_one(f"#{id_}", Choice).value
        if isinstance(question, FileText):
            return self._read(id_, question)
        return self.query_one(f"#{id_}", Field).value.strip()

    def _read(self, id_: str, question: FileText) -> OptionValue:
        asked = self.query(f"#{id_}")
        chosen = asked.only_one(Choice).value if asked else self._given(question)
        if chosen is not OWN or self._reader is None:
            return str(chosen)
        path = self.query_one(f"#{id_}-file", Field).value.strip()
        return self._reader(path, question.longest)

    def _given(self, question: Question) -> OptionValue:
        """What was agreed before, or is as usual."""
        return self._before.options.get(question.name, question.default)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_done()

    def action_next(self) -> None:
        move_focus(self, 1)

    def action_previous(self) -> None:
        move_focus(self, -1)

    def action_close(self) -> None:
        self.dismiss(None)

    def _row(self, id_: str, question: Question, given: Any) -> AskedRow:
        game = self._before.game
        label = Label(option_name(question.name, game), markup=False)
        match question:
            case OneOf(name, values, are_seats=are_seats):
                offered = values if given in values else (given, *values)
                named = [
                    (each, value_name(name, each, game, is_seat=are_seats)) for each in offered
                ]
                return AskedRow(label, Choice(named, given, id=id_, follow=self._follow))
            case OneList(lists=lists):
                named = [("", _("that of the language")), *((a.name, word_list(a)) for a in lists)]
                if given not in dict(named):
                    named.append((given, str(given)))
                return AskedRow(label, Choice(named, given, id=id_, follow=self._follow))
            case FreeText(longest=longest):
                return AskedRow(label, Field(given, max_length=longest, id=id_, compact=True))
            case FileText():
                own = [(OWN, _("one of your own"))] if self._reader else []
                texts = dict.fromkeys([question.default, *question.shipped, given])
                named = [(each, value_name(question.name, each, game)) for each in texts]
                return AskedRow(label, Choice([*named, *own], given, id=id_, follow=self._follow))
