"""How a round or a match ended: scores of each round, winners, and what comes next."""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.geometry import Size
from textual.message import Message

from diadem_client.board.canvas import Canvas
from diadem_client.i18n import N_
from diadem_client.state.client_state import TableState
from diadem_client.ui.actions import Action, bindings, refresh_bindings_once_drawn
from diadem_client.ui.presenter import Presenter
from diadem_client.ui.screens.base import ANALYSE
from diadem_client.ui.widgets.drawing import Drawing
from diadem_client.wording.again import may_ask_again, may_begin_again
from diadem_shared.match import Phase

if TYPE_CHECKING:
    from diadem_client.app import DiademApp

STEPS, STEP = 3, 0.2
"""In how many steps the bars grow, and the seconds of each."""


class Sheet(Drawing):
    """As high as the result is long."""

    DEFAULT_CSS = "Sheet { width: 100%; height: auto; }"
    table: TableState | None = None
    _growing: tuple[int, ...] = ()
    """After how many rounds the bars are still shown as they were then, one after the other."""
    _next: asyncio.TimerHandle | None = None

    def show(self, table: TableState, presenter: Presenter) -> None:
        before, self.table = self.table, table
        rounds = len(table.public.rounds)
        is_news = before is None or (before.code, len(before.public.rounds)) != (table.code, rounds)
        if is_news:
            self._stop()
            if presenter.moves:
                self._growing = tuple(
                    dict.fromkeys(rounds * step // STEPS for step in range(STEPS))
                )
                self._next = presenter.after(STEP, partial(self._grow, presenter))
        self.redraw()
        self.refresh(layout=True)

    def _grow(self, presenter: Presenter) -> None:
        self._growing, self._next = self._growing[1:], None
        if self._growing:
            self._next = presenter.after(STEP, partial(self._grow, presenter))
        self.redraw()

    def finish(self) -> None:
        """The bars are as long as they come to be."""
        if self._growing:
            self._stop()
            self.redraw()

    def _stop(self) -> None:
        if self._next is not None:
            self._next.cancel()
        self._growing, self._next = (), None

    def on_unmount(self) -> None:
        self._stop()

    def get_content_height(self, _container: Size, _viewport: Size, width: int) -> int:
        if self.table is None:
            return 0
        from diadem_client.ui.widgets.result_sheet import rows_of  # noqa: PLC0415, at the end of a round

        return rows_of(self.table, width)

    def draw(self, canvas: Canvas) -> None:
        if self.table is not None:
            from diadem_client.ui.widgets.result_sheet import draw  # noqa: PLC0415, as above

            draw(canvas, self.table, self._growing[0] if self._growing else None)


class Result(VerticalScroll, can_focus=True):
    ACTIONS = (
        Action("ready", ("r",), N_("next round"), N_("Say that you are ready for it.")),
        Action("again", ("g",), N_("again"), N_("Say that you would like to play again, or not.")),
        Action("start", ("s",), N_("start"), N_("Play again with those who said so.")),
        Action("look", ("v",), N_("table"), N_("See what lies on the table, and come back.")),
        Action("replay", ("k",), N_("look back"), N_("Look at the match again, step by step.")),
        Action("why", ("w",), N_("why"), N_("Read why the bots moved so.")),
        ANALYSE,
        Action("scroll_down", ("down",), N_("scroll"), N_("See the rounds further down.")),
        Action("scroll_up", ("up",), N_("scroll"), N_("See those further up."), in_footer=False),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    Result { height: 1fr; padding: 1 0 0 0; scrollbar-size-vertical: 1; }
    """

    class Wanted(Message):
        """What the player wants done."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__(id="result")
        self._table: TableState | None = None

    def compose(self) -> ComposeResult:
        yield Sheet()

    def show(self, table: TableState) -> None:
        self._table = table
        self.query_one(Sheet).show(table, cast("DiademApp", self.app).presenter)
        refresh_bindings_once_drawn(self)  # there may be more now than can be seen

    def on_key(self) -> None:
        """A key ends what moves, and is heeded all the same."""
        self.query_one(Sheet).finish()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        table = self._table
        over = table is not None and table.public.phase is Phase.OVER
        if action == "ready":
            return table is not None and table.seat is not None and not over
        if action == "again":
            return table is not None and may_ask_again(table)
        if action == "why":
            return table is not None and any(each.bot for each in table.public.players)
        if action == "start":
            return table is not None and may_begin_again(table)
        if action in {"replay", "analyse"}:
            return over and table is not None and table.view is not None
        if action in {"scroll_down", "scroll_up"}:
            return self.max_scroll_y > 0
        return super().check_action(action, parameters)

    def action_ready(self) -> None:
        self.post_message(self.Wanted("ready"))

    def action_again(self) -> None:
        self.post_message(self.Wanted("again"))

    def action_why(self) -> None:
        self.post_message(self.Wanted("why"))

    def action_start(self) -> None:
        self.post_message(self.Wanted("start"))

    def action_look(self) -> None:
        self.post_message(self.Wanted("look"))

    def action_replay(self) -> None:
        self.post_message(self.Wanted("replay"))

    def action_analyse(self) -> None:
        self.post_message(self.Wanted("analyse"))
