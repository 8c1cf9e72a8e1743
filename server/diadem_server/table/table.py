"""One table: an actor that does one thing at a time, and tells everybody who is there.

Whatever changes the match is an entry: it is tried on the rules, written to the journal, and only
when that is done acknowledged, and only then shown.
"""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from diadem import match as rules
from diadem.entries import Entry
from diadem.game import Seat, digest
from diadem.match import Match, Phase, Told
from diadem.protocol import Accepted, Answer, ReplayLine, TableLine
from diadem.refusals import Code, Refusal, Refused
from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import Change, FinishTable, NewEntry, SetReady
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import DoneRow, EntryRow
from diadem_server.table import views
from diadem_server.table.autoplay import Autoplay
from diadem_server.table.chat import Chat
from diadem_server.table.dealing import Dealing
from diadem_server.table.lifetime import Lifetime
from diadem_server.table.moderation import Moderation
from diadem_server.table.seating import Seating
from diadem_server.table.views import Frames, Logged

if TYPE_CHECKING:
    from diadem_server.lobby.lobby import Lobby

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[None]]

RETRY_SECONDS = 1.0
"""After which the server tries again to write what nobody has asked for, such as a bot's move."""


class Job(NamedTuple):
    work: Work
    session: Session | None = None
    command: int = 0
    """Whose command it is, if it is one: that has to be answered, come what may."""


