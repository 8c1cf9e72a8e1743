"""One table: an actor that does one thing at a time, and tells everybody who is there.

Whatever changes the match is an entry: it is tried on the rules, written to the journal, and only
when that is done acknowledged, and only then shown.
"""

import asyncio
import logging
from collections.abc import Sequence

from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import Change, NewEntry
from diadem_server.storage.records import DoneRow, EntryRow
from diadem_server.table import names, views
from diadem_server.table.autoplay import Autoplay
from diadem_server.table.bans import Bans
from diadem_server.table.chat import Chat
from diadem_server.table.commit_reveal import CommitReveal
from diadem_server.table.entry_writer import EntryWriter
from diadem_server.table.executed_commands import ExecutedCommands
from diadem_server.table.grace_periods import GracePeriods, grace_seconds
from diadem_server.table.hints import Hints
from diadem_server.table.history import History
from diadem_server.table.jobs import Job, Jobs, Work
from diadem_server.table.lifetime import Due, Lifetime
from diadem_server.table.rematch import Rematch
from diadem_server.table.results import Finish
from diadem_server.table.roster import Roster, build_roster
from diadem_server.table.round_start import RoundStart
from diadem_server.table.seating import Seating
from diadem_server.table.services import TableServices, write_for_table
from diadem_server.table.views import Frames, Logged
from diadem_shared import match as rules
from diadem_shared.bot_names import name_for_bot
from diadem_shared.entries import Adjudicated, Entry, Left, Lost, Moved, Returned
from diadem_shared.game import Seat
from diadem_shared.lesson import is_lesson
from diadem_shared.match import Match, Phase, Told
from diadem_shared.protocol import Accepted, Answer, Gone, TableLine
from diadem_shared.refusals import Code, Refusal, RefusalError

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""After which the server tries again to write what nobody has asked for, such as a bot's move."""


