"""Everything there is while the server runs: tables, sessions, and who watches the lobby."""

import asyncio
import math
import secrets
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain
from typing import Any

from msgspec import Raw

from diadem_server.config import Config
from diadem_server.limits.throttle import Throttle
from diadem_server.lobby import rematch
from diadem_server.lobby.address_quota import AddressQuota
from diadem_server.lobby.first_player import FirstPlayer
from diadem_server.lobby.history_reader import HistoryReader
from diadem_server.lobby.local_registry import LocalRegistry
from diadem_server.lobby.registry import Registry
from diadem_server.lobby.routing import Routing, WrongNode
from diadem_server.lobby.standings import ServerStandings
from diadem_server.lobby.table_limits import TableLimits
from diadem_server.metrics import Metrics
from diadem_server.public_endpoints import PublicEndpoints
from diadem_server.sessions.bot_tokens import BotTokens
from diadem_server.sessions.outbox import Outbox
from diadem_server.sessions.passwords import PasswordCheck
from diadem_server.sessions.sessions import Session, Sessions
from diadem_server.storage.changes import (
    Change,
    DropPeople,
    DropTable,
    NewBan,
    NewEntry,
    NewTable,
    SetReady,
    TakeSeat,
)
from diadem_server.storage.imported import ImportedMatches
from diadem_server.storage.journal import Journal, JournalUnavailable, SeatTaken
from diadem_server.storage.records import BanRow, DoneRow
from diadem_server.table.bans import Bans
from diadem_server.table.bots import BotWorkers
from diadem_server.table.chat import session_limits
from diadem_server.table.table import Table
from diadem_shared import match as rules
from diadem_shared import protocol
from diadem_shared.chance import SEED_BYTES
from diadem_shared.description import describe
from diadem_shared.entries import Sat, Setup
from diadem_shared.games import GAMES
from diadem_shared.lesson import deal_of, is_lesson
from diadem_shared.match import Phase
from diadem_shared.protocol import Answer, Bye, Refused, pack
from diadem_shared.refusals import Code, Refusal, RefusalError

FREE_GUESSES = 10
"""Codes of no table that may be asked for from one prefix before guessing is made slow."""
LONGEST_GUESS_PAUSE = 60.0
GUESS_FORGOTTEN = 30.0
"""Seconds after which one wrong code is forgotten."""
BROADCAST_BATCH = 20
"""Watchers of the lobby who are told of a change in one turn of the loop."""
BROADCAST_SECONDS = 0.1
"""Seconds in which changes of the lobby are gathered into one message."""


