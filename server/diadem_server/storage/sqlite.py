"""What was acknowledged is never lost: tables, entries and sessions in SQLite.

One thread writes for all tables. What they ask for in one turn of the loop is handed to it at once,
and whatever has queued up while a commit ran goes into the next, so commits are shared under load and
nobody waits for company. A future is done when its commit is.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from diadem_server.storage import records
from diadem_server.storage.private_files import NotPrivate, private_file
from diadem_server.storage.records import (
    BanRow,
    EntryRow,
    LineRow,
    Row,
    SessionRow,
    Statement,
    TableRow,
)

FILE = "diadem.sqlite3"
LOCK = "diadem.lock"
WAITS_SECONDS = 5.0
"""For which a backup that has just begun may keep a server from starting."""
KEPT_FREE = 256
"""Pages of the file for what comes next."""
GIVEN_BACK_AT_ONCE = 64
"""Pages, which take a few milliseconds."""
LOG_BYTES = 4 * 1024 * 1024
"""Of the write-ahead log, beyond which its file is cut when it is begun anew."""
MOST_WRITTEN_ANEW = 256 * 1024 * 1024
"""Bytes, which take a second or two."""
INCREMENTAL = 2
"""As SQLite says it."""
SCHEMAS = (
    """
CREATE TABLE tables (
    code TEXT PRIMARY KEY, made REAL NOT NULL, setup BLOB NOT NULL, seed BLOB NOT NULL,
    version INTEGER NOT NULL, ended REAL, line BLOB
);
CREATE INDEX ended_tables ON tables (ended);
CREATE TABLE entries (
    code TEXT NOT NULL, number INTEGER NOT NULL, entry BLOB NOT NULL,
    session INTEGER, command INTEGER, digest TEXT NOT NULL,
    PRIMARY KEY (code, number)
) WITHOUT ROWID;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, token BLOB NOT NULL UNIQUE, name TEXT NOT NULL, seen REAL NOT NULL
);
CREATE TABLE played (
    session INTEGER NOT NULL, code TEXT NOT NULL, PRIMARY KEY (session, code)
) WITHOUT ROWID;
""",
    """
CREATE TABLE chat (
    code TEXT NOT NULL, number INTEGER NOT NULL, line BLOB NOT NULL, PRIMARY KEY (code, number)
) WITHOUT ROWID;
""",
    """
ALTER TABLE chat ADD COLUMN session INTEGER;
CREATE TABLE bans (
    code TEXT NOT NULL, session INTEGER NOT NULL, name TEXT NOT NULL, prefix TEXT NOT NULL,
    PRIMARY KEY (code, session)
) WITHOUT ROWID;
CREATE TABLE mutes (
    session INTEGER NOT NULL, muted INTEGER NOT NULL, PRIMARY KEY (session, muted)
) WITHOUT ROWID;
""",
    """
