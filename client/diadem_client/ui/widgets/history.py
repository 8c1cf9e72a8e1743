"""The matches that one has played to their end, to look at them again."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import BindingType

from diadem_client.board.canvas import Canvas, Ink, cells_of, fitted, wrapped
from diadem_client.board.emblem import CROWN_HEIGHT, CROWN_WIDTH, draw_crown
from diadem_client.i18n import N_, listed
from diadem_client.i18n import gettext as _
from diadem_client.look.palette import Paint
from diadem_client.net.match_audit import NotExported, fetch
from diadem_client.state.past_matches import PastMatch, past_match
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.screens.base import ANALYSE
from diadem_client.ui.screens.export_action import EXPORT
from diadem_client.ui.screens.replay import ReplayScreen
from diadem_client.ui.widgets.rows import Rows
from diadem_client.ui.widgets.section import Section
from diadem_client.wording.options import game_name
from diadem_client.wording.past_matches import result, standing, when
from diadem_shared import protocol
from diadem_shared.protocol import Replays

WHEN = 3
WIDE = 76
"""In fewer columns neither year nor minute are shown."""
MOST_LISTED = 2_000
"""Matches of a server that are listed, however many pages it has."""


class Columns(Struct, frozen=True):
    """Where what begins, and how a moment is written."""

    game: int
    result: int
    players: int
    moment: str


def _columns(width: int) -> Columns:
    if width >= WIDE:
        return Columns(21, 36, 46, "%Y-%m-%d %H:%M")
    return Columns(10, 25, 34, "%m-%d")


class MatchList(Rows):
    DEFAULT_CSS = "MatchList { height: 1fr; width: 100%; margin: 1 0 0 0; }"

    def __init__(self) -> None:
        super().__init__()
        self.matches: Sequence[PastMatch] | None = None
        """None until they are known."""

    @property
    def count(self) -> int:
        return len(self.matches or ())

    @property
    def marked(self) -> PastMatch | None:
        return self.matches[self.at] if self.matches else None

    def show(self, matches: Sequence[PastMatch]) -> None:
        self.matches = matches
        self.mark(self.at)

    def draw(self, canvas: Canvas) -> None:
        if self.matches is None:
            return
        if not self.matches:
            _draw_none(canvas)
            return
        at = _columns(canvas.width)
        heads = (
            (WHEN, _("when")),
            (at.game, _("game")),
            (at.result, _("result")),
            (at.players, _("players")),
        )
        for x, head in heads:
            canvas.put(x, 0, head, Ink.FAINT)
        canvas.rule(2, 1, canvas.width - 4)
        self.draw_rows(canvas)

    def draw_row(self, canvas: Canvas, number: int, y: int, *, marked: bool) -> None:
        if self.matches is None:
            return
        match, at = self.matches[number], _columns(canvas.width)
        canvas.put(WHEN, y, when(match, at.moment), Ink.KEY if marked else Ink.PLAIN)
        name = fitted(game_name(match.game), at.result - at.game - 1)
        canvas.put(at.game, y, name, Ink.STRONG if marked else Ink.PLAIN)
        word = fitted(result(match), at.players - at.result - 1)
        canvas.put(at.result, y, word, Paint("good" if match.has_won else "faint"))
        canvas.put(
            at.players, y, fitted(listed(standing(match)), canvas.width - at.players - 2), Ink.PLAIN
        )


def _draw_none(canvas: Canvas) -> None:
    top = max(0, (canvas.height - CROWN_HEIGHT - 4) // 2)
    draw_crown(canvas, (canvas.width - CROWN_WIDTH) // 2, top)
    words = _("Nothing yet: a match that you play to its end is listed here.")
    for offset, line in enumerate(wrapped(words, min(60, canvas.width - 4))):
        at = (canvas.width - cells_of(line)) // 2, top + CROWN_HEIGHT + 2 + offset
        canvas.put(*at, line, Ink.STRONG)


class History(Section):
    label = N_("History")
    ACTIONS = (
        Action("replay", ("enter",), N_("look at it"), N_("Look at the marked match again.")),
        ANALYSE,
        EXPORT,
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def compose(self) -> ComposeResult:
        yield MatchList()

    @property
    def _list(self) -> MatchList:
        return self.query_one(MatchList)

    def begin(self) -> None:
        self._list.focus()
        self.run_worker(self._load(), exclusive=True)

    async def _load(self) -> None:
        if self.look_back.is_at_server:
            await self._load_from_server()
        elif (servers := self.look_back.diadem.local.servers) is not None:
            self._list.show(await asyncio.to_thread(servers.kept_matches.listed))
        self.refresh_bindings()

    async def _load_from_server(self) -> None:
        """Page by page, and each is shown as it comes."""
        found: dict[str, PastMatch] = {}
        before: str | None = None
        while len(found) < MOST_LISTED:
            answer = await self.look_back.ask(protocol.ListReplays, before)
            if not isinstance(answer, Replays):
                break
            lines = [match for line in answer.replays if (match := past_match(line)) is not None]
            known = len(found)
            found |= {match.code: match for match in lines}
            self._list.show(list(found.values()))
            if not answer.more or len(found) == known:
                break
            before = answer.replays[-1].table

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"replay", "analyse", "export"}:
            return self._list.marked is not None
        return super().check_action(action, parameters)

    def on_rows_marked(self) -> None:
        self.refresh_bindings()

    def on_rows_clicked(self) -> None:
        self.action_replay()

    def action_replay(self) -> None:
        if (match := self._list.marked) is not None:
            self.app.push_screen(ReplayScreen(partial(self._file, match), match.seat))

    def action_analyse(self) -> None:
        if (match := self._list.marked) is not None:
            self.look_back.analyse(partial(self._file, match), match.seat)

    def action_export(self) -> None:
        if (match := self._list.marked) is not None:
            self.look_back.ask_for_form(match.game, partial(self._file, match))

    async def _file(self, match: PastMatch) -> bytes:
        diadem = self.look_back.diadem
        if not match.file:
            if diadem.client is None:
                raise NotExported
            return await fetch(diadem.client.ask, match.code)
        servers = diadem.local.servers
        data = await asyncio.to_thread(servers.kept_matches.read, match.file) if servers else None
        if data is None:
            raise NotExported
        return data
