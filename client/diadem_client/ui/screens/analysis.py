"""A match that is over, weighed move by move: the course of it, and the decisions that cost most."""

import logging
from collections.abc import Sequence
from enum import Enum, auto
from itertools import islice
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size

from diadem_client.board.canvas import Canvas, Ink, fitted
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.look.palette import Paint
from diadem_client.match_analysis import AnalysisJob, WeighedMatch
from diadem_client.net.match_audit import NotExported
from diadem_client.state.past_matches import Load
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import GLOBAL_ACTIONS, BaseScreen
from diadem_client.ui.widgets.decision_chart import Course
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import Header
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.ui.widgets.log import fitting
from diadem_client.ui.widgets.rows import Rows
from diadem_client.wording import advice
from diadem_client.wording import analysis as wording
from diadem_client.wording.options import game_name
from diadem_client.wording.past_matches import not_shown
from diadem_shared.analysis import MoveAnalysis
from diadem_shared.game import Seat, Viewer
from diadem_shared.match_file import Untrue
from diadem_shared.protocol import HintLine

log = logging.getLogger(__name__)

STEP, MADE = 3, 11
MOST_SHOWN = 30
FIRST_REASONS = 2
"""That are told of the better move, and then of the one that was made, before any other."""
MOST_ROWS = 3
"""Of what is told of a decision: more of them are to be seen below each other."""
PROGRESS_SECONDS = 0.25


class Listing(Enum):
    """What is listed of a player's decisions."""

    COSTLIEST = auto()
    TURNS = auto()
    """All of them, in their order."""
    RACKS = auto()
    """Those after which tiles were kept."""


class Told(Struct, frozen=True):
    """A decision, in words."""

    decision: MoveAnalysis
    step: int
    """As a replay counts them."""
    made: str
    better: str
    why: Sequence[str]
    """Sentences, the most telling first."""
    is_bad: bool = False
    """One of those that cost most."""


