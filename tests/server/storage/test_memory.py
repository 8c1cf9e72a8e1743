"""A server on a journal in memory, whose writes fail in the ways that a journal may fail."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from diadem import protocol
from diadem_server.app import App
from diadem_server.config import Config
from diadem_server.storage.changes import NewTable
from diadem_server.storage.journal import JournalUnavailable, SeatTaken
from diadem_server.storage.memory import MemoryJournal
from tests.rig.wire import Player, play_to_the_end
from tests.server import NUMBERS, done, guess_wrong, mover, started

pytestmark = pytest.mark.usefixtures("numbers")
TABLE = NewTable("AAAA", 0.0, NUMBERS, b"", 1)


@asynccontextmanager
async def on(journal: MemoryJournal, folder: Path) -> AsyncIterator[App]:
    config = Config(folder, "127.0.0.1", port=0, announce=False, bot_pause=0.0, burst=10**6)
    async with App(config, journal) as app:
        yield app


async def test_where_nothing_can_be_written_nothing_is_there() -> None:
    journal = MemoryJournal()
    journal.fails = JournalUnavailable("no room")
    with pytest.raises(JournalUnavailable):
        await journal.write(TABLE)
    assert journal.trouble == "no room"
    assert await journal.codes() == set()
    journal.fails = None
    await journal.write(TABLE)
    assert journal.trouble is None
    assert await journal.codes() == {"AAAA"}


async def test_a_match_goes_on_after_a_restart(tmp_path: Path) -> None:
    journal = MemoryJournal()
    ana, bob = Player(0, "Ana"), Player(0, "Bob")
    table = ""
    for _ in range(2):
        async with on(journal, tmp_path) as app:
            for player in (ana, bob):
                player.url = f"ws://127.0.0.1:{app.port}"
                player.view = None
                await player.connect()
                if table:
                    await done(player, protocol.Join, table)
            if not table:
                table = await started(ana, bob)
                await guess_wrong(await mover([ana, bob]), app)
            else:
                await play_to_the_end(ana, bob)
                (replay,) = (await ana.ask(protocol.ListReplays)).replays
                assert replay.table == table
            for player in (ana, bob):
                await player.disconnect()


async def test_whom_the_journal_finds_at_another_table_does_not_sit_down(tmp_path: Path) -> None:
    """Another server may have taken them in, after this one looked."""
    journal = MemoryJournal()
    async with (
        on(journal, tmp_path) as app,
        Player(app.port, "Ana") as ana,
        Player(app.port, "Bob") as bob,
    ):
        table = await ana.make(NUMBERS)
        await done(bob, protocol.Join, table)
        journal.fails = SeatTaken("AWAY")
        for answer in (await bob.ask(protocol.Sit), await bob.ask(protocol.Make, NUMBERS)):
            assert isinstance(answer, protocol.Refused)
            assert answer.why.code == "seated_elsewhere"
            assert answer.why.about == {"table": "AWAY"}
        assert list(app.lobby.tables) == [table]
        journal.fails = None
        await done(bob, protocol.Sit)
