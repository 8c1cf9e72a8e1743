"""What the server does not need any more it gives back to the disk, and nobody waits for that."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from diadem.entries import Sat, Setup
from diadem.game import Outcome
from diadem.protocol import ReplayLine, Said
from diadem_server.lobby import prune
from diadem_server.storage import schema
from diadem_server.storage import sqlite as journal_module
from diadem_server.storage.changes import (
    Change,
    DropTable,
    FinishTable,
    NewEntry,
    NewLine,
    NewTable,
)
from diadem_server.storage.records import EntryRow, LineRow
from diadem_server.storage.schema import FILE, SCHEMA_VERSION, SCHEMAS
from diadem_server.storage.sqlite import KEPT_FREE, SqliteJournal
from tests.rig.journals import pragma, select
from tests.rig.wire import server

TABLES, ENTRIES = 60, 300
PAGE = 4096
LINE = ReplayLine("T", "diamoniak", ("Ana",), Outcome((1,), (0,)))


def old_match(code: str, ended: float) -> list[Change]:
    """Some 60 KB."""
    return [
        NewTable(code, 0.0, Setup("diamoniak"), b"", 1),
        *(
            NewEntry(code, EntryRow(number, Sat("A" * 100), None, None, ""))
            for number in range(1, ENTRIES + 1)
        ),
        FinishTable(code, ended, LINE, [1]),
    ]


def size(folder: Path) -> int:
    return (folder / FILE).stat().st_size


async def filled(journal: SqliteJournal) -> None:
    for number in range(TABLES):
        await journal.write(*old_match(f"T{number}", float(number)))


async def test_the_file_of_a_server_shrinks_when_old_replays_are_dropped(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.start()
    await filled(journal)
    journal.close()
    before = size(tmp_path)
    assert before > TABLES * ENTRIES * 100
    async with server(tmp_path, keep_replays=3) as app:
        await prune.tidy(app.lobby)
        assert await app.lobby.journal.codes() == {f"T{TABLES - n}" for n in (1, 2, 3)}
        assert select(tmp_path, "SELECT count(*) FROM entries") == [(3 * ENTRIES,)]
        assert pragma(tmp_path, "freelist_count") <= KEPT_FREE
        assert size(tmp_path) < before // 2, "while it runs"
    assert pragma(tmp_path, "integrity_check") == "ok"


async def test_a_move_does_not_wait_until_all_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "GIVEN_BACK_AT_ONCE", 1)
    journal = SqliteJournal(tmp_path)
    journal.start()
    await filled(journal)
    for number in range(TABLES):
        await journal.write(DropTable(f"T{number}"))
    shrinking = asyncio.create_task(journal.shrink())
    for number in range(1, 6):
        await journal.write(NewEntry("TEST", EntryRow(number, Sat("Ana"), 1, None, "")))
        assert not shrinking.done()
    await shrinking
    assert len((await journal.load("TEST")).entries) == 5
    journal.close()


async def test_where_nothing_can_be_given_back_nobody_tries_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "MOST_WRITTEN_ANEW", 0)
    of_older_version(tmp_path)
    journal = SqliteJournal(tmp_path)
    journal.start()
    free = pragma(tmp_path, "freelist_count")
    assert free > KEPT_FREE
    await journal.shrink()
    assert pragma(tmp_path, "freelist_count") == free
    journal.close()


def of_older_version(folder: Path, version: int = SCHEMA_VERSION) -> None:
    """A journal that cannot give pages back, and has many that are free."""
    with closing(sqlite3.connect(folder / FILE)) as older:
        older.execute("PRAGMA journal_mode = WAL")
        older.executescript("".join(SCHEMAS[:version]))
        older.execute(f"PRAGMA user_version = {version}")
        older.execute("INSERT INTO sessions VALUES (7, x'00', 'Ana', 0)")
        older.executemany(
            "INSERT INTO chat (code, number, line) VALUES ('T', ?, zeroblob(1000))",
            [(number,) for number in range(3_000)],
        )
        older.commit()
        older.execute("DELETE FROM chat")
        older.commit()


@pytest.mark.parametrize("version", [2, SCHEMA_VERSION])
async def test_a_journal_of_an_older_version_is_brought_over_once(
    tmp_path: Path, version: int
) -> None:
    of_older_version(tmp_path, version)
    before = size(tmp_path)
    for _ in range(2):
        journal = SqliteJournal(tmp_path)
        journal.start()
        assert [session.name for session in await journal.sessions()] == ["Ana"]
        journal.close()
    assert pragma(tmp_path, "auto_vacuum") == schema.INCREMENTAL
    assert size(tmp_path) < before // 10


async def test_a_journal_that_cannot_be_brought_over_now_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "WAITS_SECONDS", 0.0)
    of_older_version(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        journal = SqliteJournal(tmp_path)
        journal.start()
        assert [session.name for session in await journal.sessions()] == ["Ana"]
        journal.close()
    assert pragma(tmp_path, "auto_vacuum") == 0
    SqliteJournal(tmp_path).close()
    assert pragma(tmp_path, "auto_vacuum") == schema.INCREMENTAL


async def test_the_write_ahead_log_does_not_stay_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "LOG_BYTES", 10 * PAGE)
    journal = SqliteJournal(tmp_path)
    journal.start()
    await filled(journal)
    log = tmp_path / f"{FILE}-wal"
    await journal.write(*(DropTable(f"T{number}") for number in range(TABLES)))
    large = log.stat().st_size
    await journal.shrink()
    await journal.write(NewLine("T", LineRow(1, Said("Ana", None, "hello"), 1), keep=1))
    assert log.stat().st_size < large // 2
    journal.close()
