"""A journal's file is private, locked by one server, and migrated to the newest schema."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from diadem_server.storage import schema
from diadem_server.storage.backup import back_up
from diadem_server.storage.changes import NewEntry
from diadem_server.storage.records import EntryRow
from diadem_server.storage.schema import FILE, SCHEMA_VERSION, SCHEMAS, InUse, OtherVersion
from diadem_server.storage.sqlite import KEPT_FREE, SqliteJournal
from diadem_shared.entries import Moved, Setup
from diadem_shared.frames import pack
from tests.rig.journals import pragma
from tests.server.storage import LINE, size


async def test_a_directory_is_used_by_one_server(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    with pytest.raises(InUse):
        SqliteJournal(tmp_path)
    await journal.close()
    await SqliteJournal(tmp_path).close()


def test_what_another_version_wrote_is_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(OtherVersion, match="99"):
        SqliteJournal(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


OF_OLDER = {key: getattr(LINE, key) for key in ("table", "game", "names", "totals")}
MOVES = [Moved(0, f"draw {number}", number) for number in range(1, 4)]


def write_as(version: int, folder: Path) -> None:
    """A match that is over and one that goes on, both with some entries, as older versions kept them."""
    with closing(sqlite3.connect(folder / FILE)) as older, older:
        older.executescript(f"{''.join(SCHEMAS[:version])} PRAGMA user_version = {version};")
        older.execute("INSERT INTO sessions (id, token, name, seen) VALUES (7, x'00', 'Ana', 0)")
        older.execute("INSERT INTO played VALUES (7, 'OVER')")
        setup = msgspec.json.encode(Setup("diamoniak"))
        for code, *ended in (("OVER", 5.0, pack(OF_OLDER)), ("RUNS", None, None)):
            older.execute(
                "INSERT INTO tables (code, made, setup, seed, version, ended, line)"
                " VALUES (?, 0, ?, x'', 1, ?, ?)",
                (code, setup, *ended),
            )
            older.executemany(
                "INSERT INTO entries (code, number, entry, session, command, digest)"
                " VALUES (?, ?, ?, 7, ?, '')",
                [(code, move.spent, msgspec.json.encode(move), move.spent) for move in MOVES],
            )


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION + 1))
async def test_what_an_older_version_wrote_is_gone_on_with(tmp_path: Path, version: int) -> None:
    write_as(version, tmp_path)
    back_up(tmp_path, tmp_path / "copy")
    written = [msgspec.json.encode(move) for move in MOVES]
    before = [
        EntryRow(move.spent, move, 7, move.spent, "", written=each)
        for move, each in zip(MOVES, written, strict=True)
    ]
    move = Moved(0, "draw 4", 4)
    later = EntryRow(4, move, 7, 4, "", 99, b"link", msgspec.json.encode(move))
    for was_there in (before, [*before, later]):
        journal = SqliteJournal(tmp_path)
        await journal.start()
        assert [session.name for session in await journal.sessions()] == ["Ana"]
        stored = await journal.load("RUNS")
        assert (stored.entries, stored.chat) == (was_there, [])
        if was_there == before:
            await journal.write(NewEntry("RUNS", later))
        assert await journal.replays(7, 50) == [LINE.listed_for(7, 5.0)]
        assert [move for _, move in await journal.entries_after("OVER", 0, 50)] == MOVES
        assert [done.command for done in await journal.done_lately(7, 50)] == [3, 2, 1]
        assert (await journal.load("RUNS")).entries == [*before, later]
        await journal.close()
    assert pragma(tmp_path, "user_version") == SCHEMA_VERSION
    back_up(tmp_path, tmp_path / "copy")


def test_what_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("a shopping list" * 100)
    with pytest.raises(OtherVersion):
        SqliteJournal(tmp_path)
    assert (tmp_path / FILE).read_text() == "a shopping list" * 100


async def test_what_lies_face_down_is_for_nobody_else_on_this_machine(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        journal = SqliteJournal(tmp_path)
        files = {file.name: file.stat().st_mode & 0o077 for file in tmp_path.iterdir()}
        await journal.close()
    finally:
        os.umask(before)
    assert files[FILE] == files[f"{FILE}-wal"] == 0


def test_the_journal_is_as_safe_as_sqlite_can_make_it(tmp_path: Path) -> None:
    full = 2
    with closing(schema.open_file(tmp_path / FILE)) as connection:
        assert connection.execute("PRAGMA synchronous").fetchall() == [(full,)]
        assert connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]


def of_older_version(folder: Path, version: int = SCHEMA_VERSION) -> None:
    """A journal that cannot give pages back, and has many that are free."""
    with closing(sqlite3.connect(folder / FILE)) as older:
        older.execute("PRAGMA journal_mode = WAL")
        older.executescript("".join(SCHEMAS[:version]))
        older.execute(f"PRAGMA user_version = {version}")
        older.execute("INSERT INTO sessions (id, token, name, seen) VALUES (7, x'00', 'Ana', 0)")
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
        await journal.start()
        assert [session.name for session in await journal.sessions()] == ["Ana"]
        await journal.close()
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
        await journal.start()
        assert [session.name for session in await journal.sessions()] == ["Ana"]
        await journal.close()
    assert pragma(tmp_path, "auto_vacuum") == 0
    await SqliteJournal(tmp_path).close()
    assert pragma(tmp_path, "auto_vacuum") == schema.INCREMENTAL


async def test_where_nothing_can_be_given_back_nobody_tries_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "MOST_WRITTEN_ANEW", 0)
    of_older_version(tmp_path)
    journal = SqliteJournal(tmp_path)
    await journal.start()
    free = pragma(tmp_path, "freelist_count")
    assert free > KEPT_FREE
    await journal.shrink()
    assert pragma(tmp_path, "freelist_count") == free
    await journal.close()
