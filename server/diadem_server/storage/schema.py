"""Opens the SQLite file of a journal, private and locked, and migrates it to the newest schema."""

import sqlite3
from contextlib import suppress
from pathlib import Path

from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.private_files import NotPrivate, private_file

FILE = "diadem.sqlite3"
LOCK = "diadem.lock"
WAITS_SECONDS = 5.0
"""Seconds to wait for a lock, such as that of a backup that has just begun."""
LOG_BYTES = 4 * 1024 * 1024
"""The size in bytes to which the write-ahead log is truncated at a checkpoint."""
MOST_WRITTEN_ANEW = 256 * 1024 * 1024
"""The largest file that is vacuumed at start, which takes a second or two."""
INCREMENTAL = 2
"""SQLite's value of the PRAGMA."""
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
    """
CREATE TABLE appended (
    id INTEGER PRIMARY KEY, code TEXT NOT NULL, number INTEGER NOT NULL, entry BLOB NOT NULL,
    session INTEGER, command INTEGER, digest TEXT NOT NULL, content INTEGER
);
CREATE VIEW all_entries AS
    SELECT code, number, entry, session, command, digest, content FROM entries
    UNION ALL SELECT code, number, entry, session, command, digest, content FROM appended;
""",
    """
ALTER TABLE tables ADD COLUMN summed INTEGER;
CREATE TABLE results (
    match_id INTEGER NOT NULL, session INTEGER NOT NULL, game TEXT NOT NULL, ended REAL NOT NULL,
    result BLOB NOT NULL, PRIMARY KEY (match_id, session)
) WITHOUT ROWID;
CREATE INDEX results_of_players ON results (session, ended);
CREATE INDEX results_of_games ON results (game, ended);
CREATE TABLE unlisted (session INTEGER PRIMARY KEY);
""",
    """
ALTER TABLE sessions ADD COLUMN origin TEXT;
ALTER TABLE tables ADD COLUMN bytes INTEGER;
UPDATE tables SET bytes =
    (SELECT coalesce(sum(length(entry) + 220), 0) FROM entries WHERE entries.code = tables.code)
    + (SELECT coalesce(sum(length(entry) + 220), 0) FROM appended WHERE appended.code = tables.code)
    WHERE ended IS NOT NULL;
CREATE INDEX entries_of_commands ON entries (code, session, command) WHERE command IS NOT NULL;
""",
)
"""What each version has added to the one before. New entries are appended to a table of their own, so
that all tables together dirty one page; many at a time are then merged into `entries`."""
SCHEMA_VERSION = len(SCHEMAS)


class OtherVersion(Exception):
    """The data directory was written by another version of this program."""


class InUse(Exception):
    """Another server works on this data directory."""


def take_folder(folder: Path) -> sqlite3.Connection:
    """Take the lock on this directory, which the process holds until it ends.

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
    """Open a private file: the journal holds hidden cards and seeds, and others could hold the lock."""
    try:
        private_file(path)
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=timeout)
    except OSError as error:
        raise JournalUnavailable(error.strerror) from None
    except (NotPrivate, sqlite3.Error) as error:
        raise JournalUnavailable(str(error)) from None


def open_file(path: Path) -> sqlite3.Connection:
    connection = _connect(path, WAITS_SECONDS)
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Another connection to a journal that is open, which writes nothing."""
    connection = _connect(path, WAITS_SECONDS)
    connection.execute("PRAGMA query_only = ON")
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
        with suppress(sqlite3.OperationalError, sqlite3.IntegrityError):  # it can be read as it is
            merge_entries(connection)
        _bring_over(connection)
    except sqlite3.OperationalError as error:
        raise JournalUnavailable(str(error)) from None
    except sqlite3.DatabaseError as error:
        raise OtherVersion(str(error)) from None


def merge_entries(connection: sqlite3.Connection) -> None:
    """Merge appended entries into the table that is ordered by table and number."""
    connection.execute("BEGIN")
    try:
        connection.execute(
            "INSERT INTO entries SELECT code, number, entry, session, command, digest, content"
            " FROM appended ORDER BY code, number"
        )
        connection.execute("DELETE FROM appended")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:  # SQLite rolls back by itself when the disk fails
            connection.execute("ROLLBACK")
        raise


def _bring_over(connection: sqlite3.Connection) -> None:
    """Enable incremental vacuum in a journal of an older version, which rewrites the file. If that fails,
    the next start tries again."""
    (vacuum,), (pages,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone()
        for name in ("auto_vacuum", "page_count", "page_size")
    )
    if vacuum != INCREMENTAL and pages * size <= MOST_WRITTEN_ANEW:
        with suppress(sqlite3.OperationalError):
            connection.executescript("PRAGMA auto_vacuum = INCREMENTAL; VACUUM;")


def _is_busy(error: sqlite3.DatabaseError) -> bool:
    return error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
