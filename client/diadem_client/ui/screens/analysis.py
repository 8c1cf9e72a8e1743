"""A match that is over, weighed move by move: the course of it, and the decisions that cost most."""

import asyncio
from collections.abc import Sequence
from threading import Event
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType

from diadem import match_file
from diadem.analysis import Analysis, Weighed, analysis_of
from diadem.game import Seat, Viewer
from diadem.match import reopen_match
from diadem.match_file import MatchFile, Untrue
from diadem.playback import Playback
from diadem.protocol import HintLine
from diadem_client.board.canvas import Canvas, Ink, fitted
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.look.palette import Paint
from diadem_client.net.slices import until_left
from diadem_client.net.witness import NotExported
from diadem_client.state.past_matches import Load
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import GLOBAL_ACTIONS, BaseScreen
from diadem_client.ui.widgets.course import Course
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import Header
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.ui.widgets.rows import Rows
from diadem_client.wording import advice
from diadem_client.wording import analysis as wording
from diadem_client.wording.options import game_name
from diadem_client.wording.past_matches import not_shown
from diadem_client.wording.verified import shown

STEP, MADE = 3, 9
MOST_SHOWN = 30
PROGRESS_SECONDS = 0.25


class Told(Struct, frozen=True):
    """A decision, in words."""

    decision: Weighed
    step: int
    """As a replay counts them."""
    made: str
    better: str
    why: str


class CostList(Rows):
    DEFAULT_CSS = (
        "CostList { height: 1fr; width: 100%; margin: 1 0 0 0; } .-low CostList { margin: 0; }"
    )

    def __init__(self) -> None:
        super().__init__()
        self.told: Sequence[Told] = ()

    @property
    def count(self) -> int:
        return len(self.told)

    @property
    def marked(self) -> Told | None:
        return self.told[self.at] if self.told else None

    def show(self, told: Sequence[Told]) -> None:
        self.told = told
        self.mark(0)

    def draw(self, canvas: Canvas) -> None:
        if not self.told:
            return
        columns = _columns(canvas.width)
        for x, head in zip(
            (STEP, MADE, *columns), (_("step"), _("move"), _("better"), _("cost")), strict=True
        ):
            canvas.put(x, 0, head, Ink.FAINT)
        canvas.rule(2, 1, canvas.width - 4)
        self.draw_rows(canvas)

    def draw_row(self, canvas: Canvas, number: int, y: int, *, marked: bool) -> None:
        told = self.told[number]
        better, cost = _columns(canvas.width)
        canvas.put(STEP, y, str(told.step), Ink.KEY if marked else Ink.PLAIN)
        canvas.put(MADE, y, fitted(told.made, better - MADE - 1), Ink.PLAIN)
        canvas.put(better, y, fitted(told.better, cost - better - 1), Ink.STRONG)
        paint = Paint("bad" if number < 3 else "faint")
        canvas.put(cost, y, fitted(wording.cost(told.decision), canvas.width - cost - 2), paint)


def _columns(width: int) -> tuple[int, int]:
    """Where the better move begins, and what the other cost."""
    cost = width - 14
    return MADE + (cost - MADE) // 2, cost


