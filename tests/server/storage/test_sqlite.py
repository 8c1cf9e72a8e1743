"""What was acknowledged is never lost; what cannot be written is refused, and the table waits."""

import asyncio
import shutil
import sqlite3
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.storage import schema
from diadem_server.storage import sqlite as sqlite_journal
from diadem_server.storage.changes import DropTable, NewEntry, NewLine
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import EntryRow, LineRow
from diadem_server.storage.schema import FILE
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared import protocol
from diadem_shared.entries import Entry, Moved, Sat, Setup, TurnClock
from diadem_shared.protocol import Accepted, Said
from tests.rig.journals import change, select
from tests.rig.wire import Player, play_to_the_end
from tests.server import (
    CONNECTIONS,
    NUMBERS,
    Time,
    code,
    done,
    fill_disk,
    guess_wrong,
    make_room,
    mover,
    started,
)
from tests.server.storage import TABLES, filled

PAGE = 4096


async def test_on_a_full_disk_a_move_is_refused_and_made_when_there_is_room(app: App) -> None:
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        await started(ana, bob)
        who = await mover([ana, bob])
        assert who.view is not None
        before = who.view
        fill_disk(app)
        assert code(await guess_wrong(who, app)) == "journal_unavailable"
        assert app.lobby.journal.trouble
        assert app.lobby.tables[before.table].match.entries == before.entry
        assert code(await who.ask(protocol.Resign)) == "journal_unavailable"
        assert who.view == before, "nothing was shown of what was not done"
        make_room(app)
        answer = await guess_wrong(who, app)
        assert isinstance(answer, Accepted)
        assert answer.entry == before.entry + 1
        assert app.lobby.journal.trouble is None
        await play_to_the_end(ana, bob)


async def test_on_a_full_disk_nothing_is_made_half_way(app: App) -> None:
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        table = await ana.make(NUMBERS)
        fill_disk(app)
        assert code(await bob.ask(protocol.Make, NUMBERS)) == "journal_unavailable"
        assert list(app.lobby.tables) == [table]
        await done(bob, protocol.Join, table)
        assert code(await bob.ask(protocol.Sit)) == "journal_unavailable"
        assert code(await ana.ask(protocol.Part)) == "journal_unavailable"
        assert code(await Player(app.port, "Cem").connect()) == "journal_unavailable"
        await done(ana, protocol.Say, "still here")
        make_room(app)
        await done(bob, protocol.Sit)
        async with Player(app.port, "Cem") as cem:
            assert cem.token


async def test_on_a_full_disk_whoever_has_a_seat_comes_back_to_it(app: App) -> None:
    async with Player(app.port, "Bob") as bob:
        ana = Player(app.port, "Ana")
        await ana.connect()
        table = await started(ana, bob)
        fill_disk(app)
        await ana.disconnect()
        await ana.connect()
        await done(ana, protocol.Join, table)
        assert (await ana.seen(lambda view: view.table == table)).seat == 0
        await ana.disconnect()


async def test_a_clock_that_runs_out_waits_for_room(app: App, time: Time) -> None:
    async with Player(app.port, "Ana") as ana:
        await started(ana, setup=Setup("numbers", clock=TurnClock(60)))
        fill_disk(app)
        time.goes_on(60)
        await _trouble(ana, app)
        assert not ana.events("timed_out")
        make_room(app)
        time.goes_on(1)
        await ana.until(lambda: ana.events("timed_out"))


async def test_a_bot_waits_for_room(app: App, time: Time) -> None:
    app.lobby.config = replace(app.lobby.config, bot_pause=10)
    async with Player(app.port, "Ana") as ana:
        await ana.make(NUMBERS)
        await done(ana, protocol.AddBot, "halver")
        await done(ana, protocol.Start)
        view = await ana.seen(lambda view: view.public["actors"])
        if view.seat in view.public["actors"]:
            await guess_wrong(ana, app)
        guesses = len(ana.events("answered"))
        fill_disk(app)
        time.goes_on(10)
        await _trouble(ana, app)
        make_room(app)
        time.goes_on(1)
        await ana.until(lambda: len(ana.events("answered")) > guesses)


async def _trouble(player: Player, app: App) -> None:
    """Until the table has tried to write, in vain, and does something else."""
    while not app.lobby.journal.trouble:
        await player.ask(protocol.Ping)
    await player.ask(protocol.GetHistory)


# Alone


def new_entry(number: int, entry: Entry, session: int = 1) -> NewEntry:
    return NewEntry("TEST", EntryRow(number, entry, session, None, ""))


def _numbers(folder: Path) -> list[int]:
    return [row[0] for row in select(folder, "SELECT number FROM all_entries ORDER BY number")]


