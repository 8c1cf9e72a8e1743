"""What a table does without being asked: bots move, and time runs out."""

import asyncio
import logging
from typing import TYPE_CHECKING

from diadem.entries import Entry, Moved, TimedOut
from diadem.game import Seat
from diadem.match import Match, Phase
from diadem.refusals import Code
from diadem_server.table.bots import STAND_IN, Bots
from diadem_server.table.clocks import Clocks
from diadem_server.table.views import Logged

if TYPE_CHECKING:
    from diadem_server.lobby.lobby import Lobby
    from diadem_server.table.table import Table

log = logging.getLogger(__name__)


class Autoplay:
    def __init__(self, table: "Table", lobby: "Lobby") -> None:
        self.clocks = Clocks(table.job(self.time_up))
        self._table = table
        self._lobby = lobby
        self._minds = Bots(lobby.bot_workers)

    def see(self, logged: Logged) -> None:
        self._minds.see(logged)

    def follow(self, entry: Entry | None) -> None:
        """Look at the table after an entry, or when it is opened."""
        match = self._table.match
        self.clocks.follow(match, entry)
        if match.phase is not Phase.PLAYING:
            return
        for seat in match.actors:
            level = match.players[seat].played_by
            if level is not None:
                self._lobby.spawn(self._think(match, seat, level))
                return

    async def _think(self, match: Match, seat: Seat, level: str) -> None:
        move = None
        try:
            move = await self._minds.choose(match, seat, level, self._table.history)
        except Exception:
            log.exception("table %s: the bot %s broke down", self._table.code, level)
        await asyncio.sleep(self._lobby.config.bot_pause)
        self._table.post(lambda: self._bot_moves(match, seat, level, move))

    async def _bot_moves(self, match: Match, seat: Seat, level: str, move: str | None) -> None:
        """Unless the table has gone on meanwhile: then another bot has been woken."""
        if match is not self._table.match:
            return
        if move is None:
            move, level = await self._stand_ins_move(seat), STAND_IN
        why = await self._table.enter(Moved(seat, move, self.clocks.spent(seat)))
        if why is None:
            return
        if why.code == Code.JOURNAL_UNAVAILABLE:
            self._table.later(lambda: self._bot_moves(match, seat, level, move))
        elif level == STAND_IN:
            raise RuntimeError(f"the zombie's move {move} is refused: {why}")
        else:
            log.error("table %s: the bot %s may not %s: %s", self._table.code, level, move, why)
            await self._bot_moves(match, seat, level, None)

    async def time_up(self) -> None:
        match = self._table.match
        for seat in self.clocks.overdue():
            if seat not in self._table.match.actors:
                continue
            if match.game.patience(match.game.public(match.state)) is None:
                entry: Entry = TimedOut(seat)
            else:
                entry = Moved(seat, await self._stand_ins_move(seat), self.clocks.spent(seat))
            if await self._table.enter(entry):
                self._table.later(self.time_up)
                return

    async def _stand_ins_move(self, seat: Seat) -> str:
        table = self._table
        return await self._minds.choose(table.match, seat, STAND_IN, table.history)
