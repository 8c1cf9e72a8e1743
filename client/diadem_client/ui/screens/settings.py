"""How it looks and sounds."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, cast

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from diadem_client.i18n import LANGUAGES, N_
from diadem_client.i18n import gettext as _
from diadem_client.local import own_words
from diadem_client.state.forms import UnusableFile
from diadem_client.terminal.driver import supports_title
from diadem_client.ui import themes
from diadem_client.ui.actions import AMONG_LINES, Action, bindings
from diadem_client.ui.focus import move_focus
from diadem_client.ui.screens.playback_speed import PACES
from diadem_client.ui.widgets.choice import AskedRow, Choice
from diadem_client.ui.widgets.field import Field
from diadem_client.ui.widgets.fixed_text import FixedText, lines
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.wording.refusals import sentence_for
from diadem_shared.protocol import LONGEST_NAME

if TYPE_CHECKING:
    from diadem_client.app import DiademApp


class SettingsScreen(ModalScreen[None]):
    ACTIONS = (
        Action("done", ("enter", "f2"), N_("done"), N_("Keep it so.")),
        *AMONG_LINES,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    SettingsScreen { align: center middle; }
    SettingsScreen Vertical { width: 76; max-width: 100%; height: auto; border: solid $border; padding: 0 1;
                              background: $surface; }
    SettingsScreen AskedRow Label { width: 36; }
    SettingsScreen Field { width: 1fr; }
    SettingsScreen #note, SettingsScreen #why { height: auto; margin: 1 0 0 0; }
    """

    @property
    def _app(self) -> "DiademApp":
        return cast("DiademApp", self.app)

    def compose(self) -> ComposeResult:
        now = self._app.settings
        looks = [(theme, _(name)) for theme, name in themes.NAMES.items()]
        tiers = [(tier, _(name)) for tier, name in themes.TIERS.items()]
        accents = [(accent, _(name)) for accent, name in themes.ACCENT_NAMES.items()]
        tongues = [("", _("automatic")), *LANGUAGES.items()]
        paces = [(pace, _(name)) for pace, name in PACES.items()]
        switch = [(False, _("off")), (True, _("on"))]
        with Vertical():
            for label, choice in (
                (_("Colours"), Choice(looks, now.theme, id="theme")),
                (_("How many colours"), Choice(tiers, now.colours, id="colours")),
                (_("Language"), Choice(tongues, now.language, id="language")),
                (_("My colour"), Choice(accents, now.accent, id="accent")),
                (_("Bell when it is my turn"), Choice(switch, now.bell, id="bell")),
                (_("Title when it is my turn"), Choice(switch, now.title, id="title")),
                (_("Pace of the others"), Choice(paces, now.pace, id="pace")),
                (_("Motion: cards turn, tiles light up"), Choice(switch, now.motion, id="motion")),
                (_("Letters of ASCII only"), Choice(switch, now.ascii, id="ascii")),
            ):
                if choice.id == "ascii" and self._app.launch.address is None:
                    label_of_name = Label(_("My name, from the next game on"), markup=False)
                    name = Field(now.name, max_length=LONGEST_NAME, id="name", compact=True)
                    yield AskedRow(label_of_name, name)
                if choice.id == "ascii" and self._app.launch.file_reader is not None:
                    yield self._words_row(now.word_list)
                yield AskedRow(Label(label, markup=False), choice)
            yield FixedText(id="why")
            if notes := list(self._notes()):
                yield FixedText(lines(notes), id="note")
        yield KeyHints()

    def _words_row(self, path: str) -> AskedRow:
        """Asked where files are the player's own."""
        hint = _("a file, or nothing")
        field = Field(path, placeholder=hint, id="words", compact=True)
        return AskedRow(Label(_("Words of your own for Diamino"), markup=False), field)

    def on_mount(self) -> None:
        self.query_one("#why").display = False

    def _notes(self) -> Iterator[str]:
        """What cannot be chosen here and now, and why."""
        if self._app.terminal.without_colour:
            yield _("There are no colours: NO_COLOR is set.")
        if self._app.terminal.must_be_ascii:
            yield _("It is ASCII in any case: by --ascii, or as the locale is not UTF-8.")
        if not supports_title():
            yield _("This terminal shows no title.")

    def action_done(self) -> None:
        chosen = {
            name: self.query_one(f"#{name}", Choice).value
            for name in (
                *("theme", "colours", "accent", "language", "bell", "title"),
                *("pace", "motion", "ascii"),
            )
        }
        for name in self.query("#name").results(Field):
            chosen["name"] = name.value.strip()
        try:
            chosen["word_list"] = self._word_list()
        except UnusableFile as unusable:
            why = self.query_one("#why", FixedText)
            why.set_text(sentence_for(unusable.refusal), layout=True)
            why.display = True
            return
        before = self._app.settings
        self.dismiss()
        self._app.change_settings(replace(before, **chosen))
        if chosen["word_list"] != before.word_list:
            self._app.local.tell_words(own_words.OwnWords(chosen["word_list"]))

    def _word_list(self) -> str:
        """The file that is named now, if words can be read there."""
        before, reader = self._app.settings.word_list, self._app.launch.file_reader
        if reader is None:
            return before
        path = self.query_one("#words", Field).value.strip()
        if path and path != before:
            own_words.check(path, reader)
        return path

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_done()

    def action_next(self) -> None:
        move_focus(self, 1)

    def action_previous(self) -> None:
        move_focus(self, -1)

    def action_close(self) -> None:
        self.dismiss()