class Table:
    def __init__(self, lobby: "Lobby", code: str, seed: bytes, match: Match) -> None:
        self.code = code
        self.match = match
        self.history: list[Logged] = []
        self.done: dict[int, dict[int, DoneRow]] = {}
        """Commands that made an entry, by session and id, so that none is done twice."""
        self.made_by: int | None = None
        """The first session that sat here."""
        self.task: asyncio.Task[None] | None = None
        self._lobby = lobby
        self._seed = seed
        self._jobs: asyncio.Queue[Job | None] = asyncio.Queue()
        self._frames = Frames(code)
        self.seating = Seating(self, lobby)
        self.chat = Chat(self, lobby)
        self.moderation = Moderation(self, lobby)
        self.autoplay = Autoplay(self, lobby)
        self.dealing = Dealing(self)
        self.lifetime = Lifetime(self)

    # One thing at a time

    def open(self) -> None:
        self.task = asyncio.create_task(self._run(), name=f"table {self.code}")

    def post(self, work: Work, session: Session | None = None, command: int = 0) -> None:
        self._jobs.put_nowait(Job(work, session, command))

    def job(self, work: Work) -> Callable[[], None]:
        """For timers: what puts this work before the table."""
        return lambda: self.post(work)

    def later(self, work: Work) -> None:
        """Try again what could not be written."""
        asyncio.get_running_loop().call_later(RETRY_SECONDS, self.post, work)

    def close(self) -> None:
        """Finish what is queued, then end."""
        self._jobs.put_nowait(None)

    async def _run(self) -> None:
        job: Job | None = Job(self._begin)
        try:
            while job is not None:
                await job.work()
                await self.dealing.deal_if_ready()
                if self._jobs.empty() and self.lifetime.is_over:
                    await self._lobby.end_table(self)
                    return
                self.lifetime.follow()
                job = await self._jobs.get()
        except Exception:
            log.exception("table %s broke down; its journal is kept", self.code)
            self.shut(Refusal(Code.TABLE_BROKEN, {"table": self.code}), job)
        finally:
            self.autoplay.clocks.stop()
            self.lifetime.stop()
            self.seating.close()

    async def _begin(self) -> None:
        self.seating.wait_for_the_absent()
        self.autoplay.follow(None)
        self._lobby.lobby_changed()

    def shut(self, why: Refusal, job: Job | None = None) -> None:
        """Nothing goes on here any more: tell everybody, and answer whoever is waiting."""
        self._lobby.drop(self, why)
        while job is not None or not self._jobs.empty():
            if job and job.session and job.session.answers.awaits(job.command):
                self._lobby.refuse(job.session, job.command, why)
            job = None if self._jobs.empty() else self._jobs.get_nowait()
        self.seating.remove_all_viewers(why)

    # Entries

    async def enter(
        self,
        entry: Entry,
        session: Session | None = None,
        command: int = 0,
        *,
        also: Sequence[Change] = (),
    ) -> Refusal | None:
        """Make an entry and answer the command for it, or say why rules or journal refuse it.

        What is written `also` is written with it, or not at all.
        """
        try:
            match, told = rules.apply(self.match, entry, self._seed)
        except Refused as refused:
            return refused.refusal
        row = EntryRow(match.entries, entry, None, None, digest(match))
        answer = Accepted(command, match.entries)
        changes = list(also)
        if session:
            content = session.answers.content(command)
            row = row._replace(session=session.id, command=command, content=content)
            if self.match.phase is Phase.GATHERING:  # it goes with its entries if it does not begin
                changes += session.answers.rows(answer)
        changes.append(NewEntry(self.code, row))
        if match.phase is Phase.OVER:
            changes.append(self._as_finished(match))
        try:
            await self._lobby.journal.write(*changes)
        except JournalUnavailable as error:
            log.error("table %s stands still, the journal cannot be written: %s", self.code, error)
            return Refusal(Code.JOURNAL_UNAVAILABLE)
        self.match = match
        self.keep(row, told)
        if session:
            session.answer(answer)
        self._lobby.metrics.entries += 1
        self.autoplay.follow(entry)
        self.seating.remove_onlookers()
        if match.phase is Phase.OVER:
            self.seating.wait_until_the_end()
        self.show(self.history[-1])
        self._lobby.lobby_changed()
        return None

    def _as_finished(self, match: Match) -> FinishTable:
        names = tuple(player.name for player in match.players)
        line = ReplayLine(self.code, match.setup.game, names, match.totals)
        return FinishTable(self.code, self._lobby.config.now(), line, tuple(self.seating.played))

    def keep(self, row: EntryRow, told: Told) -> None:
        """Remember an entry that is in the journal."""
        self.made_by = self.made_by or row.session
        self.seating.follow(row.entry, row.session)
        self.dealing.follow(row.entry, row.session)
        if row.session and row.command:
            done = DoneRow(row.command, row.content, row.number)
            self.done.setdefault(row.session, {})[row.command] = done
        self.history.append(Logged(row.number, row.entry, told))
        self.autoplay.see(self.history[-1])

    # What is told

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

    def show(self, last: Logged | None, *, only_to: Session | None = None) -> None:
        """Send everybody here, or one of them, the table as it is now."""
        public = views.public(
            self.match,
            self.seating.presence,
            deadline=self.autoplay.clocks.left(),
            blocked=self.dealing.blocked,
        )
        self._frames.turn_to(self.match, public, last)
        viewers = [only_to] if only_to else list(self.seating.viewers)
        muted = self.moderation.muted_by(viewers)
        for session in viewers:
            self.seating.viewers[session] += 1
            if session.outbox:
                number, seat = self.seating.viewers[session], self.seating.seat_of(session)
                is_maker = seat is not None and seat == public.maker
                banned = self.moderation.banned if is_maker else ()
                resigned = self.seating.resigned_from(session)
                frame = self._frames.frame(seat, number, muted.get(session, ()), banned, resigned)
                session.outbox.offer("view", frame)

    def check(self, session: Session, draft: dict[str, str]) -> Any:
        """What the game's own judge says of a draft, to the seat that may see its hand."""
        seat = self.seating.seat_of(session)
        if seat is None or self.match.phase is not Phase.PLAYING:
            raise Refused(Refusal(Code.NOT_PLAYING))
        return self.match.game.preview(self.match.game.view(self.match.state, seat), draft)

    def spent(self, seat: Seat) -> int:
        return self.autoplay.clocks.spent(seat)

    def name_for(self, level: str) -> str:
        """A name for another bot, not taken yet at this table."""
        taken = {player.name for player in self.match.players}
        numbered = (f"{level} {number}" for number in itertools.count(1))
        return next(name for name in numbered if name not in taken)

    async def set_ready(self, session: Session, command: int, *, ready: bool) -> None:
        """It holds until the next round is dealt, over a restart too."""
        change = SetReady(self.code, session.id, self.match.entries, ready)
        await self.acknowledge(session, Accepted(command), change)
        (self.seating.ready.add if ready else self.seating.ready.discard)(session.id)

    async def acknowledge(self, session: Session, answer: Answer, *changes: Change) -> None:
        """Write what a command does without an entry, together with its answer; then answer it."""
        await self._lobby.journal.write(*changes, *session.answers.rows(answer))
        session.answer(answer)
