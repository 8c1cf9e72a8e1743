"""The puzzles of the last days, and how far the player has come with each."""

from datetime import date, timedelta
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from diadem_client.board.canvas import Canvas, Ink, fitted
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.look.palette import Paint
from diadem_client.state.puzzle_record import PuzzleRecord, today
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.rows import Rows
from diadem_client.ui.widgets.section import Section
from diadem_client.wording.options import game_name
from diadem_client.wording.puzzles import how_far, streak
from diadem_shared.puzzles import game_of_day

LISTED = 30
"""Days back to which puzzles are listed."""
DAY, GAME, STATE = 3, 15, 33


class PuzzleList(Rows):
    DEFAULT_CSS = "PuzzleList { height: 1fr; width: 100%; margin: 1 0 0 0; }"

    def __init__(self) -> None:
        super().__init__()
        self.today = today()
        self.record = PuzzleRecord()

    @property
    def count(self) -> int:
        return LISTED

    @property
    def marked(self) -> date:
        return self.today - timedelta(self.at)

    def show(self, today: date, record: PuzzleRecord) -> None:
        self.today, self.record = today, record
        self.mark(self.at)

    def draw(self, canvas: Canvas) -> None:
        canvas.put(
            DAY, 0, fitted(streak(self.record.streak(self.today)), canvas.width - 4), Ink.STRONG
        )
        canvas.rule(2, 1, canvas.width - 4)
        self.draw_rows(canvas)

    def draw_row(self, canvas: Canvas, number: int, y: int, *, marked: bool) -> None:
        day = self.today - timedelta(number)
        canvas.put(DAY, y, day.isoformat(), Ink.KEY if marked else Ink.PLAIN)
        name = fitted(game_name(game_of_day(day)), STATE - GAME - 1)
        canvas.put(GAME, y, name, Ink.STRONG if marked else Ink.PLAIN)
        known = self.record.of(day)
        word = how_far(known) or ("" if number else _("new today"))
        paint = Paint("good" if known.is_solved else "faint")
        canvas.put(STATE, y, fitted(word, canvas.width - STATE - 2), paint)


class Puzzles(Section):
    label = N_("Puzzles")
    ACTIONS = (Action("solve", ("enter",), N_("solve it"), N_("Solve the marked puzzle.")),)
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def compose(self) -> ComposeResult:
        yield PuzzleList()

    def begin(self) -> None:
        puzzles = self.query_one(PuzzleList)
        puzzles.focus()
        puzzles.show(today(), self.look_back.diadem.store.puzzle_record())

    def on_rows_clicked(self) -> None:
        self.action_solve()

    def action_solve(self) -> None:
        from diadem_client.ui.screens.puzzle import PuzzleScreen  # noqa: PLC0415, it brings bots along

        day = self.query_one(PuzzleList).marked
        self.look_back.diadem.push_screen(PuzzleScreen(day), lambda _none: self.begin())
