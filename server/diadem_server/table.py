"""One table: an actor that does one thing at a time, and tells everybody who is there.

Whatever changes the match is an entry: it is tried on the rules, written to the journal, and only
when that is done acknowledged, and only then shown.
"""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from diadem import match as rules
from diadem.entries import (
    Adjudicated,
    Entry,
    Left,
    Lost,
    Moved,
    OfSeat,
    Returned,
    Sat,
    Started,
    TakenOver,
    TimedOut,
)
from diadem.game import Refusal, Refused, Seat, digest
from diadem.match import Match, Phase
from diadem.protocol import Accepted, Gone, Said, TableLine, pack
from diadem.protocol import Refused as RefusedAnswer
from diadem_server import journal, showing
from diadem_server.clocks import Clocks
from diadem_server.journal import JournalUnavailable
from diadem_server.minds import Minds
from diadem_server.sessions import Session
from diadem_server.showing import Frames, Logged

if TYPE_CHECKING:
    from diadem_server.hall import Hall

log = logging.getLogger(__name__)

Job = Callable[[], Awaitable[None]]

KEPT_CHAT = 50
RETRY_SECONDS = 1.0
"""After which the server tries again to write what nobody has asked for, such as a bot's move."""


class Table:
    def __init__(self, hall: "Hall", code: str, seed: bytes, match: Match) -> None:
        self.code = code
        self.match = match
        self.owners: list[int | None] = []
        """By seat, the session that sits there; None is a bot."""
        self.history: list[Logged] = []
        self.done: dict[tuple[int, int], int] = {}
        """Commands that made an entry, by session and id, so that none is done twice."""
        self.viewers: dict[Session, int] = {}
        """Who looks at the table, and how many views each was sent."""
        self.chat: list[Said] = []
        self.ready: set[Session] = set()
        self.task: asyncio.Task[None] | None = None
        self._hall = hall
        self._seed = seed
        self._jobs: asyncio.Queue[Job | None] = asyncio.Queue()
        self._clocks = Clocks(lambda: self.post(self._time_up))
        self._minds = Minds(hall.thinkers)
        self._waits: dict[Session, asyncio.TimerHandle] = {}

    # What goes on

    def open(self) -> None:
        self.task = asyncio.create_task(self._run(), name=f"table {self.code}")
        self.task.add_done_callback(lambda _: self._clocks.stop())

    def post(self, job: Job) -> None:
        self._jobs.put_nowait(job)

    def close(self) -> None:
        """Finish what is queued, then end."""
        self._jobs.put_nowait(None)

    async def _run(self) -> None:
        self._look_ahead(None)
        try:
            while (job := await self._jobs.get()) is not None:
                await job()
        except Exception:
            log.exception("table %s broke down; its journal is kept", self.code)
            self.dismiss(Refusal("table_broken"))
            self._hall.drop(self)
        finally:
            for handle in self._waits.values():
                handle.cancel()

    async def enter(self, entry: Entry, session: Session | None = None, command: int = 0) -> bool:
        """Make an entry, if the rules and the journal allow it, and answer the command for it."""
        try:
            match, told = rules.apply(self.match, entry, self._seed)
        except Refused as refused:
            self._refuse(session, command, refused.refusal)
            return False
        number = match.entries
        owner = session.id if session else None
        statements = [
            journal.new_entry(self.code, number, entry, owner, command or None, digest(match))
        ]
        if match.phase is Phase.OVER:
            statements.append(journal.table_over(self.code))
        try:
            await self._hall.journal.write(*statements)
        except JournalUnavailable as error:
            log.error("table %s stands still, the journal cannot be written: %s", self.code, error)
            self._refuse(session, command, Refusal("journal_unavailable"))
            return False
        self.match = match
        self.keep(Logged(number, entry, told), owner, command)
        if session and command:
            self._answer(session, Accepted(command, number))
        self._hall.metrics.entries += 1
        self.show(self.history[-1])
        self._look_ahead(entry)
        return True

    def keep(self, logged: Logged, session: int | None, command: int | None) -> None:
        """Remember an entry that is in the journal."""
        match logged.entry:
            case Sat(_, bot):
                self.owners.append(None if bot else session)
            case Left(seat):
                del self.owners[seat]
            case _:
                pass
        if session and command:
            self.done[session, command] = logged.number
        self.history.append(logged)
        self._minds.see(logged)

    def _look_ahead(self, entry: Entry | None) -> None:
        """What the table does by itself after an entry."""
        self._clocks.follow(self.match, entry)
        if isinstance(entry, Started):
            self.ready.clear()
        if self.match.phase is Phase.OVER:
            self._hall.finished(self)
        elif self.match.phase is Phase.PLAYING:
            self._wake_bot()
        self._hall.lobby_changed()

    # Bots and clocks

    def _wake_bot(self) -> None:
        for seat in self.match.actors:
            level = self.match.players[seat].played_by
            if level is not None:
                thinking = asyncio.create_task(self._think(self.match, seat, level))
                self._hall.keep_task(thinking)
                return

    async def _think(self, match: Match, seat: Seat, level: str) -> None:
        try:
            move = await self._minds.choose(match, seat, level, self.history)
        except Exception:
            log.exception("table %s: the %s bot broke down, the zombie moves", self.code, level)
            move = await self._minds.choose(match, seat, "zombie", self.history)
        await asyncio.sleep(self._hall.config.bot_pause)
        self.post(lambda: self._bot_moves(match, seat, move))

    async def _bot_moves(self, match: Match, seat: Seat, move: str) -> None:
        """Unless the table has gone on meanwhile: then another bot has been woken."""
        if match is not self.match:
            return
        spent = self._clocks.spent(seat)
        if not await self.enter(Moved(seat, move, spent)):
            self._later(lambda: self._bot_moves(match, seat, move))

    async def _time_up(self) -> None:
        patience = self.match.game.patience(self.match.game.public(self.match.state))
        for seat in self._clocks.overdue():
            if seat not in self.match.actors:
                continue
            if patience is None:
                entry: Entry = TimedOut(seat)
            else:
                move = await self._minds.choose(self.match, seat, "zombie", self.history)
                entry = Moved(seat, move, self._clocks.spent(seat))
            if not await self.enter(entry):
                self._later(self._time_up)
                return

    def _later(self, job: Job) -> None:
        asyncio.get_running_loop().call_later(RETRY_SECONDS, self.post, job)

    # Who is there

    def seat_of(self, session: Session) -> Seat | None:
        return self.owners.index(session.id) if session.id in self.owners else None

    async def attend(self, session: Session, command: int) -> None:
        """Somebody comes to the table: back to a seat, or to look on."""
        seat = self.seat_of(session)
        running = self.match.phase is not Phase.GATHERING
        if seat is None and running and not self.match.setup.spectators:
            self._refuse(session, command, Refusal("no_spectators"))
            return
        session.table = self.code
        self.viewers[session] = 0
        if waiting := self._waits.pop(session, None):
            waiting.cancel()
        self._answer(session, Accepted(command, self.match.entries))
        for said in self.chat:
            self._hall.tell(session, said)
        if seat is None or not self._was_stood_in_for(seat) or not await self.enter(Returned(seat)):
            self.show(None)

    def _was_stood_in_for(self, seat: Seat) -> bool:
        """A player that was lost or ran out of time comes back by being here again (C-2)."""
        if self.match.players[seat].stand_in is None or self.match.phase is Phase.OVER:
            return False
        absences = [
            logged.entry
            for logged in self.history
            if isinstance(logged.entry, OfSeat)
            and not isinstance(logged.entry, Moved)
            and logged.entry.seat == seat
        ]
        return not isinstance(absences[-1], TakenOver)

    async def depart(self, session: Session) -> None:
        """Somebody has gone, or the line to her is down."""
        if self.viewers.pop(session, None) is None:
            return
        self.ready.discard(session)
        self.show(None)
        patience = self.match.setup.patience
        if self.seat_of(session) is not None and patience is not None:
            loop = asyncio.get_running_loop()
            self._waits[session] = loop.call_later(
                patience, self.post, lambda: self._give_up_on(session)
            )
        self._hall.lobby_changed()

    async def _give_up_on(self, session: Session) -> None:
        seat = self.seat_of(session)
        if seat is None or session in self.viewers:
            return
        if self.match.phase is Phase.GATHERING:
            await self.enter(Left(seat))
        elif self.match.phase is not Phase.OVER and self.match.players[seat].played_by is None:
            await self.enter(Lost(seat))
            await self.deal_if_ready()
        if not self.owners and not self.viewers:
            self._hall.abandoned(self)

    async def deal_if_ready(self) -> bool:
        """Deal when everybody who plays for herself is ready. Whether that was done."""
        if self.match.phase not in {Phase.GATHERING, Phase.BETWEEN}:
            return False
        people = [
            self._hall.sessions.get(owner)
            for owner, player in zip(self.owners, self.match.players, strict=True)
            if owner is not None and player.played_by is None
        ]
        enough = len(self.match.players) in self.match.game.seats
        if enough and people and all(person in self.ready for person in people):
            return await self.enter(Started())
        return False

    async def adjudicate(self) -> None:
        await self.enter(Adjudicated())

    def dismiss(self, why: Refusal) -> None:
        for session in self.viewers:
            session.table = None
            self._hall.tell(session, Gone(self.code, why))
        self.viewers.clear()

    # What is told

    @property
    def maker(self) -> Seat | None:
        """The first person at the table decides for it."""
        return next((seat for seat, owner in enumerate(self.owners) if owner is not None), None)

    @property
    def line(self) -> TableLine:
        return TableLine(
            table=self.code,
            game=self.match.setup.game,
            names=tuple(player.name for player in self.match.players),
            seats=self.match.game.seats[-1],
            phase=self.match.phase,
            rounds=self.match.setup.rounds,
            spectators=self.match.setup.spectators,
        )

    def show(self, last: Logged | None) -> None:
        """Send everybody here the table as it is now."""
        present = [self._hall.sessions.get(owner) for owner in self.owners]
        public = showing.public(
            self.match,
            present=[person is None or person in self.viewers for person in present],
            ready=[person is None or person in self.ready for person in present],
            maker=self.maker,
            watchers=sum(self.seat_of(session) is None for session in self.viewers),
            deadline=self._clocks.left(),
        )
        frames = Frames(self.code, self.match, public, last)
        for session in self.viewers:
            self.viewers[session] += 1
            if session.outbox:
                frame = frames.frame(self.seat_of(session), self.viewers[session])
                session.outbox.offer("view", frame)

    def spent(self, seat: Seat) -> int:
        return self._clocks.spent(seat)

    def check(self, session: Session, draft: dict[str, str]) -> Any:
        """What the game's own judge says of a draft, to the seat that may see its hand."""
        seat = self.seat_of(session)
        if seat is None or self.match.phase is not Phase.PLAYING:
            raise Refused(Refusal("not_playing"))
        return self.match.game.preview(self.match.game.view(self.match.state, seat), draft)

    def name_for(self, level: str) -> str:
        """A name for another bot, not taken yet at this table."""
        taken = {player.name for player in self.match.players}
        numbered = (f"{level} {number}" for number in itertools.count(1))
        return next(name for name in numbered if name not in taken)

    def say(self, session: Session, text: str) -> None:
        said = Said(session.name, self.seat_of(session), text)
        self.chat = [*self.chat, said][-KEPT_CHAT:]
        for viewer in self.viewers:
            self._hall.tell(viewer, said)

    def _answer(self, session: Session, answer: Accepted | RefusedAnswer) -> None:
        session.answer(answer, pack(answer))

    def _refuse(self, session: Session | None, command: int, why: Refusal) -> None:
        self._hall.metrics.refusals += 1
        if session and command:
            self._answer(session, RefusedAnswer(command, why))