ALTER TABLE entries ADD COLUMN content INTEGER;
CREATE TABLE answers (
    session INTEGER NOT NULL, slot INTEGER NOT NULL, number INTEGER NOT NULL,
    command INTEGER NOT NULL, content INTEGER NOT NULL, answer BLOB NOT NULL,
    PRIMARY KEY (session, slot)
) WITHOUT ROWID;
CREATE TABLE ready (
    code TEXT NOT NULL, session INTEGER NOT NULL, entry INTEGER NOT NULL,
    PRIMARY KEY (code, session)
) WITHOUT ROWID;
""",
)
"""What each version has added to the one before."""
SCHEMA_VERSION = len(SCHEMAS)


class JournalUnavailable(Exception):
    """Nothing was written: the disk is full, or gone."""


class OtherVersion(Exception):
    """The data directory was written by another version of this program."""


class InUse(Exception):
    """Another server works on this data directory."""


class _Job(NamedTuple):
    statements: Sequence[Statement]
    done: "asyncio.Future[None]"


class _Question(NamedTuple):
    find: Callable[[], list[Row]]
    """Called by the writer between two commits."""
    done: "asyncio.Future[list[Row]]"


class _Outcome(NamedTuple):
    done: "asyncio.Future[Any]"
    rows: list[Row] | None = None
    """What was found, if that was the question."""
    error: Exception | None = None


class Journal:
    def __init__(self, folder: Path) -> None:
        self._gathered: list[_Job | _Question] = []
        """What was asked for in this turn of the loop."""
        self._handed_over: queue.SimpleQueue[list[_Job | _Question] | None] = queue.SimpleQueue()
        self._lock = _take(folder)
        try:
            self._connection = _open(folder / FILE)
        except BaseException:
            self._lock.close()
            raise
        # A start that fails half way does not wait for it.
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.trouble: str | None = None
        """Why the last write failed; None if it did not."""
        self.waiting = 0
        """Writes and questions that the thread has yet to settle."""

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._writer.start()

    def close(self) -> None:
        """Write what is queued, then close."""
        if self._writer.is_alive():
            self._hand_over()
            self._handed_over.put(None)
            self._writer.join()
        self._connection.close()
        self._lock.close()

    # Writing

    async def write(self, *statements: Statement) -> None:
        """Returns when it is on disk; JournalUnavailable if it cannot be, and then nothing is."""
        await self.submit(*statements)

    def submit(self, *statements: Statement) -> "asyncio.Future[None]":
        """The same for whoever has other things to do meanwhile."""
        done = asyncio.get_running_loop().create_future()
        self._gather(_Job(statements, done))
        return done

    async def settled(self) -> None:
        """Returns when all that was asked for before has its outcome."""
        if self._writer.is_alive():
            with suppress(JournalUnavailable):
                await self.submit()

    async def ask(self, statement: Statement) -> list[Row]:
        """What is in the journal, found by the writer, so that nobody else has to wait for it."""
        return await self._ask(partial(self._read, *statement))

    async def _ask(self, find: Callable[[], list[Row]]) -> list[Row]:
        done: asyncio.Future[list[Row]] = asyncio.get_running_loop().create_future()
        self._gather(_Question(find, done))
        return await done

    async def shrink(self) -> None:
        """Give free pages back to the disk, a few at a time, so that no commit waits for long."""
        last = None
        while (free := await self._free_pages()) > KEPT_FREE and (last is None or free < last):
            last = free
            await self._ask(partial(self._run, f"PRAGMA incremental_vacuum({GIVEN_BACK_AT_ONCE})"))
        if last is not None:
            await self._ask(partial(self._run, "PRAGMA wal_checkpoint(PASSIVE)"))

    async def _free_pages(self) -> int:
        found = await self.ask(records.FREE_PAGES)
        count: int = found[0][0]
        return count

    def _gather(self, job: _Job | _Question) -> None:
        """To wake the writer for each by itself would cost more than to write it."""
        if not self._gathered:
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._gathered.append(job)

    def _hand_over(self) -> None:
        if self._gathered:
            self.waiting += len(self._gathered)
            self._handed_over.put(self._gathered)
            self._gathered = []

    def _write(self) -> None:
        stopping = False
        while not stopping:
            handed_over = [self._handed_over.get()]
            while not self._handed_over.empty():
                handed_over.append(self._handed_over.get_nowait())
            stopping = None in handed_over
            jobs = [job for each in handed_over for job in each or ()]
            if writing := [job for job in jobs if isinstance(job, _Job)]:
                self._tell(self._settle(writing))
            for question in (job for job in jobs if isinstance(job, _Question)):
                self._tell([self._look_up(question)])

    def _settle(self, jobs: Sequence[_Job]) -> list[_Outcome]:
        error = self._commit(jobs)
        if error is not None and len(jobs) > 1:
            # One of them may have spoilt it for all.
            outcomes = [_Outcome(job.done, error=self._commit([job])) for job in jobs]
        else:
            outcomes = [_Outcome(job.done, error=error) for job in jobs]
        last = outcomes[-1].error
        self.trouble = None if last is None else str(last)
        return outcomes

    def _commit(self, jobs: Sequence[_Job]) -> Exception | None:
        try:
            statements = list(records.together(chain(*(job.statements for job in jobs))))
            if len(statements) == 1:  # SQLite makes a transaction of it by itself
                self._connection.execute(*statements[0])
                return None
            self._connection.execute("BEGIN")
            for statement in statements:
                self._connection.execute(*statement)
            self._connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001, the writer must outlive whatever it was given
            with suppress(sqlite3.Error):  # SQLite rolls back by itself when the disk fails
                self._connection.execute("ROLLBACK")
            return error
        return None

    def _look_up(self, question: _Question) -> _Outcome:
        try:
            return _Outcome(question.done, question.find())
        except JournalUnavailable as error:
            return _Outcome(question.done, error=error)

    def _tell(self, outcomes: Sequence[_Outcome]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._heard, outcomes)

    def _heard(self, outcomes: Sequence[_Outcome]) -> None:
        self.waiting -= len(outcomes)
        for done, rows, error in outcomes:
            if done.done():
                continue
            if error is None:
                done.set_result(rows)
            else:
                done.set_exception(JournalUnavailable(str(error)))

    # Reading before the server starts

    def tables(self, over_since: float) -> list[TableRow]:
        """Those not over, and those that are over since then."""
        rows = self._read(f"{records.TABLES} WHERE ended IS NULL OR ended > ?", (over_since,))
        return [TableRow(*row) for row in rows]

    def entries(self, code: str) -> list[EntryRow]:
        return [records.entry_row(row) for row in self._read(*records.entries_of(code))]

    def chat(self, code: str) -> list[LineRow]:
        return [records.line_row(row) for row in self._read(*records.chat_of(code))]

    def bans(self, code: str) -> list[BanRow]:
        return [BanRow(*row) for row in self._read(*records.bans_of(code))]

    def mutes(self) -> list[tuple[int, int]]:
        """Who has muted whom, by session."""
        return [(row[0], row[1]) for row in self._read("SELECT session, muted FROM mutes")]

    def ready(self, code: str) -> list[tuple[int, int]]:
        """Who was ready at that table: the last entry there was then, and the session."""
        return [(row[0], row[1]) for row in self._read(*records.ready_at(code))]

    def codes(self) -> set[str]:
        return {row[0] for row in self._read(*records.codes())}

    def last_welcome(self, sessions: Iterable[int]) -> float | None:
        """When one of these was welcomed last; None if none of them is known."""
        seen: float | None = self._read(*records.last_welcome(sessions))[0][0]
        return seen

    def sessions(self) -> list[SessionRow]:
        return [SessionRow(*row) for row in self._read("SELECT id, token, name FROM sessions")]

    def last_session(self) -> int:
        """The highest number ever given to a session that is still spoken of."""
        found = self._read(
            "SELECT max(id) FROM (SELECT max(id) AS id FROM sessions"
            " UNION SELECT max(session) FROM entries UNION SELECT max(session) FROM played"
            " UNION SELECT max(session) FROM chat UNION SELECT max(session) FROM bans)"
        )
        return found[0][0] or 0

    def _run(self, sql: str) -> list[Row]:
        """What takes several steps and tells nothing, for which `execute` takes the first step only."""
        try:
            self._connection.executescript(sql)
        except sqlite3.Error as error:
            raise JournalUnavailable(str(error)) from None
        return []

    def _read(self, sql: str, values: Row = ()) -> list[Row]:
        try:
            with closing(self._connection.cursor()) as cursor:
                return cursor.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise JournalUnavailable(str(error)) from None


def _take(folder: Path) -> sqlite3.Connection:
    """The lock on this directory; it goes with the process.

    It is a file of its own, so that a backup can read the journal meanwhile.
    """
    lock = _connect(folder / LOCK, timeout=0)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError as error:
        lock.close()
        if _is_busy(error):
            raise InUse from None
        raise JournalUnavailable(str(error)) from None
    return lock


def _connect(path: Path, timeout: float) -> sqlite3.Connection:
    """For nobody else: who reads the journal knows what lies face down, who opens the lock can hold it."""
    try:
        private_file(path)
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=timeout)
    except OSError as error:
        raise JournalUnavailable(error.strerror) from None
    except (NotPrivate, sqlite3.Error) as error:
        raise JournalUnavailable(str(error)) from None


def _open(path: Path) -> sqlite3.Connection:
    connection = _connect(path, WAITS_SECONDS)
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in range(SCHEMA_VERSION + 1):
            raise OtherVersion(version)
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # heeded while there is nothing yet
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        if added := "".join(SCHEMAS[version:]):
            connection.executescript(
                f"BEGIN; {added} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            )
        _bring_over(connection)
    except sqlite3.OperationalError as error:
        raise JournalUnavailable(str(error)) from None
    except sqlite3.DatabaseError as error:
        raise OtherVersion(str(error)) from None


def _bring_over(connection: sqlite3.Connection) -> None:
    """Let a journal of an older version give back free pages, which takes that all is written anew. If
    it cannot be now, the next start tries again."""
    (vacuum,), (pages,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone()
        for name in ("auto_vacuum", "page_count", "page_size")
    )
    if vacuum != INCREMENTAL and pages * size <= MOST_WRITTEN_ANEW:
        with suppress(sqlite3.OperationalError):
            connection.executescript("PRAGMA auto_vacuum = INCREMENTAL; VACUUM;")


def _is_busy(error: sqlite3.DatabaseError) -> bool:
    return error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
