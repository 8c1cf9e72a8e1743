"""Everything there is while the server runs: tables, sessions, and who watches the lobby."""

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from msgspec import Struct

from diadem import match as rules
from diadem.chance import SEED_BYTES
from diadem.entries import Setup
from diadem.game import Refusal, Refused, digest
from diadem.match import Phase
from diadem.protocol import Bye, Lobby, pack
from diadem_server import journal
from diadem_server.config import Config
from diadem_server.journal import Journal, TableRow
from diadem_server.metrics import Metrics
from diadem_server.sessions import Session, Sessions
from diadem_server.showing import Logged
from diadem_server.table import Table

log = logging.getLogger(__name__)

# Without letters and digits that are read for each other.
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 4
LOBBY_PAUSE = 0.1
"""Seconds in which changes of the lobby are gathered into one message."""


class Hall:
    def __init__(self, config: Config, journal_: Journal) -> None:
        self.config = config
        self.journal = journal_
        self.metrics = Metrics()
        self.sessions = Sessions(journal_)
        self.tables: dict[str, Table] = {}
        self.lobby_watchers: set[Session] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinkers: ProcessPoolExecutor | None = None
        self._lobby_due: asyncio.TimerHandle | None = None

    # Tables

    async def make_table(self, setup: Setup) -> Table:
        if len(self.tables) >= self.config.max_tables:
            raise Refused(Refusal("too_many_tables", {"most": self.config.max_tables}))
        match = rules.open_match(setup)
        seed = secrets.token_bytes(SEED_BYTES)
        code = self._free_code()
        row = journal.new_table(code, time.time(), setup, seed, match.game.version)
        await self.journal.write(row)
        table = Table(self, code, seed, match)
        self.tables[code] = table
        table.open()
        return table

    def restore_tables(self) -> None:
        """Take up every match that was not over when the server ended."""
        for row in self.journal.tables(over=False):
            try:
                table = self._restored(row)
            except NotReplayable as error:
                log.error("table %s is kept but not opened: %s", row.code, error)
                continue
            self.tables[row.code] = table
            table.open()

    def _restored(self, row: TableRow) -> Table:
        try:
            match = rules.open_match(row.setup)
            if match.game.version != row.version:
                raise NotReplayable(f"it was begun under rules version {row.version}")
            table = Table(self, row.code, row.seed, match)
            recorded = digest(match)
            for entry_row in self.journal.entries(row.code):
                match, told = rules.apply(match, entry_row.entry, row.seed)
                logged = Logged(entry_row.number, entry_row.entry, told)
                table.keep(logged, entry_row.session, entry_row.command)
                recorded = entry_row.digest
        except Refused as refused:
            raise NotReplayable(f"an entry of its journal is refused: {refused}") from None
        if digest(match) != recorded:
            raise NotReplayable("its journal leads to another state than it did")
        table.match = match
        return table

    def drop(self, table: Table) -> None:
        self.tables.pop(table.code, None)
        self.lobby_changed()

    def finished(self, table: Table) -> None:
        """It stays for those who are there, until the last of them goes."""
        if not table.viewers:
            self.abandoned(table)

    def abandoned(self, table: Table) -> None:
        table.close()
        self.drop(table)

    def _free_code(self) -> str:
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            if code not in self.tables and not self.journal.knows(code):
                return code

    def seat_held_by(self, session: Session) -> str | None:
        """The table where this session sits in a match that is not over."""
        return next(
            (
                table.code
                for table in self.tables.values()
                if session.id in table.owners and table.match.phase is not Phase.OVER
            ),
            None,
        )

    # The lobby

    @property
    def lobby(self) -> Lobby:
        lines = [t.line for t in self.tables.values() if not t.match.setup.private]
        return Lobby([line for line in lines if line.phase is not Phase.OVER])

    def watch_lobby(self, session: Session, *, on: bool) -> None:
        if not on:
            self.lobby_watchers.discard(session)
            return
        self.lobby_watchers.add(session)
        self.tell(session, self.lobby)

    def lobby_changed(self) -> None:
        if self._lobby_due is None and self.lobby_watchers:
            loop = asyncio.get_running_loop()
            self._lobby_due = loop.call_later(LOBBY_PAUSE, self._show_lobby)

    def _show_lobby(self) -> None:
        self._lobby_due = None
        frame = pack(self.lobby)
        for session in self.lobby_watchers:
            if session.outbox:
                session.outbox.offer("lobby", frame)

    # Everybody

    def gone(self, session: Session) -> None:
        """The line to a session is down; its seat stays its own."""
        session.outbox = None
        self.lobby_watchers.discard(session)
        table = self.tables.get(session.table or "")
        session.table = None
        if table is not None:
            table.post(lambda: table.depart(session))

    def tell(self, session: Session, message: Struct) -> None:
        if session.outbox:
            session.outbox.send(pack(message))

    def thinkers(self) -> Executor:
        if self._thinkers is None:
            self._thinkers = ProcessPoolExecutor(
                self.config.thinkers, mp_context=get_context("forkserver")
            )
        return self._thinkers

    def keep_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.keep_task(asyncio.create_task(work))

    async def close(self) -> None:
        """Let every table finish what it has begun, then say good-bye."""
        for table in self.tables.values():
            table.close()
        running = [table.task for table in self.tables.values() if table.task]
        await asyncio.gather(*running, return_exceptions=True)
        for task in self._tasks:
            task.cancel()
        for session in self.sessions:
            self.tell(session, Bye(Refusal("server_closing")))
        if self._thinkers:
            self._thinkers.shutdown(wait=False, cancel_futures=True)


class NotReplayable(Exception):
    """A journal that does not lead to a table; it is kept as it is."""