class Lobby:
    def __init__(
        self,
        config: Config,
        journal: Journal,
        registry: Registry | None = None,
        sessions: Sessions | None = None,
        routing: Routing | None = None,
    ) -> None:
        self.config = config
        self.journal = journal
        self.registry: Registry = registry or LocalRegistry()
        self.metrics = Metrics()
        self.doors = PublicEndpoints(config)
        self.passwords = PasswordCheck(config.password, self.metrics)
        GAMES.load()
        self.bot_tokens = BotTokens(config.data)
        self.imported = ImportedMatches(config.data)
        self.sessions = sessions or Sessions(journal, config.now)
        self.routing = routing
        """Finds tables on other nodes; None for a server that runs alone."""
        self.chat_limits = session_limits()
        self.bot_workers = BotWorkers(config.thinkers)
        self.old_pages = HistoryReader(journal)
        self.standings = ServerStandings(journal, config.now)
        self.tables: dict[str, Table] = {}
        self.is_draining = False
        """No table is made any more; other nodes get those there are."""
        self.is_closing = False
        self.shut: dict[str, Refusal] = {}
        """Tables that are kept, but that nobody can go to, and why."""
        self.lobby_watchers: set[Session] = set()
        self.limits = TableLimits(config)
        self.quota = AddressQuota(config)
        self.guesses = Throttle(FREE_GUESSES, LONGEST_GUESS_PAUSE, GUESS_FORGOTTEN)
        """Of the codes of tables."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._lobby_due: asyncio.TimerHandle | None = None

    # Tables

    async def make_table(
        self,
        setup: Setup,
        maker: Session,
        sitters: Sequence[FirstPlayer],
        answer: Answer | None,
        *,
        bans: Sequence[BanRow] = (),
        are_ready: bool = False,
    ) -> Table:
        """Nobody sees it before it is in the journal, with everybody who sits there, and the answer."""
        match = rules.open_match(setup)
        if self.is_draining:
            raise JournalUnavailable("the tables of this server go to others")
        self.limits.admit(maker, len(self.tables))
        code = await self.registry.take_code(private=setup.private)
        deal = deal_of(setup) if is_lesson(setup) else None
        seed = secrets.token_bytes(SEED_BYTES) if deal is None else deal.table.secret
        table = Table(self, code, seed, match)
        made = NewTable(code, self.config.now(), setup, seed, match.game.version)
        changes: list[Change] = [made]
        for sitter in sitters:
            entry = Sat(sitter.name, sitter.bot)
            table.match, told = rules.apply(table.match, entry, seed)
            row = table.record.write(entry, table.match)._replace(
                session=sitter.session, command=sitter.command, content=sitter.content
            )
            table.keep(row, told)
            changes.append(NewEntry(code, row))
            if sitter.session is not None:
                changes.append(TakeSeat(code, sitter.session))
        table.bans = Bans(bans)
        changes += [NewBan(code, ban) for ban in bans]
        people = [sitter.session for sitter in sitters if sitter.session is not None]
        if are_ready:
            changes += [SetReady(code, id_, table.match.entries, ready=True) for id_ in people]
            table.seating.ready.update(people)
        if answer is not None:
            changes += maker.answers.rows(answer)
        # It counts from now on: nobody makes two tables while the disk is slow.
        self.tables[code] = table
        self._count(table)
        try:
            for id_ in people:
                await self.take_seat(id_, code)
            await self.journal.write(*changes)
            self.quota.spend(maker, changes)
        except (RefusalError, JournalUnavailable) as error:
            table.shut(Refusal(Code.NO_SUCH_TABLE, {"table": code}))
            with suppress(JournalUnavailable):
                await self.registry.give_back_codes({code})
            if isinstance(error, SeatTaken):
                raise RefusalError(_seated_elsewhere(error.code)) from None
            raise
        self.open(table)
        return table

    def open(self, table: Table) -> None:
        self.tables[table.code] = table
        table.open()
        self.changed(table.code)

    def find(self, code: str, session: Session) -> Table:
        """The table of this code. To try codes of tables that the lobby does not show is throttled. Raises NotHere
        where another node may have it."""
        table = self.tables.get(code.upper())
        if table is None or (table.match.setup.private and session.id not in table.seating.played):
            self.guesses.refuse_if_paused(session.prefix)
        if table is not None:
            return table
        if why := self.shut.get(code.upper()):
            raise RefusalError(why)
        if self.routing is not None:
            raise WrongNode
        raise self.missed(code, session)

    def missed(self, code: str, session: Session) -> RefusalError:
        """There is no such table; it is counted that they have asked."""
        self.guesses.missed(session.prefix)
        return RefusalError(Refusal(Code.NO_SUCH_TABLE, {"table": code}))

    def broken(self, code: str, why: Refusal) -> None:
        self.drop(code)
        if why.code == Code.TABLE_BROKEN:
            self.shut[code] = why

    async def play_again(self, code: str) -> Refusal | None:
        if self.is_draining:
            return None  # it is looked at again by the node that takes this table
        return await rematch.try_rematch(self, self.tables[code])

    async def ended(self, code: str) -> None:
        """A finished match is kept as a replay, an empty table and a lesson are not."""
        match = self.tables[code].match
        is_kept = match.phase is Phase.OVER and not is_lesson(match.setup)
        self.drop(code)
        drop = DropPeople(code) if is_kept else DropTable(code)
        with suppress(JournalUnavailable):  # then it is found, and ended, at the next start
            await self.journal.write(drop)
            if not is_kept:
                await self.registry.give_back_codes({code})

    def drop(self, code: str) -> None:
        self.tables.pop(code, None)
        self.changed(code)

    def entry_made_by(self, session: Session, command: int) -> DoneRow | None:
        """What this command did, at whatever table, even before the last start."""
        done = (table.done.find(session.id, command) for table in self.tables.values())
        return next(filter(None, done), None)

    async def resume(self, token: str | None) -> Session | None:
        """Who is known by this token, and remembers what was answered before the last start."""
        session = await self.sessions.find(token)
        if session is None or session.answers.is_recalled:
            return session
        await self.recall(session)
        return await self.sessions.find(token)  # it may have been forgotten meanwhile

    async def recall(self, session: Session) -> None:
        of_tables = [table.done.of(session.id) for table in self.tables.values()]
        await self.sessions.recall(session, chain.from_iterable(of_tables))

    def answer(self, session: Session, answer: Answer) -> None:
        """Answer what has made no entry. What is accepted is written first, so that it holds after a restart; where
        it cannot be written, nothing else is lost, and it is answered all the same."""
        if rows := session.answers.rows(answer):
            self.quota.spend(session, rows)
            written = self.journal.submit(*rows)
            written.add_done_callback(partial(session.answer_once_written, answer))
        else:
            session.answer(answer)

    # The lobby

    @cached_property
    def description(self) -> Raw:
        """What the server has, packed once for everybody."""
        return Raw(pack(describe(GAMES)))

    @property
    def public_tables(self) -> protocol.LobbyView:
        return protocol.LobbyView(list(self.registry.listed()))

    def watch_lobby(self, session: Session, *, on: bool) -> None:
        if not on:
            self.lobby_watchers.discard(session)
            return
        self.lobby_watchers.add(session)
        session.tell(self.public_tables)

    def changed(self, code: str) -> None:
        table = self.tables.get(code)
        if table is None or table.match.phase is Phase.OVER:
            self.registry.set_seats(code, {})
            self.registry.list_table(code, None)
            self.limits.count(code, None)
        else:
            self.registry.set_seats(code, self._seated_at(table))
            self.registry.list_table(code, None if table.match.setup.private else table.line)
            self._count(table)
        self.listed_anew()

    def _count(self, table: Table) -> None:
        maker = self.sessions.get(table.made_by)
        self.limits.count(table.code, table.made_by, maker.prefix if maker else "")

    def listed_anew(self) -> None:
        """What the lobby shows is different now."""
        if self._lobby_due is None and self.lobby_watchers:
            loop = asyncio.get_running_loop()
            self._lobby_due = loop.call_later(BROADCAST_SECONDS, self._show_lobby)

    def _show_lobby(self) -> None:
        self._lobby_due = None
        self._show_lobby_to(pack(self.public_tables), list(self.lobby_watchers))

    def _show_lobby_to(self, frame: bytes, watchers: list[Session]) -> None:
        """To some in each turn of the loop: with many tables and many watchers it takes long."""
        for session in watchers[:BROADCAST_BATCH]:
            if session.outbox and session in self.lobby_watchers:
                session.outbox.offer("lobby", frame)
        if rest := watchers[BROADCAST_BATCH:]:
            asyncio.get_running_loop().call_soon(self._show_lobby_to, frame, rest)

    # Everybody

    def leave_for(self, session: Session, table: Table | None, *, is_lost: bool = False) -> None:
        """Be at this table from now on, or at none, and so no longer where one was."""
        before = self.tables.get(session.table or "")
        session.table = table.code if table else None
        if before is not None and before is not table:
            before.post(lambda: before.leave(session, is_lost=is_lost))

    def move_to(self, session: Session, table: Table, command: int = 0) -> None:
        """Leave the table where the session is, if that is another, and come to this one."""
        self.leave_for(session, table)
        table.post(lambda: table.join(session, command), session, command)

    async def refuse_if_seated(self, session: Session) -> None:
        """One seat a player: whoever is awaited at one table does not sit down at another."""
        if held := await self.registry.seat_of(session.id):
            raise RefusalError(_seated_elsewhere(held))

    async def take_seat(self, session: int, code: str) -> None:
        """For somebody who is about to sit down at this table; refused if they have a seat."""
        if held := await self.registry.take_seat(session, code):
            raise RefusalError(_seated_elsewhere(held))

    def _seated_at(self, table: Table) -> dict[int, str]:
        """Their sessions, and how they are called now."""
        owners = zip(table.seating.owners, table.match.players, strict=True)
        seated = {owner: player.name for owner, player in owners if owner is not None}
        people = filter(None, map(self.sessions.get, seated))
        return seated | {person.id: person.name for person in people}

    async def connected(
        self, session: Session, name: str, outbox: Outbox, prefix: str
    ) -> Outbox | None:
        """Somebody is here, under this name if it is free; the connection that this one replaces."""
        older = await self.registry.connect(session.id, name, outbox)
        if older is not None:
            self.disconnected(session)
        self._came(session, name, outbox, prefix)
        session.front, session.longest_pause = None, math.inf
        return older

    async def arrived(
        self, session: Session, name: str, outbox: Outbox, prefix: str, connection: int
    ) -> Outbox | None:
        """A connection comes from another node, unless a newer one has replaced it; the one that it replaces here."""
        await self.registry.take_over(session.id, name, outbox, connection)
        older = session.outbox
        if older is not None:
            self.disconnected(session)
        self._came(session, name, outbox, prefix)
        return older

    def _came(self, session: Session, name: str, outbox: Outbox, prefix: str) -> None:
        session.name, session.outbox, session.prefix = name, outbox, prefix
        self.limits.came_from(prefix, session.id)

    def departed(self, session: Session) -> None:
        """Its connection goes on at another node, where it comes to another table, if it was at one here."""
        session.outbox = session.came_by = None
        self.lobby_watchers.discard(session)
        self.leave_for(session, None)
        session.answers.forget()

    def disconnected(self, session: Session) -> None:
        """The connection of a session is lost; its seat stays its own."""
        if session.outbox is not None:
            self.registry.disconnect(session.id, session.outbox)
        session.outbox = session.came_by = None
        self.lobby_watchers.discard(session)
        self.leave_for(session, None, is_lost=True)

    def refuse(self, session: Session, command: int, why: Refusal) -> None:
        self.metrics.refusals += 1
        self.answer(session, Refused(command, why))

    def session(self, id_: int | None) -> Session | None:
        return self.sessions.get(id_)

    @property
    def bot_pause(self) -> float:
        return self.config.bot_pause

    def now(self) -> float:
        return self.config.now()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def abandon(self) -> None:
        """Another node has the tables, or will have them: nothing is done here any more, and nobody is told."""
        for table in self.tables.values():
            if table.task is not None:
                table.task.cancel()
        self.tables.clear()

    async def close(self) -> None:
        """Let every table finish what it has begun, then say good-bye."""
        self.is_closing = True
        for table in self.tables.values():
            table.close()
        running = [table.task for table in self.tables.values() if table.task]
        await asyncio.gather(*running, return_exceptions=True)
        await self.journal.settled()
        for task in self._tasks:
            task.cancel()
        if self._lobby_due:
            self._lobby_due.cancel()
        for session in self.sessions:
            session.tell(Bye(Refusal(Code.SERVER_CLOSING)))
        self.bot_workers.close()


def _seated_elsewhere(code: str) -> Refusal:
    return Refusal(Code.SEATED_ELSEWHERE, {"table": code})
