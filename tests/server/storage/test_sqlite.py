"""What was acknowledged is never lost; what cannot be written is refused, and the table waits."""

import asyncio
import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from diadem import protocol
from diadem.entries import Entry, Sat, Setup, TurnClock
from diadem.protocol import Accepted
from diadem_server.app import App
from diadem_server.storage.backup import back_up
from diadem_server.storage.changes import NewEntry
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import EntryRow
from diadem_server.storage.schema import FILE, SCHEMAS, InUse, OtherVersion
from diadem_server.storage.sqlite import SqliteJournal
from tests.rig.journals import select
from tests.rig.wire import Player, play_to_the_end
from tests.server import (
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


async def test_one_bad_write_spoils_no_other(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.start()
    entry = Sat("Ana")
    journal.trouble = None
    results = await asyncio.gather(
        *(journal.write(new_entry(number, entry)) for number in (1, 2, 2, 3)),
        journal.write(new_entry(4, object())),  # type: ignore[arg-type]
        journal.write(new_entry(4, entry)),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [
        type(None),
        type(None),
        JournalUnavailable,
        type(None),
        JournalUnavailable,
        type(None),
    ]
    journal.close()
    assert _numbers(tmp_path) == [1, 2, 3, 4]


def _numbers(folder: Path) -> list[int]:
    return [row[0] for row in select(folder, "SELECT number FROM entries ORDER BY number")]


async def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.start()
    pages = journal._read("PRAGMA page_count")[0][0]
    journal._read(f"PRAGMA max_page_count = {pages + 5}")
    written = []
    with suppress(JournalUnavailable):
        for number in range(1, 1_000):
            entry = Sat("A" * 500)
            await journal.write(new_entry(number, entry))
            written.append(number)
    assert "full" in (journal.trouble or "")
    journal._read("PRAGMA max_page_count = 1000000")
    await journal.write(new_entry(1_000, Sat("Ana")))
    journal.close()
    assert _numbers(tmp_path) == [*written, 1_000]


async def test_what_is_not_written_yet_is_counted(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.start()
    asked = [asyncio.ensure_future(journal.codes()) for _ in range(3)]
    for _ in range(2):  # asked in the first turn of the loop, handed over in the second
        await asyncio.sleep(0)
    assert journal.waiting == len(asked)
    await asyncio.gather(*asked)
    assert journal.waiting == 0
    journal.close()


async def test_what_cannot_be_asked_is_unavailable(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.start()
    journal._read("DROP TABLE bans")
    with pytest.raises(JournalUnavailable):
        await journal.load("TEST")
    journal.close()


def test_a_directory_is_used_by_one_server(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    with pytest.raises(InUse):
        SqliteJournal(tmp_path)
    journal.close()
    SqliteJournal(tmp_path).close()


def test_what_another_version_wrote_is_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(OtherVersion, match="99"):
        SqliteJournal(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


async def test_what_an_older_version_wrote_is_gone_on_with(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as older:
        older.executescript(f"{SCHEMAS[0]} PRAGMA user_version = 1")
        older.execute("INSERT INTO sessions VALUES (7, x'00', 'Ana', 0)")
        older.commit()
    back_up(tmp_path, tmp_path / "copy")
    for _ in range(2):
        journal = SqliteJournal(tmp_path)
        journal.start()
        assert [session.name for session in await journal.sessions()] == ["Ana"]
        assert (await journal.load("K7QD")).chat == []
        journal.close()
    back_up(tmp_path, tmp_path / "copy")


async def test_on_a_full_disk_people_can_talk(app: App) -> None:
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        await started(ana, bob)
        fill_disk(app)
        await done(ana, protocol.Say, "the disk is full")
        await bob.until(lambda: bob.chat)
        make_room(app)
        await done(ana, protocol.Say, "no more")


def test_what_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("a shopping list" * 100)
    with pytest.raises(OtherVersion):
        SqliteJournal(tmp_path)
    assert (tmp_path / FILE).read_text() == "a shopping list" * 100


def test_what_lies_face_down_is_for_nobody_else_on_this_machine(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        journal = SqliteJournal(tmp_path)
        files = {file.name: file.stat().st_mode & 0o077 for file in tmp_path.iterdir()}
        journal.close()
    finally:
        os.umask(before)
    assert files[FILE] == files[f"{FILE}-wal"] == 0


def test_the_journal_is_as_safe_as_sqlite_can_make_it(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    full = 2
    assert journal._read("PRAGMA synchronous") == [(full,)]
    assert journal._read("PRAGMA journal_mode") == [("wal",)]
    journal.close()


async def test_no_number_of_a_session_is_given_twice(tmp_path: Path) -> None:
    """A forgotten session may still be spoken of by entries."""
    journal = SqliteJournal(tmp_path)
    journal.start()
    await journal.write(new_entry(1, Sat("Ana"), session=41))
    journal.close()
    journal = SqliteJournal(tmp_path)
    journal.start()
    assert await journal.last_session() == 41
    journal.close()
