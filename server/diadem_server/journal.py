"""What was acknowledged is never lost: tables, entries and sessions in SQLite.

One thread writes for all tables. Whatever has queued up while a commit ran goes into the next, so
commits are shared under load and nobody waits for company. A future is done when its commit is.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from diadem.entries import Entry, Setup

FILE = "diadem.sqlite3"
SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE tables (
    code TEXT PRIMARY KEY, made REAL NOT NULL, setup BLOB NOT NULL, seed BLOB NOT NULL,
    version INTEGER NOT NULL, over INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE entries (
    code TEXT NOT NULL, number INTEGER NOT NULL, entry BLOB NOT NULL,
    session INTEGER, command INTEGER, digest TEXT NOT NULL,
    PRIMARY KEY (code, number)
) WITHOUT ROWID;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, token BLOB NOT NULL UNIQUE, name TEXT NOT NULL, seen REAL NOT NULL
);
"""


class JournalUnavailable(Exception):
    """Nothing was written: the disk is full, or gone."""


class OtherVersion(Exception):
    """The data directory was written by another version of this program."""


class InUse(Exception):
    """Another server works on this data directory."""


class TableRow(NamedTuple):
    code: str
    made: float
    setup: Setup
    seed: bytes
    version: int


class EntryRow(NamedTuple):
    number: int
    entry: Entry
    session: int | None
    command: int | None
    digest: str


class SessionRow(NamedTuple):
    id: int
    token: bytes
    name: str


class Statement(NamedTuple):
    sql: str
    values: tuple[Any, ...]


class _Job(NamedTuple):
    statements: Sequence[Statement]
    done: "asyncio.Future[None]"


_ENTRY = msgspec.json.Decoder(Entry)


class Journal:
    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._connection = self._open()
        self._writer = threading.Thread(target=self._write, name="journal")
        self._loop: asyncio.AbstractEventLoop | None = None

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, timeout=0
        )
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        try:
            # The lock says that the directory is in use, and goes with the process.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                connection.executescript(
                    f"BEGIN; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
                )
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                raise InUse from None
            raise JournalUnavailable(str(error)) from None
        except sqlite3.DatabaseError as error:
            raise OtherVersion(str(error)) from None
        if version not in {0, SCHEMA_VERSION}:
            raise OtherVersion(version)

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._writer.start()

    def close(self) -> None:
        """Write what is queued, then close."""
        if self._writer.is_alive():
            self._jobs.put(None)
            self._writer.join()
        self._connection.close()

    # Writing

    async def write(self, *statements: Statement) -> None:
        """Returns when it is on disk; JournalUnavailable if it cannot be, and then nothing is."""
        done = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(statements, done))
        await done

    def _write(self) -> None:
        stopping = False
        while not stopping:
            jobs = [self._jobs.get()]
            while not self._jobs.empty():
                jobs.append(self._jobs.get_nowait())
            stopping = None in jobs
            self._settle([job for job in jobs if job is not None])

    def _settle(self, jobs: Sequence[_Job]) -> None:
        error = self._commit(jobs)
        if error is not None and len(jobs) > 1:
            # One of them may have spoilt it for all.
            outcomes = [(job, self._commit([job])) for job in jobs]
        else:
            outcomes = [(job, error) for job in jobs]
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_resolve, outcomes)

    def _commit(self, jobs: Sequence[_Job]) -> sqlite3.Error | None:
        try:
            self._connection.execute("BEGIN")
            for job in jobs:
                for statement in job.statements:
                    self._connection.execute(*statement)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            return error
        return None

    # Reading, before the server starts and by the writer's connection

    def tables(self, *, over: bool) -> Iterator[TableRow]:
        rows = self._read(f"{_TABLES} WHERE over = ? ORDER BY made DESC", int(over))
        return map(_table_row, rows)

    def finished(self, code: str) -> TableRow | None:
        rows = self._read(f"{_TABLES} WHERE over = 1 AND code = ?", code)
        return _table_row(rows[0]) if rows else None

    def entries(self, code: str) -> list[EntryRow]:
        rows = self._read(
            "SELECT number, entry, session, command, digest FROM entries WHERE code = ?"
            " ORDER BY number",
            code,
        )
        return [EntryRow(row[0], _ENTRY.decode(row[1]), *row[2:]) for row in rows]

    def knows(self, code: str) -> bool:
        return bool(self._read("SELECT 1 FROM tables WHERE code = ?", code))

    def sessions(self) -> list[SessionRow]:
        return [SessionRow(*row) for row in self._read("SELECT id, token, name FROM sessions")]

    def _read(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(self._connection.cursor()) as cursor:
            return cursor.execute(sql, values).fetchall()


_TABLES = "SELECT code, made, setup, seed, version FROM tables"


def _table_row(row: tuple[Any, ...]) -> TableRow:
    code, made, setup, seed, version = row
    return TableRow(code, made, msgspec.json.decode(setup, type=Setup), seed, version)


def _resolve(outcomes: Sequence[tuple[_Job, sqlite3.Error | None]]) -> None:
    for job, error in outcomes:
        if job.done.done():
            continue
        if error is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(JournalUnavailable(str(error)))


# What is written


def new_table(code: str, made: float, setup: Setup, seed: bytes, version: int) -> Statement:
    return Statement(
        "INSERT INTO tables (code, made, setup, seed, version) VALUES (?, ?, ?, ?, ?)",
        (code, made, msgspec.json.encode(setup), seed, version),
    )


def new_entry(
    code: str, number: int, entry: Entry, session: int | None, command: int | None, digest: str
) -> Statement:
    return Statement(
        "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
        (code, number, msgspec.json.encode(entry), session, command, digest),
    )


def table_over(code: str) -> Statement:
    return Statement("UPDATE tables SET over = 1 WHERE code = ?", (code,))


def drop_table(code: str) -> tuple[Statement, Statement]:
    return (
        Statement("DELETE FROM entries WHERE code = ?", (code,)),
        Statement("DELETE FROM tables WHERE code = ?", (code,)),
    )


def new_session(id_: int, token: bytes, name: str, seen: float) -> Statement:
    return Statement("INSERT INTO sessions VALUES (?, ?, ?, ?)", (id_, token, name, seen))


def session_seen(id_: int, name: str, seen: float) -> Statement:
    return Statement("UPDATE sessions SET name = ?, seen = ? WHERE id = ?", (name, seen, id_))


def forget_sessions(before: float) -> Statement:
    return Statement("DELETE FROM sessions WHERE seen < ?", (before,))
