"""What the server does not need any more it gives back to the disk, and nobody waits for that."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from diadem.entries import Sat, Setup
from diadem_server.lobby import prune
from diadem_server.storage import records
from diadem_server.storage import sqlite as journal_module
from diadem_server.storage.records import EntryRow, Statement
from diadem_server.storage.sqlite import FILE, KEPT_FREE, SCHEMA_VERSION, SCHEMAS, Journal
from tests.rig.wire import server

TABLES, ENTRIES = 60, 300
PAGE = 4096


def old_match(code: str, ended: float) -> list[Statement]:
    """Some 60 KB."""
    return [
        records.new_table(code, 0.0, Setup("diamoniak"), b"", 1),
        *(
            records.new_entry(code, EntryRow(number, Sat("A" * 100), None, None, ""))
            for number in range(ENTRIES)
        ),
        *records.table_over(code, ended, b"", [1]),
    ]


def size(folder: Path) -> int:
    return (folder / FILE).stat().st_size


def asked(folder: Path, pragma: str) -> object:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        found: object = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
        return found


async def filled(journal: Journal) -> None:
    for number in range(TABLES):
        await journal.write(*old_match(f"T{number}", float(number)))


async def test_the_file_of_a_server_shrinks_when_old_replays_are_dropped(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.start()
    await filled(journal)
    journal.close()
    before = size(tmp_path)
    assert before > TABLES * ENTRIES * 100
    async with server(tmp_path, keep_replays=3) as app:
        await prune.tidy(app.lobby)
        kept = await app.lobby.journal.ask(records.codes())
        assert sorted(row[0] for row in kept) == sorted(f"T{TABLES - n}" for n in (1, 2, 3))
        entries = await app.lobby.journal.ask(Statement("SELECT count(*) FROM entries", ()))
        assert entries == [(3 * ENTRIES,)]
        assert await app.lobby.journal.ask(records.FREE_PAGES) <= [(KEPT_FREE,)]
        assert size(tmp_path) < before // 2, "while it runs"
    assert asked(tmp_path, "integrity_check") == "ok"


async def test_a_move_does_not_wait_until_all_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "GIVEN_BACK_AT_ONCE", 1)
    journal = Journal(tmp_path)
    journal.start()
    await filled(journal)
    for number in range(TABLES):
        await journal.write(*records.drop_table(f"T{number}"))
    shrinking = asyncio.create_task(journal.shrink())
    for number in range(1, 6):
        await journal.write(records.new_entry("TEST", EntryRow(number, Sat("Ana"), 1, None, "")))
        assert not shrinking.done()
    await shrinking
    assert len(journal.entries("TEST")) == 5
    journal.close()


async def test_where_nothing_can_be_given_back_nobody_tries_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "MOST_WRITTEN_ANEW", 0)
    of_older_version(tmp_path)
    journal = Journal(tmp_path)
    journal.start()
    free = await journal.ask(records.FREE_PAGES)
    assert free > [(KEPT_FREE,)]
    await journal.shrink()
    assert await journal.ask(records.FREE_PAGES) == free
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
def test_a_journal_of_an_older_version_is_brought_over_once(tmp_path: Path, version: int) -> None:
    of_older_version(tmp_path, version)
    before = size(tmp_path)
    for _ in range(2):
        journal = Journal(tmp_path)
        assert [session.name for session in journal.sessions()] == ["Ana"]
        journal.close()
    assert asked(tmp_path, "auto_vacuum") == journal_module.INCREMENTAL
    assert size(tmp_path) < before // 10


def test_a_journal_that_cannot_be_brought_over_now_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "WAITS_SECONDS", 0.0)
    of_older_version(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        journal = Journal(tmp_path)
        assert [session.name for session in journal.sessions()] == ["Ana"]
        journal.close()
    assert asked(tmp_path, "auto_vacuum") == 0
    Journal(tmp_path).close()
    assert asked(tmp_path, "auto_vacuum") == journal_module.INCREMENTAL


async def test_the_write_ahead_log_does_not_stay_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "LOG_BYTES", 10 * PAGE)
    journal = Journal(tmp_path)
    journal.start()
    await filled(journal)
    log = tmp_path / f"{FILE}-wal"
    await journal.write(
        *(Statement("DELETE FROM entries", ()), Statement("DELETE FROM tables", ()))
    )
    large = log.stat().st_size
    await journal.shrink()
    await journal.write(*records.new_line("T", records.LineRow(1, None, 1), keep=1))  # type: ignore[arg-type]
    assert log.stat().st_size < large // 2
    journal.close()