class AnalysisScreen(BaseScreen):
    lies_over = True
    ACTIONS = (
        Action(
            "look", ("enter",), N_("look at it"), N_("Look at the marked decision on the board.")
        ),
        Action("seat", ("s",), N_("seat"), N_("The decisions of the next player.")),
        Action("back", ("escape", "q", "f10"), N_("back"), N_("Back to where you came from.")),
        *(replace(action, in_footer=action.id == "help") for action in GLOBAL_ACTIONS),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    DEFAULT_CSS = """
    AnalysisScreen #summary { width: 100%; padding: 0 1; margin: 1 0 0 0; text-style: bold; }
    AnalysisScreen.-low #summary { margin: 0; }
    """

    def __init__(self, load: Load, viewer: Viewer = None) -> None:
        """`load` gives the file; raises Untrue or NotExported. `viewer`: the seat whose decisions are shown first."""
        super().__init__()
        self._load = load
        self._seat: Seat = viewer or 0
        self._work: Work | None = None
        self._left = Event()

    def compose(self) -> ComposeResult:
        yield Header()
        yield FixedText(id="summary")
        yield Course()
        yield CostList()
        yield FixedText(id="notice")
        yield KeyHints()

    def on_mount(self) -> None:
        self.begin()
        self.query_one(Header).show(_("Analysis"))
        self.query_one(CostList).focus()
        self.run_worker(self._weigh(), exclusive=True)

    def on_unmount(self) -> None:
        self._left.set()

    async def _weigh(self) -> None:
        """In a thread, so that keys are heeded meanwhile; it tells how far it is."""
        self.show_notice(_("The match is weighed ..."))
        try:
            file = await asyncio.to_thread(match_file.read, await self._load())
            work = Work(file)
            telling = self.set_interval(PROGRESS_SECONDS, lambda: self._tell_progress(work))
            try:
                await asyncio.to_thread(work.run, self._left)
            finally:
                telling.stop()
        except Untrue as untrue:
            self.show_notice(not_shown(untrue))
        except NotExported as gone:
            self.show_notice(not_shown(gone.answer))
        else:
            self._work = work
            self._show_seat()

    def _tell_progress(self, work: "Work") -> None:
        percent = 100 * work.done // max(1, work.last)
        self.show_notice(_("The match is weighed ... {percent} %").format(percent=percent))

    # What is shown

    def _show_seat(self) -> None:
        work = self._work
        if work is None:
            return
        names, game = work.names, work.game
        self._seat %= len(names)
        decisions = work.analysis.of(self._seat)
        looked_from = _("as {name}").format(name=names[self._seat])
        self.query_one(Header).show(_("Analysis"), game_name(game), work.code, looked_from)
        summary = wording.summary(decisions) if decisions else _("Nothing was decided here.")
        self.query_one("#summary", FixedText).set_text(summary, layout=True)
        costly = work.analysis.costliest(self._seat, MOST_SHOWN)
        self.query_one(CostList).show([work.told(each) for each in costly])
        self._show_marked()
        self.refresh_bindings()

    def on_rows_marked(self) -> None:
        self._show_marked()
        self.refresh_bindings()

    def _show_marked(self) -> None:
        if self._work is None:
            return
        told = self.query_one(CostList).marked
        self.query_one(Course).show(
            self._work.analysis.of(self._seat), told.decision.entry if told else 0
        )
        self.show_notice(told.why if told else "")

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "look":
            return self.query_one(CostList).marked is not None
        if action == "seat":
            return self._work is not None
        return super().check_action(action, parameters)

    def on_rows_clicked(self) -> None:
        self.action_look()

    def action_look(self) -> None:
        from diadem_client.ui.screens.replay import ReplayScreen  # noqa: PLC0415, which leads here

        if (told := self.query_one(CostList).marked) is not None:
            before = told.decision.entry - 1
            self.diadem.push_screen(ReplayScreen(self._load, self._seat, at=before))

    def action_seat(self) -> None:
        self._seat += 1
        self._show_seat()

    def action_back(self) -> None:
        self.dismiss()


class Work:
    """The weighing of one match."""

    def __init__(self, file: MatchFile) -> None:
        self._playback = Playback(file)
        self._setup = file.header.setup
        self.code = shown(file.header.table)
        self.game = self._setup.game
        self.last = len(file.entries)
        self.done = 0
        self.analysis = Analysis()

    @property
    def names(self) -> list[str]:
        return [shown(each.name) for each in self._playback.match_at(self.last).players]

    def run(self, left: Event) -> None:
        """Until `left`. Raises Untrue."""
        until_left(self._playback.prepare(), left)
        if left.is_set():
            return
        steps = (self._playback.step(number) for number in range(1, self.last + 1))
        weighing = analysis_of(reopen_match(self._setup), steps)
        self.analysis = until_left(weighing, left, self._tell) or self.analysis

    def _tell(self, number: int) -> None:
        self.done = number

    def told(self, decision: Weighed) -> Told:
        before = self._playback.match_at(decision.entry - 1)
        game = before.game
        view = game.view(before.state, decision.seat)
        seen = advice.Seen(self.game, game, tuple(self.names), view)
        made = HintLine(decision.move, decision.value, decision.unit, decision.of_made)
        best = HintLine(decision.best, decision.best_value, decision.unit, decision.reasons)
        why = " ".join(advice.hint(seen, [best], 0))
        step = decision.entry - 1 - self._playback.first
        return Told(decision, step, advice.named(seen, made), advice.named(seen, best), why)