class Table:
    def __init__(
        self,
        services: TableServices,
        code: str,
        seed: bytes,
        match: Match,
        setup: bytes | None = None,
    ) -> None:
        """`setup` is how the table was set up, as it stands in the journal, if it does so already."""
        self.code = code
        self.match = match
        self.record = EntryWriter(code, seed, match, setup)
        self.history = History(code, seed, match)
        self.done = ExecutedCommands()
        self.made_by: int | None = None
        """The first session that sat here."""
        self.task: asyncio.Task[None] | None = None
        self._services = services
        self._seed = seed
        self._jobs = Jobs()
        self.frames = Frames(code)
        self._roster: Roster | None = None
        """Who is here, which moves do not change; None if that has to be found out anew."""
        self.seating = Seating()
        self.finish = Finish(code, seed, match, self.seating)
        self.grace = GracePeriods(lambda who: self.post(lambda: self._end_grace_period(who)))
        self.chat = Chat(services.chat_limits)
        self.bans = Bans()
        self.autoplay = Autoplay(self, services)
        self.hints = Hints(self, seed, services)
        self.dealing = RoundStart(self.seating)
        self.shuffling = CommitReveal(self, seed, services.refuse)
        self.rematch = Rematch(self.seating, self.grace)
        self.lifetime = Lifetime(
            self.seating, lambda: self.post(self._do_what_is_due), self.record.is_full
        )

    # One thing at a time

    def open(self) -> None:
        self.task = asyncio.create_task(self._run(), name=f"table {self.code}")

    @property
    def waiting(self) -> int:
        """How many commands have yet to be carried out."""
        return len(self._jobs)

    def post(self, work: Work, session: Session | None = None, command: int = 0) -> None:
        self._jobs.put(Job(work, session, command))

    def retry(self, work: Work) -> None:
        """Try again what could not be written."""
        asyncio.get_running_loop().call_later(RETRY_SECONDS, self.post, work)

    def close(self) -> None:
        """Finish what is queued, then end."""
        self._jobs.put(None)

    async def _run(self) -> None:
        job: Job | None = Job(self._begin)
        try:
            while job is not None:
                await job.work()
                await self._deal_if_ready()
                if self.rematch.is_due(self.match):
                    await self._play_again()
                if not self._jobs and self._is_over:
                    await self._services.ended(self.code)
                    return
                self.lifetime.follow(self.match)
                job = await self._jobs.take()
            self.shuffling.give_up(Refusal(Code.SERVER_CLOSING))
        except Exception:
            log.exception("table %s broke down; its journal is kept", self.code)
            self.shut(Refusal(Code.TABLE_BROKEN, {"table": self.code}), job)
        finally:
            self.autoplay.clocks.stop()
            self.lifetime.stop()
            self.grace.stop()

    async def _begin(self) -> None:
        self._wait_for_the_absent()
        self.autoplay.follow(None)
        self._services.changed(self.code)

    def shut(self, why: Refusal, job: Job | None = None) -> None:
        """Nothing goes on here any more: tell everybody, and answer whoever is waiting."""
        self._services.broken(self.code, why)
        self.shuffling.give_up(why)
        for _, session, command in [*([job] if job else []), *self._jobs.rest()]:
            if session and session.answers.awaits(command):
                self._services.refuse(session, command, why)
        for viewer in list(self.seating.viewers):
            self.remove_viewer(viewer, why)

    @property
    def _is_over(self) -> bool:
        """Nobody is here or coming, and nothing goes on."""
        if self.seating.viewers:
            return False
        unclaimed = self.match.phase is Phase.GATHERING and not self.seating.owned
        return unclaimed or (self.match.phase is Phase.OVER and not self.grace.sessions)

    # Entries

    async def enter(
        self,
        entry: Entry,
        session: Session | None = None,
        command: int = 0,
        *,
        also: Sequence[Change] = (),
    ) -> Refusal | None:
        """Make an entry and answer the command for it, or say why rules or journal refuse it. What is written
        `also` is written with it, or not at all."""
        try:
            self.record.refuse_beyond_bounds(self.match, entry)
            self.shuffling.refuse_while_dealing(entry, session)
            match, told = rules.apply(self.match, entry, self._seed)
        except RefusalError as refused:
            return refused.refusal
        number, changes = match.entries, list(also)
        row = self.record.write(entry, match)
        answer = Accepted(command, number)
        if session:
            content = session.answers.content(command)
            row = row._replace(session=session.id, command=command, content=content)
            if self.match.phase is Phase.GATHERING:  # it goes with its entries if it does not begin
                changes += session.answers.rows(answer)
        changes += self.seating.changes(self.code, entry, row.session)
        changes.append(NewEntry(self.code, row))
        if match.phase is Phase.OVER:
            changes += self.finish.changes(match, entry, told, self._services.now())
        if why := await write_for_table(self._services, self.code, changes):
            return why
        self._services.quota.spend(session or self.maker, changes)
        is_mere_move = isinstance(entry, Moved) and match.phase is self.match.phase
        self.match = match
        logged = self.keep(row, told)
        if session:
            session.answer(answer)
        self._services.metrics.entries += 1
        self.autoplay.follow(entry)
        self._remove_onlookers()
        if match.phase is Phase.OVER:
            for waited_for in self.grace.sessions:
                self._wait_for(waited_for)
        self.show(logged)
        if not is_mere_move:
            self._services.changed(self.code)
        return None

    @property
    def maker(self) -> Session | None:
        """The first who sat here, if they are known here; what nobody has asked for is written for them."""
        return self._services.session(self.made_by)

    def keep(self, row: EntryRow, told: Told) -> Logged:
        """Remember an entry that is in the journal."""
        self.record.keep(row)
        self.made_by = self.made_by or row.session
        if not isinstance(row.entry, Moved):
            self._roster = None
            self.seating.follow(row.entry, row.session)
            self.dealing.follow(row.entry, row.session)
            self.shuffling.follow(row.entry)
        if row.session and row.command:
            self.done.keep(row.session, DoneRow(row.command, row.content, row.number))
        logged = Logged(row.number, row.entry, told)
        self.history.keep(logged)
        self.finish.follow(row.entry, told)
        self.autoplay.see(logged)
        return logged

    def name_for_bot(self) -> str:
        """A name for another bot, which nobody here has."""
        taken = {player.name for player in self.match.players}
        return name_for_bot(self._seed, taken | {person.name for person in self.seating.viewers})

    async def acknowledge(self, session: Session, answer: Answer, *changes: Change) -> None:
        """Write what a command does without an entry, together with its answer; then answer it."""
        written = [*changes, *session.answers.rows(answer)]
        await self._services.journal.write(*written)
        self._services.quota.spend(session, written)
        session.answer(answer)

    # What is told

    @property
    def line(self) -> TableLine:
        return views.line(self.code, self.match, self.seating.program_seats)

    def show(self, last: Logged | None, *, only_to: Session | None = None) -> None:
        """Send everybody here, or one of them, the table as it is now."""
        match = self.match
        if last is None or match.phase is not Phase.PLAYING:
            self._roster = None
        roster = self._roster = self._roster or build_roster(match, self.seating)
        public = views.public(
            match,
            roster.presence,
            deadline=self.autoplay.clocks.left(),
            blocked=self.dealing.blocked(match) or self.rematch.unmade,
            again=self.rematch.table,
            shuffle=self.shuffling.line(match),
        )
        self.frames.turn_to(match, public, last, self.record.link)
        viewers = self.seating.viewers
        muted = names.muted_by(viewers, match.players, self.seating, self.chat.lines)
        for session, seat, is_maker, resigned in roster.places:
            if only_to is not None and session is not only_to:
                continue
            number = viewers[session] = viewers[session] + 1
            if session.outbox and session.is_at_table:
                banned = self.bans.names if is_maker else ()
                seen = seat, number, muted.get(session, ()), banned, resigned
                frame = self.frames.frame(*seen, lists_moves=session.wants_moves)
                session.outbox.offer("view", frame)

    # Coming

    async def join(self, session: Session, command: int = 0) -> None:
        """Somebody comes to the table: back to a seat, or to look on."""
        if why := self.refusal(session):
            if session.table == self.code:
                session.table = None
            self._services.refuse(session, command, why)
            return
        self.seating.come(session)
        made = self.done.find(session.id, command)
        session.answer(Accepted(command, made.entry if made else self.match.entries))
        for line in self.chat.lines_for(session):
            session.tell(line.said)
        await self._is_here(session)

    async def come_along(self, session: Session, views: int, last_line: int) -> None:
        """With the table from another node, where they were sent so many views and this line of chat."""
        if why := self.refusal(session):
            self.remove_viewer(session, why)
            return
        self.seating.come(session, views)
        for line in self.chat.lines_for(session, after=last_line):
            session.tell(line.said)
        await self._is_here(session)

    async def _is_here(self, session: Session) -> None:
        self.grace.end(session.id)
        if session.is_bot:
            self._services.changed(self.code)
        if (seat := self.seating.seat_of(session)) is not None:
            self.autoplay.clocks.release(seat)
            if self.seating.is_stood_in_for(seat, self.match) and not await self._come_back(seat):
                return
        self.show(None)

    async def _come_back(self, seat: Seat) -> Refusal | None:
        return await self.autoplay.make_late_move(seat) or await self.enter(Returned(seat))

    def refusal(self, session: Session) -> Refusal | None:
        """Why they may not come, if they have no seat here, and none to take back."""
        seating = self.seating
        if seating.seat_of(session) is not None:
            return None
        if seating.resigned_from(session, self.match.phase) is not None:
            return None
        if self.bans.is_banned(session):
            return Refusal(Code.BANNED)
        return Refusal(Code.NO_SPECTATORS) if self._is_closed else None

    @property
    def _is_closed(self) -> bool:
        """To those who only want to look on."""
        return self.match.phase is not Phase.GATHERING and not self.match.setup.spectators

    # Going

    async def leave(self, session: Session, *, is_lost: bool = False) -> None:
        """Somebody has gone: they went, or their connection was lost."""
        if self.seating.viewers.pop(session, None) is None:
            return
        is_over = self.match.phase is Phase.OVER
        if is_over and not is_lost:
            self.seating.ready.discard(session.id)
        if is_lost if is_over else self.seating.seat_of(session) is not None:
            self._wait_for(session.id)
        self.show(None)

    def _remove_onlookers(self) -> None:
        """A table that is not to be looked on is begun. Who may take a seat back may stay."""
        if self._is_closed and self.match.phase is not Phase.OVER:
            for session in self.seating.onlookers:
                if self.seating.resigned_from(session, self.match.phase) is None:
                    self.remove_viewer(session, Refusal(Code.NO_SPECTATORS))

    def remove_viewer(self, session: Session, why: Refusal) -> None:
        self.seating.viewers.pop(session, None)
        self._roster = None
        if session.table == self.code:
            session.table = None
            session.tell(Gone(self.code, why))

    # Grace periods

    def _wait_for_the_absent(self) -> None:
        """At a table that is opened, perhaps again: nobody's time runs before they have come."""
        here = {person.id for person in self.seating.viewers}
        for seat, owner in enumerate(self.seating.owners):
            if owner is not None and owner not in here:
                self._wait_for(owner)
                if self.match.phase is not Phase.GATHERING:
                    self.autoplay.clocks.hold(seat)

    def _wait_for(self, session: int) -> None:
        if (patience := grace_seconds(self.match)) is not None:
            self.grace.begin(session, patience)

    async def _end_grace_period(self, session: int) -> None:
        """They were waited for, and have not come."""
        self.grace.end(session)
        is_here = any(person.id == session for person in self.seating.viewers)
        if is_here or session not in self.seating.owners or self.match.phase is Phase.OVER:
            return
        seat, match = self.seating.owners.index(session), self.match
        entry: Entry
        if match.phase is Phase.GATHERING:
            entry = Left(seat)
        elif is_lesson(match.setup):
            entry = Adjudicated()
        elif match.players[seat].played_by or not match.setup.patience:
            return
        else:
            entry = Lost(seat)
        if await self.enter(entry):
            self.retry(lambda: self._end_grace_period(session))

    # What is done without being asked

    async def _deal_if_ready(self) -> None:
        """Looked at whenever something was done at the table."""
        self.dealing.note_who_agrees()
        if not self.dealing.unwritten and self.dealing.all_are_ready(self.match):
            self.shuffling.begin()
        why = await self.shuffling.go_on()
        if why is not None and why.code == Code.JOURNAL_UNAVAILABLE:
            self.dealing.unwritten = why
            self.retry(self._deal_again)
            self.show(None)

    async def _deal_again(self) -> None:
        self.dealing.unwritten = None

    async def _play_again(self) -> None:
        """Looked at like that as well, once the match is over."""
        self.rematch.unmade = await self._services.play_again(self.code)
        if why := self.rematch.unmade:
            seconds = why.about.get("seconds")
            pause = seconds if isinstance(seconds, int) else RETRY_SECONDS
            asyncio.get_running_loop().call_later(pause, self.post, self._try_again)
            self.show(None)

    async def _try_again(self) -> None:
        self.rematch.unmade = None

    async def end(self) -> None:
        await self.enter(Adjudicated())

    async def _do_what_is_due(self) -> None:
        due = self.lifetime.take_due()
        if due is Due.END:
            await self.end()
        elif due is Due.DEAL:
            self.shuffling.begin()
