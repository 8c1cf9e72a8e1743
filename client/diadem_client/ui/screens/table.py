"""A table: before the start, while a round runs, and after it."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer
from textual.widget import Widget

from diadem_client.board.pane import GamePane
from diadem_client.board.registry import pane_for
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state.client_state import ClientState, TableState
from diadem_client.state.forms import words_are_looked_up
from diadem_client.state.presentation import STILL, Frame, Motion
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import GLOBAL_ACTIONS, guarded
from diadem_client.ui.screens.chat_panel import TALK_ACTIONS
from diadem_client.ui.screens.hints import HINT_ACTIONS, Hinting
from diadem_client.ui.screens.invite_action import INVITE, Inviting
from diadem_client.ui.screens.lesson_panel import BEGIN_AGAIN, IN_EARNEST, Learning
from diadem_client.ui.screens.playback_speed import PACE_ACTIONS, Paced
from diadem_client.ui.screens.reactions import REACT, Reacting
from diadem_client.ui.screens.scene import scene_of
from diadem_client.ui.screens.seat_actions import RESIGN
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.header import Header
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.ui.widgets.log_and_chat import LogAndChat, Players, news
from diadem_client.ui.widgets.plain_container import Covered
from diadem_client.ui.widgets.result import Result
from diadem_client.ui.widgets.waiting_room import Gathering
from diadem_client.wording import state
from diadem_client.wording.options import game_name
from diadem_client.wording.outcome import what_next
from diadem_shared import protocol
from diadem_shared.match import Phase
from diadem_shared.protocol import Checked, Refused
from diadem_shared.refusals import Refusal

NEWS_LINES = 2
LONGEST_PAUSE = 0.03
"""Seconds for which a tile that was laid is not painted yet, until the server has judged it."""
LAST_LOOK = 3.0
"""Seconds for which the end of a round is seen before its result."""


class TableScreen(Hinting, Learning, Paced, Reacting, Inviting):
    BLANK = True  # as that of Covered
    ACTIONS = (
        *TALK_ACTIONS,
        Action("people", ("f3",), N_("people"), N_("Who is here: mute, send away, ban.")),
        Action("back", ("escape",), N_("back"), N_("Back to the game."), in_footer=False),
        Action("rules", ("f1",), N_("rules"), N_("The rules of this game.")),
        Action(
            "hand_over", ("f2",), N_("let a bot play"), N_("Hand your seat over."), in_footer=False
        ),
        Action("play_on", ("f2",), N_("play on"), N_("Play on yourself.")),
        Action(
            "type_moves", ("f6",), N_("type moves"), N_("Type moves in words."), in_footer=False
        ),
        Action(
            "look_up", ("f4",), N_("look up"), N_("Look a word up in the list."), in_footer=False
        ),
        *HINT_ACTIONS,
        Action("look", ("f7",), N_("result"), N_("See the result, or what lies on the table.")),
        RESIGN,
        BEGIN_AGAIN,
        IN_EARNEST,
        *PACE_ACTIONS,
        REACT,
        INVITE,
        Action("leave", ("f10",), N_("leave"), N_("Back to the lobby; your seat is kept.")),
        *GLOBAL_ACTIONS,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    TableScreen #middle { height: 1fr; layout: horizontal; }
    TableScreen #game { width: 1fr; height: 1fr; }
    TableScreen.-low Gathering { padding: 0 2; }
    TableScreen.-low Gathering #goal, TableScreen Players { display: none; }
    TableScreen #news { height: 2; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis;
                        color: $faint; }
    TableScreen #coach { display: none; height: 2; padding: 0 1; }
    TableScreen.-learning #coach { display: block; }
    TableScreen.-brief #coach { height: 1; }
    TableScreen.-learning #news, TableScreen.-beside #news, TableScreen.-wide #news { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._pane: GamePane | None = None
        self._pane_is_for = "", "", False
        """Table and game of the pane, and whether moves are typed in it."""
        self._drawn: tuple[str, int, int, tuple[str, ...], bool] | None = None
        """Table, entry and number of the view that the pane drew last, who was away, and whether all
        that happened was known."""
        self._frame: Frame | None = None
        self._types_moves = False
        self._looks_at_table = False
        """Whether what lies there is shown although the round is over."""
        self._last_look: Timer | None = None
        self._was_playing = False
        self._was_my_turn = False
        self._looks_on_at = ""
        """The table where the player was told that they look on."""
        self._moving = False
        """Whether a move is on its way."""
        self._ticks: Timer | None = None
        self._judging: asyncio.Future[None] | None = None
        """What is said of the draft, while the server is asked."""

    def compose(self) -> ComposeResult:
        self._title = Header()
        yield self._title
        with Covered(id="middle"):
            with Covered(id="game"):
                yield Gathering()
                yield Result()
            yield LogAndChat()
        yield FixedText(id="coach")
        yield FixedText(id="notice")
        yield FixedText(id="news")
        self._key_hints = KeyHints()
        yield self._key_hints

    def on_mount(self) -> None:
        self.set_up_direct_painter()
        self._ticks = self.set_interval(1.0, self._tick, pause=True)
        self.begin()

    # What is shown

    @guarded
    def show(self, client_state: ClientState) -> None:
        table = client_state.table
        if table is None:
            return
        self.hear(table)
        self.follow_link(client_state.link)
        self._tick()
        if self._ticks is not None:
            run = state.changes_by_itself(client_state.link, table)
            (self._ticks.resume if run else self._ticks.pause)()
        self.query_one("#news", FixedText).set_text(news(table, NEWS_LINES))
        self.query_one(Players).show(table)
        self.query_one(LogAndChat).show(table)
        self.follow_lesson(table)
        self._show_front(table)
        self._announce(table)
        self.plan_reactions(table)
        self.keep_advice(table)
        self.refresh_bindings()

    def retranslate(self) -> None:
        """In place, so that what is half laid or half said stays."""
        self.query_one(LogAndChat).retranslate()
        self.show_notice("")
        if self._pane is not None:
            self._pane.retranslate()
        self.show(self.client_state)

    @guarded
    def _tick(self) -> None:
        table, now = self.table, time.monotonic()
        if table is None:
            return
        setup = table.public.setup
        self._title.show(
            game_name(setup.game),
            table.code,
            state.place(table),
            state.company(table),
            self.unread_words(),
            state=state.turn(table),
            my_turn=table.my_turn,
            clock=state.clock(table, now),
            link=self.client_state.link,
            now=now,
        )

    def _show_front(self, table: TableState) -> None:
        """The panel that belongs to what goes on, with the focus in it."""
        gathering, result = self.query_one(Gathering), self.query_one(Result)
        front: Widget
        match table.public.phase:
            case Phase.GATHERING:
                way = next(iter(self.diadem.local.ways(table.code)), None)
                gathering.show(table, way, copies=self.diadem.launch.address is None)
                front = gathering
            case Phase.BETWEEN | Phase.OVER if not (self._looks_at_table or self._sees_the_end()):
                result.show(table)
                self.set_question(what_next(table))
                front = result
            case _:
                front = self._show_pane(table) or gathering
        self.place_talk(front)
        self._was_playing = table.public.phase is Phase.PLAYING
        if self._was_playing:
            self._looks_at_table = False
            self._stop_looking()
        if front is not self.front:
            self.front = front
            for panel in (gathering, result, self._pane):
                if panel is not None:
                    panel.display = panel is front
            if self._pane is not None and self._pane is not front:
                self._pane.forgo_focus()
            if not self.has_class("-talking"):
                front.focus()

    def _sees_the_end(self) -> bool:
        """Whether the last move of the round is still looked at: the sixth part, the last word."""
        if self._was_playing and self._pane is not None and LAST_LOOK:
            self._last_look = self.set_timer(LAST_LOOK, self._look_no_longer)
        return self._last_look is not None

    def _look_no_longer(self) -> None:
        self._stop_looking()
        self.show(self.client_state)

    def _stop_looking(self) -> None:
        if self._last_look is not None:
            self._last_look.stop()
            self._last_look = None

    def _show_pane(self, table: TableState) -> GamePane | None:
        if table.view is None:
            return None
        pane = self._pane_for(table)
        pane.ascii_only = self.diadem.ascii_only
        notes = state.notes(table, time.monotonic())
        drawn = (table.code, table.entry, table.number, notes, table.log_is_whole)
        moved = self._frame is not (frame := self.diadem.presenter.frame)
        if moved:
            self._frame, coming = frame, scene_of(frame.coming) if frame and frame.coming else None
            pane.pose(frame.number if frame else None, coming)
        if drawn != self._drawn:
            new = self._drawn is None or self._drawn[:2] != drawn[:2]
            self._drawn = drawn
            if new:
                self.forget_hint()
            pane.show(scene_of(table, with_events=new))
            self.set_question(state.standing_in(table) or pane.question)
        elif moved:
            pane.redraw()
        return pane

    @guarded
    def show_frame(self) -> None:
        if self.front is self._pane and self.table is not None:
            self._show_pane(self.table)

    def motion_of(self, table: TableState) -> Motion:
        if self._pane is None or self._pane is not self.front or table.view is None:
            return STILL
        return self._pane.motion(scene_of(table))

    def _pane_for(self, table: TableState) -> GamePane:
        """Another one at another table, which has nothing of what lay at the last."""
        game = table.public.setup.game
        made_for = table.code, game, self._types_moves
        if self._pane is None or self._pane_is_for != made_for:
            if self._pane is not None:
                self._pane.remove()
            pane = pane_for(game, typed=self._types_moves)
            self._pane_is_for = made_for
            self._pane, self.front, self._drawn, self._frame = pane, None, None, None
            pane.showing = self.diadem.presenter
            pane.listener = self
            pane.direct_painter = self.direct_painter
            pane.key_hints = self._key_hints
            self.query_one("#game").mount(pane)
        return self._pane

    def _announce(self, table: TableState) -> None:
        if table.my_turn and not self._was_my_turn:
            self.diadem.announce_turn()
            self.show_notice(self.question)
        self._was_my_turn = table.my_turn
        if table.seat is None and table.view is not None and table.code != self._looks_on_at:
            self._looks_on_at = table.code
            self.show_notice(_("You look on. Tab leads to the chat, F10 back to the lobby."))

    # What the panels say

    def on_gathering_wanted(self, message: Gathering.Wanted) -> None:
        if message.action == "invite":
            self.action_invite()
        else:
            self.want(message.action)

    def on_result_wanted(self, message: Result.Wanted) -> None:
        if message.action == "look":
            self.action_look()
        elif message.action == "replay":
            self.look_at_match()
        elif message.action == "why":
            self.action_why()
        elif message.action == "analyse":
            self.analyse_match()
        else:
            self.want(message.action)

    def show_hint(self, sentence: str) -> None:
        if isinstance(self.front, Result):
            return  # said before the result took its place
        self.tell(sentence)
        self.keep_as_hint()

    def show_question(self, question: str) -> None:
        if isinstance(self.front, Result):
            return  # asked before the result took its place
        self.question = question
        self.show_notice(question)

    @on(GamePane.Nonsense)
    def _cannot_be_played(self) -> None:
        self.leave_server()

    @on(GamePane.Played)
    def _play(self, message: GamePane.Played) -> None:
        if self._moving:
            self.show_hint(_("Your last move is still on its way."))
        else:
            self._moving = True
            self.show_notice(self.question)  # until the next one, or the board would move twice
            self.run_worker(self._move(message.move, self.client_state.decided_on))

    async def _move(self, move: str, entry: int | None) -> None:
        try:
            client = self.diadem.client
            answer = await client.ask(protocol.Play, move, entry) if client else None
        finally:
            self._moving = False
        if isinstance(answer, Refused):
            self._refused(answer.why)

    @guarded
    def _refused(self, why: Refusal) -> None:
        if isinstance(self.front, GamePane):
            self.question = self.front.question
        self.show_refusal(why)
        self.keep_as_hint()
        if self._pane is not None:
            self._pane.refused(why)

    def try_out(self, draft: Mapping[str, str]) -> None:
        """A task and not a worker, of which each step is a message: this is done at every tile."""
        self._judge_no_more()
        self._judging = asyncio.ensure_future(self._judge(draft))

    def _judge_no_more(self) -> None:
        if self._judging is not None:
            self._judging.cancel()

    def on_unmount(self) -> None:
        self._judge_no_more()

    async def _judge(self, draft: Mapping[str, str]) -> None:
        """A tile and what the server says of it are one frame, if the answer does not take long."""
        client = self.diadem.client
        if client is None:
            return
        asked = client.ask(protocol.Check, dict(draft))
        with self.held(), self.app.batch_update():
            await asyncio.wait((asked,), timeout=LONGEST_PAUSE)
        self.check_idle()
        if isinstance(answer := await asked, Checked):
            self._judged(draft, answer.verdict)

    @guarded
    def _judged(self, draft: Mapping[str, str], verdict: Any) -> None:
        if self._pane is not None:
            self._pane.judged(draft, verdict)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        table = self.table
        if table is None or self.is_out_of_place(action):
            return False
        if action == "look_up":
            return words_are_looked_up(table.public.setup)
        if action == "look":
            over = table.public.phase in {Phase.BETWEEN, Phase.OVER}
            return over and table.view is not None
        return super().check_action(action, parameters)

    def go_back(self) -> None:
        if self._types_moves and self.front is self._pane:
            self.action_type_moves()
        else:
            super().go_back()

    def action_rules(self) -> None:
        if self.table is not None:
            self.diadem.show_rules(self.table.public.setup.game, self.clause)

    def action_type_moves(self) -> None:
        """In place of the board, where it can be seen; elsewhere it is said when that is possible."""
        playing = self.table is not None and self.table.public.phase is Phase.PLAYING
        if not (isinstance(self.front, GamePane) and (playing or self._types_moves)):
            self.tell(_("Moves are typed while a round is played."))
            return
        self._types_moves = not self._types_moves
        self.remove_class("-talking")
        self.show(self.client_state)

    def action_look(self) -> None:
        self._looks_at_table = not self._looks_at_table and self._last_look is None
        self._look_no_longer()
