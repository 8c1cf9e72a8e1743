"""What all full screens share: the client state, commands and their refusals, one line for a word."""

import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar, cast

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state.client_state import ClientState, TableState
from diadem_client.state.past_matches import Load
from diadem_client.state.presentation import STILL, Motion
from diadem_client.ui.actions import Action
from diadem_client.ui.direct_painter import DirectPainter
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.log import wrapped
from diadem_client.wording.refusals import sentence_for
from diadem_shared.game import Viewer
from diadem_shared.lesson import games_with_lesson
from diadem_shared.protocol import Answer, Command, Refused
from diadem_shared.refusals import Refusal

if TYPE_CHECKING:
    from diadem_client.app import DiademApp

log = logging.getLogger(__name__)

USUAL = Size(80, 24)
"""From this size on nothing has to be left out."""

S = TypeVar("S", bound="BaseScreen")
P = ParamSpec("P")


def guarded(draw: Callable[Concatenate[S, P], None]) -> Callable[Concatenate[S, P], None]:
    """Draws what a server told. Should that be too odd to be drawn, the server is left."""

    @wraps(draw)
    def attempt(screen: S, /, *given: P.args, **named: P.kwargs) -> None:
        try:
            draw(screen, *given, **named)
        except Exception:
            log.exception("what the server told cannot be shown")
            screen.leave_server()

    return attempt


@lru_cache(64)
def _rows_of(sentence: str, width: int) -> int:
    """The same are said again and again."""
    return len(wrapped(sentence, width))


ANALYSE = Action("analyse", ("a",), N_("analysis"), N_("See what each decision was worth."))
GLOBAL_ACTIONS = (
    Action("help", ("question_mark", "f5"), N_("help"), N_("What every key does here.")),
    Action(
        "settings",
        ("f9",),
        N_("settings"),
        N_("Colours, language, bell, title, ASCII."),
        in_footer=False,
    ),
    Action("command_palette", ("ctrl+p",), N_("all"), N_("Everything that can be done here.")),
)


class BaseScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = []
    DEFAULT_CSS = """
    BaseScreen #notice { height: 1; width: 100%; text-style: bold; padding: 0 1;
                        text-overflow: ellipsis; }
    BaseScreen.-long #notice { height: 2; }
    BaseScreen.-long #news { height: 1; }
    BaseScreen.-longer #notice { height: 3; }
    BaseScreen.-longest #notice { height: 4; }
    BaseScreen.-longer #news, BaseScreen.-low #news { display: none; }
    """

    lies_over: ClassVar[bool] = False
    """Whether it lies over the screen that belongs to the client state, as a dialog does."""
    direct_painter: DirectPainter | None = None
    _rows_of_notice = 1
    laid_out = False
    """Whether there is anything to draw on yet."""

    @property
    def diadem(self) -> "DiademApp":
        return cast("DiademApp", self.app)

    @property
    def client_state(self) -> ClientState:
        return self.diadem.client_state

    def show(self, client_state: ClientState) -> None:
        """Draw what has changed."""

    def show_frame(self) -> None:
        """Draw what moves in a client state that is shown already."""

    def motion_of(self, table: TableState) -> Motion:
        """How this screen shows what happened at a table."""
        return STILL

    def begin(self) -> None:
        """Everything that is drawn on is there now."""
        self.laid_out = True
        self.fit(self.app.size)
        self.show(self.client_state)
        if sentence := self.diadem.take_notice():
            self.show_notice(sentence)

    def set_up_direct_painter(self) -> None:
        """Have texts that change painted at once, where there is a terminal for that."""
        if terminal := self.diadem.terminal_driver:
            self.direct_painter = DirectPainter(self, terminal)
            for text in self.query_children(FixedText):
                text.direct_painter = self.direct_painter

    def held(self) -> AbstractContextManager[None]:
        """Meanwhile nothing is painted at once; then all that has changed."""
        return nullcontext() if self.direct_painter is None else self.direct_painter.held()

    def fit(self, size: Size) -> None:
        """What of the layout depends on the terminal. The app says so: it may be under a dialog."""
        self.set_class(size.height < USUAL.height, "-low")
        self.set_class(size.width < USUAL.width, "-narrow")
        self.make_room_for_notice(size.width)

    def retranslate(self) -> None:
        """Every word in the language that is spoken now."""
        self.diadem.switch_screen(type(self)())

    @property
    def notice(self) -> str:
        """The sentence that is shown now."""
        return self.query_one("#notice", FixedText).text

    def show_notice(self, sentence: str | Content) -> None:
        """One sentence for the player, until the next one. None is shown while the screen is removed."""
        for notice in self.query("#notice").results(FixedText):
            before = notice.text
            notice.set_text(sentence)
            if notice.text != before:
                self._make_room_for(notice, self.app.size.width)

    def tell(self, sentence: str) -> None:
        """Something to know, which leaves in sight what the player is asked."""
        self.show_notice(sentence)

    def make_room_for_notice(self, width: int) -> None:
        for notice in self.query("#notice").results(FixedText):
            self._make_room_for(notice, width)

    def _make_room_for(self, notice: FixedText, width: int) -> None:
        rows = _rows_of(notice.text, width - 2)
        if rows == self._rows_of_notice:
            return
        self._rows_of_notice = rows
        self.set_class(rows > 1, "-long")
        self.set_class(rows > 2, "-longer")
        self.set_class(rows > 3, "-longest")

    def leave_server(self) -> None:
        """What it sent cannot be shown; the player reads so, where one says where to play."""
        if self.diadem.client is not None:
            self.app.workers.cancel_group(self.app, "connection")
            self.diadem.client.give_up()

    def show_refusal(self, refusal: Refusal) -> None:
        table = self.client_state.table
        names, game = (table.names, table.public.setup.game) if table else ((), "")
        self.tell(sentence_for(refusal, names, game))

    async def ask(self, kind: Callable[..., Command], *given: Any, **named: Any) -> Answer | None:
        """The answer to a command; a refusal is shown, and gives None. To be run in a worker."""
        client = self.diadem.client
        if client is None:
            return None
        answer = await client.ask(kind, *given, **named)
        if isinstance(answer, Refused):
            if self.laid_out:
                self.show_refusal(answer.why)
            return None
        return answer

    def send(self, kind: Callable[..., Command], *given: Any, **named: Any) -> None:
        """Ask for something whose answer needs nothing but a sentence if it is no."""
        self.run_worker(self.ask(kind, *given, **named), exit_on_error=True)

    def choose_lesson(self) -> None:
        """Ask which game is to be learned, and begin its first game."""
        from diadem_client.ui.screens.games import GamesScreen  # noqa: PLC0415, as a rule not twice

        def learn(game: str | None) -> None:
            if game:
                self.diadem.local.learn(game)
                self.show(self.client_state)

        question = _("What do you want to learn?")
        screen = GamesScreen(question, self.diadem.show_rules, games=games_with_lesson())
        self.app.push_screen(screen, learn)

    def look_back(self, *, is_at_server: bool) -> None:
        from diadem_client.ui.screens.look_back import LookBackScreen  # noqa: PLC0415, few do

        self.app.push_screen(LookBackScreen(is_at_server=is_at_server))

    def look_at(self, file: bytes) -> None:
        """A match that is over."""
        from diadem_client.ui.screens.replay import ReplayScreen  # noqa: PLC0415, as above

        async def load() -> bytes:
            return file

        self.app.push_screen(ReplayScreen(load))

    def analyse(self, load: Load, viewer: Viewer) -> None:
        """Weigh a match that is over, and show the decisions of this seat first."""
        from diadem_client.ui.screens.analysis import AnalysisScreen  # noqa: PLC0415, as above

        self.app.push_screen(AnalysisScreen(load, viewer))

    def action_help(self) -> None:
        self.diadem.action_help()

    def action_settings(self) -> None:
        self.diadem.action_settings()

    def action_command_palette(self) -> None:
        self.diadem.action_command_palette()


def fit_all(screens: Iterable[Screen[Any]], size: Size) -> None:
    """Those under a dialog, too, which hear of no other size themselves."""
    for screen in screens:
        if isinstance(screen, BaseScreen) and screen.laid_out:
            screen.fit(size)
