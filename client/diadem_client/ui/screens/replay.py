"""A match that is over, step by step, on the boards that it was played on."""

import asyncio
from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace
from textual.binding import BindingType

from diadem_client.i18n import N_, after_colon, sanitized
from diadem_client.i18n import gettext as _
from diadem_client.net.match_audit import NotExported
from diadem_client.net.slices import in_slices
from diadem_client.state.client_state import ClientState, TableState
from diadem_client.state.past_matches import Load
from diadem_client.state.replay_state import picture_at
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import ANALYSE, GLOBAL_ACTIONS, guarded
from diadem_client.ui.screens.board_screen import BoardScreen
from diadem_client.ui.screens.chat_panel import TALK_ACTIONS
from diadem_client.ui.screens.export_action import EXPORT, Exporting
from diadem_client.wording import advice, state
from diadem_client.wording.options import game_name
from diadem_client.wording.outcome import who_won, why
from diadem_client.wording.past_matches import not_shown
from diadem_shared import match_file
from diadem_shared.entries import Entry, Moved
from diadem_shared.game import Viewer
from diadem_shared.match import Phase
from diadem_shared.match_file import MatchFile, Untrue
from diadem_shared.playback import Playback


class ReplayScreen(BoardScreen, Exporting):
    ACTIONS = (
        Action("on", ("right", "space", "enter"), N_("on"), N_("One step on.")),
        Action("step_back", ("left", "backspace"), N_("step back"), N_("One step back.")),
        Action("back", ("escape", "q", "f10"), N_("back"), N_("Back to where you came from.")),
        Action(
            "next_turn", ("down",), N_("next turn"), N_("To the next turn of whom you look from.")
        ),
        Action(
            "turn_before",
            ("up",),
            N_("turn before"),
            N_("To the turn before of whom you look from."),
            in_footer=False,
        ),
        Action("next_round", ("n",), N_("next round"), N_("To the beginning of the next round.")),
        Action(
            "round_before",
            ("p",),
            N_("round before"),
            N_("To the beginning of the round, or of the one before."),
            in_footer=False,
        ),
        Action(
            "to_start",
            ("home",),
            N_("start"),
            N_("To the beginning of the match."),
            in_footer=False,
        ),
        Action("to_end", ("end",), N_("end"), N_("To the end of the match."), in_footer=False),
        Action(
            "seat", ("s",), N_("seat"), N_("Look from another seat, and see what is held there.")
        ),
        ANALYSE,
        EXPORT,
        *(replace(action, in_footer=False) for action in TALK_ACTIONS),
        Action("rules", ("f1",), N_("rules"), N_("The rules of this game."), in_footer=False),
        *GLOBAL_ACTIONS,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(
        self, load: Load, viewer: Viewer = None, at: int = 0, *, from_analysis: bool = False
    ) -> None:
        """`load` gives the file; raises Untrue or NotExported. `viewer`: the seat that is looked from first; `at`: the
        entry after which. `from_analysis`: whether the analysis of this match is behind it."""
        super().__init__()
        self._load = load
        self._viewer = viewer
        self._playback: Playback | None = None
        """None until all of it was played through."""
        self._number = at
        self._from_analysis = from_analysis

    def on_mount(self) -> None:
        self.begin()
        self.header.show(_("Replay"))
        self.run_worker(self._prepare(), exclusive=True)

    async def _prepare(self) -> None:
        self.show_notice(_("The match is played again ..."))
        try:
            file = await asyncio.to_thread(self._read_file, await self._load())
            playback, last = Playback(file), max(1, len(file.entries))
            await in_slices(playback.prepare(), lambda number: self._tell_progress(number, last))
        except Untrue as untrue:
            self.show_notice(not_shown(untrue))
        except NotExported as gone:
            self.show_notice(not_shown(gone.answer))
        else:
            self._playback = playback
            self._viewer = self._viewer if self._viewer in self._seats else None
            self._go_to(self._number)

    def _read_file(self, data: bytes) -> MatchFile:
        return self.diadem.local.in_own_words(match_file.read(data))

    def _tell_progress(self, number: int, last: int) -> None:
        told = _("The match is played again ... {percent} %")
        self.show_notice(told.format(percent=100 * number // last))

    # What is shown

    @property
    def _seats(self) -> range:
        playback = self._playback
        return range(len(playback.match_at(playback.last).players)) if playback else range(0)

    def _go_to(self, number: int) -> None:
        playback = self._playback
        if playback is None:
            return
        self._number = max(playback.first, min(number, playback.last))
        self.shown = picture_at(playback, self._number, self._viewer)
        self.show(self.shown)

    @guarded
    def show(self, client_state: ClientState) -> None:
        table, playback = client_state.table, self._playback
        if table is None or playback is None:
            return
        self.header.show(
            game_name(table.public.setup.game),
            table.code,
            state.place(table),
            self._looked_from(table),
            _("step {number} of {last}").format(
                number=self._number - playback.first, last=playback.last - playback.first
            ),
            state=state.whose_turn(table),
        )
        self.show_board(table, plays=False)
        self.show_notice(sanitized(self._told(playback.step(self._number).entry, table)))
        self.refresh_bindings()

    def _told(self, entry: Entry, table: TableState) -> str:
        """How it ended; or of a bot's move why it was made."""
        if table.public.phase in {Phase.BETWEEN, Phase.OVER}:
            return " ".join((who_won(table), *why(table)))
        if not isinstance(entry, Moved) or entry.why is UNSET:
            return ""
        because = " ".join(advice.sentences(entry.why, table.names, table.game.name))
        return table.names[entry.seat] + after_colon(because) if because else ""

    def _looked_from(self, table: TableState) -> str:
        if table.seat is None:
            return _("from outside")
        return _("as {name}").format(name=table.names[table.seat])

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        playback = self._playback
        if action in {"on", "step_back", "next_turn", "turn_before", "to_start", "to_end", "seat"}:
            return playback is not None
        if action in {"next_round", "round_before"}:
            return playback is not None and len(playback.rounds) > 1
        if action in {"rules", "export", "analyse"}:
            return playback is not None
        return super().check_action(action, parameters)

    def action_on(self) -> None:
        if self._playback is not None and self._number == self._playback.last:
            self.tell(_("This is the end of the match."))
        else:
            self._go_to(self._number + 1)

    def action_step_back(self) -> None:
        self._go_to(self._number - 1)

    def action_to_start(self) -> None:
        self._go_to(0)

    def action_to_end(self) -> None:
        if self._playback is not None:
            self._go_to(self._playback.last)

    def action_next_turn(self) -> None:
        if self._playback is not None:
            self._go_to(self._playback.turn_after(self._number, self._viewer))

    def action_turn_before(self) -> None:
        if self._playback is not None:
            self._go_to(self._playback.turn_before(self._number, self._viewer))

    def action_next_round(self) -> None:
        playback = self._playback
        if playback is not None:
            later = (each for each in playback.rounds if each > self._number)
            self._go_to(next(later, playback.last))

    def action_round_before(self) -> None:
        if self._playback is not None:
            earlier = [each for each in self._playback.rounds if each < self._number]
            self._go_to(earlier[-1] if earlier else 0)

    def action_seat(self) -> None:
        """From one seat to the next, and from outside."""
        views = [*self._seats, None]
        self._viewer = views[(views.index(self._viewer) + 1) % len(views)]
        self._go_to(self._number)

    def action_analyse(self) -> None:
        if self._from_analysis:
            self.dismiss()
        else:
            self.analyse(self._load, self._viewer)

    def action_export(self) -> None:
        if self.table is not None:
            self.ask_for_form(self.table.public.setup.game, self._load)

    def action_back(self) -> None:
        """From the log to the match, whose board takes no focus, and from there to where one came from."""
        if self.focused is None and not self.has_class("-talking"):
            self.dismiss()
        self.remove_class("-talking")
        self.set_focus(None)