async def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    await journal.start()
    connection = CONNECTIONS[tmp_path / FILE]
    [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
    connection.execute(f"PRAGMA max_page_count = {pages + 5}")
    written = []
    with suppress(JournalUnavailable):
        for number in range(1, 1_000):
            entry = Sat("A" * 500)
            await journal.write(new_entry(number, entry))
            written.append(number)
    assert "full" in (journal.trouble or "")
    connection.execute("PRAGMA max_page_count = 1000000")
    await journal.write(new_entry(1_000, Sat("Ana")))
    await journal.close()
    assert _numbers(tmp_path) == [*written, 1_000]


async def test_what_cannot_be_asked_is_unavailable(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    await journal.start()
    change(tmp_path, "DROP TABLE bans")
    with pytest.raises(JournalUnavailable):
        await journal.load("TEST")
    await journal.close()


async def test_on_a_full_disk_people_can_talk(app: App) -> None:
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        await started(ana, bob)
        fill_disk(app)
        await done(ana, protocol.Say, "the disk is full")
        await bob.until(lambda: bob.chat)
        make_room(app)
        await done(ana, protocol.Say, "no more")


async def test_a_move_does_not_wait_until_all_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_journal, "GIVEN_BACK_AT_ONCE", 1)
    journal = SqliteJournal(tmp_path)
    await journal.start()
    await filled(journal)
    for number in range(TABLES):
        await journal.write(DropTable(f"T{number}"))
    shrinking = asyncio.create_task(journal.shrink())
    for number in range(1, 6):
        await journal.write(NewEntry("TEST", EntryRow(number, Sat("Ana"), 1, None, "")))
        assert not shrinking.done()
    await shrinking
    assert len((await journal.load("TEST")).entries) == 5
    await journal.close()


async def test_the_write_ahead_log_does_not_stay_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "LOG_BYTES", 10 * PAGE)
    journal = SqliteJournal(tmp_path)
    await journal.start()
    await filled(journal)
    log = tmp_path / f"{FILE}-wal"
    await journal.write(*(DropTable(f"T{number}") for number in range(TABLES)))
    large = log.stat().st_size
    await journal.shrink()
    await journal.write(NewLine("T", LineRow(1, Said("Ana", None, "hello"), 1), keep=1))
    assert log.stat().st_size < large // 2
    await journal.close()


# Entries are appended, and merged now and then


async def test_entries_are_appended_and_merged_when_there_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_journal, "MOST_APPENDED", 10)
    journal = SqliteJournal(tmp_path)
    await journal.start()
    written: dict[str, list[int]] = {"AAAA": [], "BBBB": [], "CCCC": []}
    most = 0
    for number in range(1, 30):
        await asyncio.gather(*(journal.write(_move(table, number)) for table in written))
        for table, numbers in written.items():
            numbers.append(number)
            assert [row.number for row in (await journal.load(table)).entries] == numbers
            page = await journal.entries_after(table, number - 5, 3)
            assert [each for each, _ in page] == [each for each in numbers if each > number - 5][:3]
        most = max(most, _appended(tmp_path))
    assert 0 < most < 10 + len(written)
    await journal.close()
    assert select(tmp_path, "SELECT count(*) FROM entries")[0][0] > 60


async def test_what_was_appended_when_the_server_was_killed_is_merged_at_the_next_start(
    tmp_path: Path,
) -> None:
    journal = SqliteJournal(tmp_path)
    await journal.start()
    await journal.write(*(_move("AAAA", number) for number in range(1, 6)))
    killed = shutil.copytree(tmp_path, tmp_path.with_name("killed"))
    await journal.close()
    assert _appended(killed) == 5
    journal = SqliteJournal(killed)
    await journal.start()
    assert _appended(killed) == 0
    assert [row.number for row in (await journal.load("AAAA")).entries] == [1, 2, 3, 4, 5]
    await journal.close()


async def test_what_cannot_be_merged_is_not_lost_and_merged_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_journal, "MOST_APPENDED", 10)

    def fails(_: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("the disk is full")

    journal = SqliteJournal(tmp_path)
    await journal.start()
    with monkeypatch.context() as full:
        full.setattr(sqlite_journal, "merge_entries", fails)
        for number in range(1, 16):
            await journal.write(_move("AAAA", number))
        await journal.settled()
        assert journal.trouble is None
        assert _appended(tmp_path) == 15
    for number in range(16, 21):
        await journal.write(_move("AAAA", number))
    assert [row.number for row in (await journal.load("AAAA")).entries] == [*range(1, 21)]
    assert _appended(tmp_path) == 0
    await journal.close()


async def test_a_table_can_be_dropped_wherever_its_entries_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_journal, "MOST_APPENDED", 10)
    journal = SqliteJournal(tmp_path)
    await journal.start()
    await journal.write(*(_move("AAAA", number) for number in range(1, 12)))
    await journal.write(_move("AAAA", 12), _move("BBBB", 1))
    assert _appended(tmp_path) == 2
    await journal.write(DropTable("AAAA"))
    assert select(tmp_path, "SELECT code FROM all_entries") == [("BBBB",)]
    await journal.close()


def _move(table: str, number: int) -> NewEntry:
    return NewEntry(table, EntryRow(number, Moved(0, "draw", number), 1, number, ""))


def _appended(folder: Path) -> int:
    count: int = select(folder, "SELECT count(*) FROM appended")[0][0]
    return count
