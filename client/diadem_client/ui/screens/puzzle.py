"""The puzzle of a day: a board on which one move is to be found."""

import asyncio
from collections.abc import Mapping
from datetime import date
from threading import Event
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace
from textual import on
from textual.binding import BindingType

from diadem_client import i18n
from diadem_client.board.pane import GamePane
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.net.slices import until_left
from diadem_client.state.client_state import ClientState
from diadem_client.state.puzzle_record import today
from diadem_client.state.replay_state import picture_of
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import GLOBAL_ACTIONS, guarded
from diadem_client.ui.screens.board_screen import BoardScreen
from diadem_client.ui.screens.chat_panel import TALK_ACTIONS
from diadem_client.wording import advice
from diadem_client.wording.options import game_name
from diadem_shared.advice import Evaluation
from diadem_shared.protocol import HintLine
from diadem_shared.puzzles import Attempt, NoPuzzleError, Puzzle, game_of_day, puzzle_of, try_out
from diadem_shared.refusals import RefusalError

CODE = "puzzle"


class PuzzleScreen(BoardScreen):
    ACTIONS = (
        Action("solution", ("f3",), N_("solution"), N_("Give up, and see the best move.")),
        *TALK_ACTIONS,
        Action("rules", ("f1",), N_("rules"), N_("The rules of this game."), in_footer=False),
        Action("back", ("escape", "f10"), N_("back"), N_("Back to where you came from.")),
        *(replace(action, in_footer=False) for action in GLOBAL_ACTIONS),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, day: date) -> None:
        super().__init__()
        self._day = day
        self._opened = today()
        """Which counts: who solves it past midnight has begun in time."""
        self._puzzle: Puzzle | None = None
        """None until it is found."""
        self._left = Event()
        self._is_weighing = False
        self._is_over = False
        """Solved, or shown."""

    def on_mount(self) -> None:
        self.begin()
        self._show_title()
        self.run_worker(self._find(), exclusive=True)

    def on_unmount(self) -> None:
        self._left.set()

    async def _find(self) -> None:
        """In a thread: the search takes a second or some, and keys are heeded meanwhile."""
        self.show_notice(_("The puzzle is looked for ..."))
        language = i18n.current_language()
        search = puzzle_of(self._day, language)
        try:
            puzzle = await asyncio.to_thread(until_left, search, self._left)
        except NoPuzzleError:
            self.show_notice(_("There is no puzzle for this day."))
            return
        if puzzle is None:
            return
        self._puzzle = puzzle
        known = self.diadem.store.puzzle_record().of(self._day)
        self._is_over = known.is_solved or known.is_shown
        self.shown = picture_of(puzzle.steps, CODE, puzzle.seat)
        self.show(self.shown)
        if self._is_over:
            self._tell_solution()
        else:
            self._tell_task()

    # What is shown

    def _show_title(self) -> None:
        self.header.show(_("Puzzle"), self._day.isoformat(), game_name(game_of_day(self._day)))

    @guarded
    def show(self, client_state: ClientState) -> None:
        table = client_state.table
        if table is None:
            return
        self.show_board(table, plays=not self._is_over)
        if self.pane is not None and not self._is_over:
            self.pane.listener = self
            self.pane.focus()
        self.refresh_bindings()

    def _tell_task(self) -> None:
        self.question = _("You are to move: what is the best move?")
        self.show_notice(self.question)

    # What the board says

    def show_hint(self, sentence: str) -> None:
        self.tell(sentence)

    def show_question(self, question: str) -> None:
        """What is asked for is the best move, which the task says once; a game's own questions are of a move half made."""

    def try_out(self, draft: Mapping[str, str]) -> None:
        puzzle = self._puzzle
        if puzzle is None or self.pane is None:
            return
        try:
            verdict = puzzle.match.game.preview(puzzle.view, draft)
        except RefusalError:
            return
        self.pane.judged(draft, msgspec.to_builtins(verdict))

    @on(GamePane.Nonsense)
    def _cannot_be_shown(self) -> None:
        self.leave_server()

    @on(GamePane.Played)
    def _try(self, message: GamePane.Played) -> None:
        if self._puzzle is not None and not (self._is_weighing or self._is_over):
            self._is_weighing = True
            self.run_worker(self._weigh(self._puzzle, message.move))

    async def _weigh(self, puzzle: Puzzle, notation: str) -> None:
        try:
            self.show_notice(_("Let us see ..."))
            attempt = await asyncio.to_thread(try_out, puzzle, notation)
        except RefusalError as refused:
            self.show_refusal(refused.refusal)
            if self.pane is not None:
                self.pane.refused(refused.refusal)
            return
        finally:
            self._is_weighing = False
        self._tell(puzzle, attempt)

    def _tell(self, puzzle: Puzzle, attempt: Attempt | None) -> None:
        store = self.diadem.store
        solves = attempt is not None and attempt.solves
        store.save_puzzle_record(
            store.puzzle_record().tried(self._day, self._opened, solves=solves)
        )
        if solves:
            self._is_over = True
        self.show(self.shown)  # the board takes the next move
        if attempt is None:
            self.show_notice(_("There is a better move."))
        elif attempt.solves:
            self.show_notice(_("Solved! {move}").format(move=self._said(attempt.made)))
        else:
            sentence = _("{move} There is a better move.")
            self.show_notice(sentence.format(move=self._said(attempt.made, reasons=0)))

    def _said(self, evaluation: Evaluation[Any], reasons: int = 2) -> str:
        puzzle, table = self._puzzle, self.table
        assert puzzle is not None and table is not None  # noqa: S101, PT018, it was found
        game = puzzle.match.game
        seen = advice.Seen(game.name, game, table.names, puzzle.view)
        line = HintLine(
            game.notate(evaluation.move), evaluation.value, evaluation.unit, evaluation.reasons
        )
        name, *why = advice.hint(seen, [line], 0)
        return " ".join((name, *why[:reasons]))

    def _tell_solution(self) -> None:
        if self._puzzle is not None:
            best = self._said(self._puzzle.best[0])
            self.show_notice(_("The best move: {move}").format(move=best))

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "solution":
            return self._puzzle is not None and not self._is_over
        if action == "rules":
            return self._puzzle is not None
        return super().check_action(action, parameters)

    def action_solution(self) -> None:
        store = self.diadem.store
        store.save_puzzle_record(store.puzzle_record().shown(self._day))
        self._is_over = True
        self.show(self.shown)
        self._tell_solution()
