"""A journal is read beside its writer, and what is asked for often is found without reading a whole table."""

import asyncio
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from diadem_server.storage import schema, sqlite_reader
from diadem_server.storage.changes import DropTable, NewEntry, NewTable
from diadem_server.storage.records import EntryRow
from diadem_server.storage.schema import FILE
from diadem_server.storage.sqlite import SqliteJournal
from diadem_server.storage.sqlite_statements import NEWEST_ENTRY
from diadem_server.storage.statement import Statement
from diadem_shared.entries import Moved, Setup
from tests.patience import PATIENCE

READERS: defaultdict[Path, list[sqlite3.Connection]] = defaultdict(list)


@pytest.fixture(autouse=True)
def readers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The connections over which journals are read, by their files."""

    def open_reader(path: Path) -> sqlite3.Connection:
        READERS[path].append(schema.open_reader(path))
        return READERS[path][-1]

    monkeypatch.setattr(sqlite_reader, "open_reader", open_reader)
    yield
    READERS.clear()


def new_table(code: str) -> NewTable:
    return NewTable(code, 0.0, Setup("diamoniak"), b"", 1)


def _entry(code: str, number: int) -> NewEntry:
    return NewEntry(code, EntryRow(number, Moved(0, "draw"), 1, 1_000 + number, ""))


async def test_what_is_not_written_yet_is_counted(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    await journal.start()
    begun, may_end = threading.Event(), threading.Event()

    def held() -> bool:
        begun.set()
        return may_end.wait(PATIENCE)

    for connection in READERS[tmp_path / FILE]:
        connection.create_function("held", 0, held)
    asked = [asyncio.create_task(journal.ask(Statement("SELECT held()"))) for _ in range(3)]
    await asyncio.to_thread(begun.wait, PATIENCE)
    assert journal.waiting == 3
    asked.append(asyncio.create_task(journal.ask(Statement("SELECT held()"))))
    await asyncio.sleep(0)
    assert journal.waiting == 4
    may_end.set()
    await asyncio.gather(*asked)
    assert journal.waiting == 0
    await journal.close()


async def test_no_write_waits_for_a_long_read_and_what_was_to_be_written_before_is_read(
    tmp_path: Path,
) -> None:
    journal = SqliteJournal(tmp_path)
    await journal.start()
    begun, may_end = threading.Event(), threading.Event()

    def held() -> bool:
        begun.set()
        return may_end.wait(PATIENCE)

    for connection in READERS[tmp_path / FILE]:
        connection.create_function("held", 0, held)
    writing = journal.submit(DropTable("NONE"), new_table("EARLY"))
    asked = asyncio.create_task(
        journal.ask(
            Statement("SELECT held() FROM tables"),
            Statement("SELECT code FROM tables"),
        )
    )
    await asyncio.to_thread(begun.wait, PATIENCE)
    assert writing.done()
    await journal.write(new_table("LATE"))
    assert await journal.last_session() == 0, "and no short question waits"
    assert not asked.done()
    may_end.set()
    assert await asked == [[(1,)], [("EARLY",)]], "as of one moment"
    assert await journal.codes() == {"EARLY", "LATE"}
    await journal.close()


async def _steps_to_look_for_a_command(folder: Path, entries: int) -> int:
    """Of SQLite's machine, at a table with so many entries."""
    folder.mkdir()
    journal = SqliteJournal(folder)
    await journal.start()
    numbers = range(1, entries + 1)
    await journal.write(new_table("AAAA"), *(_entry("AAAA", number) for number in numbers))
    await journal.close()
    journal = SqliteJournal(folder)  # which merges what was appended
    await journal.start()
    steps: list[None] = []
    for connection in READERS[folder / FILE][-sqlite_reader.READERS :]:
        connection.set_progress_handler(lambda: steps.append(None), 1)
    assert await journal.done_at("AAAA", 1, 2**40) is None
    taken = len(steps)
    assert await journal.done_at("AAAA", 1, 1_007) is not None
    await journal.close()
    return taken


async def test_to_look_for_an_old_command_costs_no_more_in_a_long_match(tmp_path: Path) -> None:
    """Who once used a high id has the journal asked for every command from then on."""
    few = await _steps_to_look_for_a_command(tmp_path / "short", 50)
    assert await _steps_to_look_for_a_command(tmp_path / "long", 5_000) < 2 * few


async def test_the_newest_entry_of_a_table_is_found_without_reading_it(tmp_path: Path) -> None:
    for _ in range(2):
        journal = SqliteJournal(tmp_path)
        await journal.start()
        await journal.close()
    journal = SqliteJournal(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {NEWEST_ENTRY}", ("AAAA",)).fetchall()
    await journal.close()
    assert "SEARCH entries USING PRIMARY KEY (code=?)" in [row[3] for row in plan]