class CostList(Rows):
    DEFAULT_CSS = "CostList { height: 4fr; width: 100%; }"

    def __init__(self) -> None:
        super().__init__()
        self.told: Sequence[Told] = ()
        self._listing = Listing.COSTLIEST

    @property
    def count(self) -> int:
        return len(self.told)

    @property
    def marked(self) -> Told | None:
        return self.told[self.at] if self.told else None

    def show(self, told: Sequence[Told], listing: Listing) -> None:
        self.told, self._listing = told, listing
        self.mark(0)

    def draw(self, canvas: Canvas) -> None:
        if not self.told:
            return
        heads = (_("move"), _("better"))
        if self._listing is Listing.RACKS:
            heads = (_("kept"), _("better"))
        columns = (STEP, MADE, *_columns(canvas.width))
        for x, head in zip(columns, (_("step"), *heads, _("cost")), strict=True):
            canvas.put(x, 0, head, Ink.FAINT)
        canvas.rule(2, 1, canvas.width - 4)
        self.draw_rows(canvas)

    def draw_row(self, canvas: Canvas, number: int, y: int, *, marked: bool) -> None:
        told = self.told[number]
        better, cost = _columns(canvas.width)
        canvas.put(STEP, y, str(told.step), Ink.KEY if marked else Ink.PLAIN)
        canvas.put(MADE, y, fitted(told.made, better - MADE - 1), Ink.PLAIN)
        if not told.decision.is_costly:
            return
        canvas.put(better, y, fitted(told.better, cost - better - 1), Ink.STRONG)
        paint = Paint("bad" if told.is_bad else "faint")
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
        Action(
            "listing",
            ("t",),
            N_("list"),
            N_(
                "What is listed: what cost most, every turn, or in Diamino the tiles that were kept."
            ),
        ),
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
        self._listing = Listing.COSTLIEST
        self._match: WeighedMatch | None = None
        self._width = 0

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

    async def _weigh(self) -> None:
        """In a thread, so that keys are heeded meanwhile; it tells how far it is."""
        self.show_notice(_("The match is weighed ..."))
        try:
            weighing = self.diadem.local.weighings.of(await self._load())
            telling = self.set_interval(PROGRESS_SECONDS, lambda: self._tell_progress(weighing))
            try:
                self._match = await weighing.result()
            finally:
                telling.stop()
        except Untrue as untrue:
            self._tell_why_not(not_shown(untrue))
        except NotExported as gone:
            self._tell_why_not(not_shown(gone.answer))
        except Exception:
            log.exception("a match cannot be weighed")
            self._tell_why_not(_("This match cannot be weighed."))
        else:
            self._show_seat()

    def _tell_why_not(self, sentence: str) -> None:
        self.query_one(Course).show((), 0)
        self.show_notice(sentence)

    def _tell_progress(self, weighing: AnalysisJob) -> None:
        told = _("The match is weighed ... {percent} %")
        self.show_notice(told.format(percent=weighing.percent))
        self.query_one(Course).show_progress(weighing.percent)

    # What is shown

    def _show_seat(self) -> None:
        match = self._match
        if match is None:
            return
        names, game = match.names, match.game
        self._seat %= len(names)
        decisions = match.analysis.of(self._seat)
        looked_from = _("as {name}").format(name=names[self._seat])
        self.query_one(Header).show(_("Analysis"), game_name(game), match.code, looked_from)
        summary = (
            wording.summary(match.game, decisions) if decisions else _("Nothing was decided here.")
        )
        self.query_one("#summary", FixedText).set_text(summary, layout=True)
        self._show_list(match)

    def _show_list(self, match: WeighedMatch) -> None:
        costly = match.analysis.costliest(self._seat, MOST_SHOWN)
        listed = costly if self._listing is Listing.COSTLIEST else match.analysis.of(self._seat)
        if self._listing is Listing.RACKS:
            listed = [each for each in listed if wording.has_rack(match.game, each)]
        rows = [told(match, each, self._listing, is_bad=each in costly[:3]) for each in listed]
        self.query_one(CostList).show(rows, self._listing)
        self._show_marked()
        self.refresh_bindings()

    def on_rows_marked(self) -> None:
        self._show_marked()
        self.refresh_bindings()

    def _show_marked(self) -> None:
        if self._match is None:
            return
        row = self.query_one(CostList).marked
        decisions = self._match.analysis.of(self._seat)
        self.query_one(Course).show(decisions, row.decision.entry if row else 0)
        rows = MOST_ROWS - self.has_class("-low")
        nothing = [_("No decision gave anything away.")] if decisions else []
        why = row.why if row is not None else nothing
        self.show_notice(fitting(why, self._width - 2, rows))

    def fit(self, size: Size) -> None:
        super().fit(size)
        self._width = size.width
        self._show_marked()
        self.make_room_for_notice(size.width)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "look":
            return self.query_one(CostList).marked is not None
        if action in {"seat", "listing"}:
            return self._match is not None
        return super().check_action(action, parameters)

    def on_rows_clicked(self) -> None:
        self.action_look()

    def action_look(self) -> None:
        from diadem_client.ui.screens.replay import ReplayScreen  # noqa: PLC0415, which leads here

        if (told := self.query_one(CostList).marked) is not None:
            before = told.decision.entry - 1
            replay = ReplayScreen(self._load, self._seat, at=before, from_analysis=True)
            self.diadem.push_screen(replay)

    def action_seat(self) -> None:
        self._seat += 1
        self._show_seat()

    def action_listing(self) -> None:
        match = self._match
        if match is None:
            return
        listings = [*Listing]
        if not any(wording.has_rack(match.game, each) for each in match.analysis.decisions):
            listings.remove(Listing.RACKS)
        self._listing = listings[(listings.index(self._listing) + 1) % len(listings)]
        self._show_list(match)

    def action_back(self) -> None:
        self.dismiss()


def told(match: WeighedMatch, decision: MoveAnalysis, listing: Listing, *, is_bad: bool) -> Told:
    before = match.playback.match_at(decision.entry - 1)
    game = before.game
    view = game.view(before.state, decision.seat)
    seen = advice.Seen(match.game, game, tuple(match.names), view)
    made = HintLine(decision.move, decision.value, decision.unit, decision.of_made)
    best = HintLine(decision.best, decision.best_value, decision.unit, decision.reasons)
    what, *reasons = advice.hint(seen, [best], 0)
    why = [what, *reasons[:FIRST_REASONS]]
    if decision.is_costly:
        own = (each for each in decision.of_made if each not in decision.reasons)
        of_made = advice.sentences(own, seen.names, match.game)
        if played := " ".join(islice(of_made, FIRST_REASONS)):
            why.append(_("What was done: {why}").format(why=played))
    why += reasons[FIRST_REASONS:]
    named, better = advice.named(seen, made), advice.named(seen, best)
    if listing is Listing.RACKS:
        named = wording.kept(match.game, decision.of_made) or named
        better = wording.kept(match.game, decision.reasons) or better
    step = decision.entry - 1 - match.playback.first
    return Told(decision, step, named, better, why, is_bad)
