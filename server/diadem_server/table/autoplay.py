"""What a table does without being asked: bots move, and time runs out."""

import asyncio
import logging
from collections.abc import Iterable
from typing import Protocol

from msgspec import UNSET

from diadem_server.sessions.sessions import Session
from diadem_server.table.bot_pause import BotPause
from diadem_server.table.bots import STAND_IN, Bots, Chosen
from diadem_server.table.clocks import Clocks
from diadem_server.table.jobs import Work
from diadem_server.table.seating import Seating
from diadem_server.table.services import TableServices
from diadem_server.table.turn_start import TurnStart
from diadem_server.table.views import Logged
from diadem_shared.entries import Entry, Moved, Started, TimedOut
from diadem_shared.game import Seat
from diadem_shared.lesson import given_moves
from diadem_shared.match import Match, Phase
from diadem_shared.refusals import Code, Refusal

log = logging.getLogger(__name__)

ALONE = 2
"""So much longer bots take where nobody else plays."""


class Played(Protocol):
    """What bots and clocks ask of the table they are at."""

    @property
    def code(self) -> str: ...

    @property
    def match(self) -> Match: ...

    @property
    def seating(self) -> Seating: ...

    @property
    def maker(self) -> Session | None:
        """Whose address bots' moves count for."""

    @property
    def history(self) -> Iterable[Logged]:
        """What has happened lately."""

    async def enter(self, entry: Entry) -> Refusal | None: ...

    def post(self, work: Work) -> None:
        """Have this done when its turn comes."""

    def retry(self, work: Work) -> None:
        """The same after a pause."""


class Autoplay:
    def __init__(self, table: Played, services: TableServices) -> None:
        self.clocks = Clocks(lambda: table.post(self.time_up))
        self.turns = TurnStart()
        self.pause = BotPause(self._longest_pause, self._wished_pause)
        self._table = table
        self._services = services
        self._minds = Bots(services.bot_workers, given_moves(table.match.setup))
        self._late: set[Seat] = set()
        """Seats whose player ran out of time for a move that is not made yet."""

    def see(self, logged: Logged) -> None:
        self._minds.see(logged)
        match logged.entry:
            case TimedOut(seat):
                self._late.add(seat)
            case Moved(seat):
                self._late.discard(seat)
            case Started():
                self._late.clear()
            case _:
                pass

    def follow(self, entry: Entry | None) -> None:
        """Look at the table after an entry, or when it is opened."""
        match = self._table.match
        actors = match.actors
        self.clocks.follow(match, entry, actors)
        judged = self.clocks.by_rules is not None
        if entry is None:
            self.turns.open(self._table.history, match.entries, actors, judged=judged)
        else:
            self.turns.follow(match.entries, entry, actors, judged=judged)
        if match.phase is not Phase.PLAYING:
            return
        for seat in actors:
            level = match.players[seat].played_by
            if level is not None:
                self._services.spawn(self._think(match, seat, level))
                return

    async def _think(self, match: Match, seat: Seat, level: str) -> None:
        begun, chosen = self.clocks.now, None
        try:
            chosen = await self._minds.choose(match, seat, level, self._table.history)
        except Exception:
            log.exception("table %s: the bot %s broke down", self._table.code, level)
        await self.pause.over(begun)
        if seconds := self._services.quota.bot_pause(self._table.maker):
            await asyncio.sleep(seconds)
        self._table.post(lambda: self._bot_moves(match, seat, level, chosen))

    def _longest_pause(self) -> float:
        """Where people play, each one's client shows the moves at that player's pace. Who looks on where none
        does could not follow for long."""
        people = any(player.played_by is None for player in self._table.match.players)
        return self._services.bot_pause * (1 if people else ALONE)

    def _wished_pause(self) -> float:
        return self._table.seating.shortest_pause(self._table.match.players)

    async def _bot_moves(self, match: Match, seat: Seat, level: str, chosen: Chosen | None) -> None:
        """Unless the table has gone on meanwhile: then another bot has been woken."""
        if match is not self._table.match:
            return
        if chosen is None:
            chosen, level = await self._stand_ins_move(seat), STAND_IN
        why = await self._table.enter(self._moved(seat, chosen))
        if why is None:
            return
        if why.code == Code.MATCH_TOO_LONG:
            return
        if why.code == Code.JOURNAL_UNAVAILABLE:
            self._table.retry(lambda: self._bot_moves(match, seat, level, chosen))
        elif level == STAND_IN:
            raise RuntimeError(f"the zombie's move {chosen.move} is refused: {why}")
        else:
            code, move = self._table.code, chosen.move
            log.error("table %s: the bot %s may not %s: %s", code, level, move, why)
            await self._bot_moves(match, seat, level, None)

    async def time_up(self) -> None:
        match = self._table.match
        for seat in self.clocks.overdue():
            if seat not in self._table.match.actors:
                continue
            if match.game.patience(match.game.public(match.state)) is None:
                why = await self._table.enter(TimedOut(seat))
            else:
                why = await self._stand_in_moves(seat)
            if why is not None:
                self._table.retry(self.time_up)
                return

    async def make_late_move(self, seat: Seat) -> Refusal | None:
        """Before its player comes back to a seat: who came back at once, time and again, would never have to
        move."""
        if seat in self._late and seat in self._table.match.actors:
            return await self._stand_in_moves(seat)
        return None

    async def _stand_in_moves(self, seat: Seat) -> Refusal | None:
        """The zombie makes one move for this seat."""
        return await self._table.enter(self._moved(seat, await self._stand_ins_move(seat)))

    def _moved(self, seat: Seat, chosen: Chosen) -> Moved:
        return Moved(seat, chosen.move, self.clocks.spent(seat), chosen.why or UNSET)

    async def _stand_ins_move(self, seat: Seat) -> Chosen:
        table = self._table
        return await self._minds.choose(table.match, seat, STAND_IN, table.history)
