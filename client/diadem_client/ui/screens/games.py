"""The games, each with a picture and its goal, to choose one of them."""

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical

from diadem_client.board.canvas import Canvas, Ink, wrapped
from diadem_client.board.emblem import LARGE_HEIGHT, LARGE_WIDTH, draw_large
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.drawing import Drawing
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.ui.widgets.menu import Entry, Menu
from diadem_client.ui.widgets.overlay import FRAME_CSS, Overlay
from diadem_client.wording.options import game_name
from diadem_client.wording.rules import goal_of
from diadem_shared.games import GAMES


class Shown(Drawing):
    """What is marked."""

    DEFAULT_CSS = f"Shown {{ width: {LARGE_WIDTH + 2}; height: {LARGE_HEIGHT + 5}; }}"
    game = ""

    def show(self, game: str) -> None:
        self.game = game
        self.redraw()

    def draw(self, canvas: Canvas) -> None:
        if self.game not in GAMES:
            return
        draw_large(canvas, self.game, 1, 0)
        seats = GAMES[self.game].seats
        players = _("{least} to {most} players").format(least=seats[0], most=seats[-1])
        canvas.put(1, LARGE_HEIGHT + 1, players, Ink.FAINT)
        for offset, line in enumerate(wrapped(goal_of(self.game), canvas.width)[:3]):
            canvas.put(1, LARGE_HEIGHT + 2 + offset, line)


class GamesScreen(Overlay[str | None]):
    ACTIONS = (
        Action(
            "close",
            ("escape", "q", "backspace", "f10"),
            N_("back"),
            N_("Close this without choice."),
        ),
        Action("rules", ("f1",), N_("rules"), N_("The rules of this game.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = (
        FRAME_CSS.format(name="GamesScreen", height=18)
        + """
    GamesScreen #frame { padding: 1 1 0 1; width: 60; background: $background; }
    GamesScreen Menu { width: 1fr; }
    """
    )

    def __init__(
        self,
        question: str,
        rules: Callable[[str], None] | None = None,
        *,
        games: Iterable[str] = GAMES,
    ) -> None:
        """`rules` shows the rules of a game, if one may look at them first."""
        super().__init__()
        self._question = question
        self._rules = rules
        self._marked = ""
        self._games = list(games)

    def compose(self) -> ComposeResult:
        games = enumerate(self._games, start=1)
        with Vertical(id="frame") as frame:
            frame.border_title = self._question
            with Horizontal():
                yield Menu([Entry(game, str(number), game_name(game)) for number, game in games])
                yield Shown()
        yield KeyHints()

    def on_mount(self) -> None:
        self.query_one(Menu).focus()
        self.query_one(Shown).show(self._games[0])

    def on_menu_marked(self, message: Menu.Marked) -> None:
        self._marked = message.id
        self.query_one(Shown).show(message.id)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return (
            self._rules is not None
            if action == "rules"
            else super().check_action(action, parameters)
        )

    def action_rules(self) -> None:
        if self._rules is not None:
            self._rules(self._marked or self._games[0])

    def on_menu_chosen(self, message: Menu.Chosen) -> None:
        message.stop()
        self.dismiss(message.id)

    def on_key(self, event: events.Key) -> None:
        """A number chooses at once."""
        if event.key.isdecimal() and int(event.key) in range(1, len(self._games) + 1):
            event.stop()
            self.dismiss(self._games[int(event.key) - 1])

    def action_close(self) -> None:
        self.dismiss(None)
