"""A match may be as long as it likes: a table keeps the newest of it, and its journal has the rest."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from diadem_server.app import App
from diadem_server.storage.changes import NewEntry, NewTable
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import EntryRow
from diadem_server.storage.sqlite import SqliteJournal
from diadem_server.table import executed_commands, history
from diadem_server.table.history import PAGE, Range
from diadem_server.table.views import Logged
from diadem_shared import match as rules
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved, Sat, Setup, Started
from diadem_shared.game import Happening, Seat
from diadem_shared.games import GAMES
from diadem_shared.protocol import Accepted, Happened, History, TableView
from tests.patience import PATIENCE
from tests.rig.reachable import held_by
from tests.rig.wire import Player, server
from tests.sample_game import Answered, Guess, Numbers, State
from tests.server import NUMBERS, code, gone, started
from tests.server import done as did

SEED = b"long ago"
KEPT = PAGE + 30
"""Entries in memory: less than usual, so that matches become long sooner."""
MANY = 3 * KEPT
"""Moves of a long match."""


class Endless(Numbers):
    """A wrong guess leads no further: a round has as many moves as its players like."""

    def carry_out(
        self, state: State, seat: Seat, move: Guess, chance: Chance
    ) -> tuple[State, Sequence[Happening[Answered]]]:
        after, told = super().carry_out(state, seat, move, chance)
        return (after if after.over else replace(state, turn=after.turn)), told


@pytest.fixture(autouse=True)
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, Endless.name, Endless())
    monkeypatch.setattr(history, "KEPT", KEPT)
    monkeypatch.setattr(executed_commands, "KEPT", KEPT)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with server(tmp_path) as app:
        yield app


def wrong(app: App, player: Player) -> str:
    assert player.view is not None
    secret = app.lobby.tables[player.view.table].match.state.secret
    return f"guess {1 + secret % 9}"


async def play_on(player: Player, move: str, times: int) -> None:
    for _ in range(times):
        assert isinstance(await player.play(move), Accepted)


async def all_pages(player: Player) -> list[Happened]:
    found: list[Happened] = []
    page = History(0, [], more=True)
    while page.more:
        page = await player.ask(protocol.GetHistory, found[0].entry if found else None)
        assert isinstance(page, History), page
        found = page.happened + found
    return found


def seen(player: Player) -> list[Happened]:
    return [
        happened
        for message in player.messages
        if isinstance(message, TableView)
        for happened in message.happened
    ]


def hold_back_reading(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> tuple[asyncio.Event, asyncio.Event]:
    """Nothing is read from the journal before the second event; the first is that somebody waits."""
    asked, goes_on = asyncio.Event(), asyncio.Event()
    entries_after = app.lobby.journal.entries_after

    async def slowly(code: str, number: int, most: int) -> list[tuple[int, Entry]]:
        asked.set()
        await goes_on.wait()
        return await entries_after(code, number, most)

    monkeypatch.setattr(app.lobby.journal, "entries_after", slowly)
    return asked, goes_on


# Pages


async def test_every_page_is_as_it_was_told_also_after_a_restart(tmp_path: Path) -> None:
    ana = Player(0)
    async with server(tmp_path) as app:
        ana.url = f"ws://127.0.0.1:{app.port}"
        await ana.connect()
        table = await started(ana)
        await play_on(ana, wrong(app, ana), MANY)
        told = await all_pages(ana)
        assert [happened.entry for happened in told] == [*range(1, MANY + 3)]
        assert told[1:] == seen(ana), "all but their own sitting down, before they had come"
        await ana.disconnect()
    async with server(tmp_path) as app:
        ana.url = f"ws://127.0.0.1:{app.port}"
        await ana.connect()
        await did(ana, protocol.Join, table)
        assert await all_pages(ana) == told
        await ana.disconnect()


ASKED = {
    None: (MANY - PAGE + 1, MANY + 1),
    MANY: (MANY - PAGE, MANY),
    10**9: (MANY - PAGE + 1, MANY + 1),
    MANY - KEPT + 1: (MANY - KEPT + 1 - PAGE, MANY - KEPT + 1),
    MANY - KEPT + 1 + PAGE: (MANY - KEPT + 1, MANY - KEPT + 1 + PAGE),
    MANY - KEPT + 30: (MANY - KEPT + 30 - PAGE, MANY - KEPT + 30),
    PAGE + 1: (1, PAGE + 1),
    20: (1, 20),
    1: (1, 1),
    0: (1, 1),
    -5: (1, 1),
}
"""The first entry of a page and the one after its last, by the entry before which it is asked for."""


async def test_a_page_is_the_same_from_memory_and_from_the_journal(tmp_path: Path) -> None:
    setup = Setup(Endless.name)
    origin = match = rules.open_match(setup)
    kept = history.History("LONG", SEED, origin)
    log: list[Logged] = []
    for number in range(1, MANY + 1):
        entry: Entry = Started() if number == 2 else Sat("Ana")
        if number > 2:
            entry = Moved(0, f"guess {1 + match.state.secret % 9}")
        match, told = rules.apply(match, entry, SEED)
        log.append(Logged(number, entry, told))
        kept.keep(log[-1])
    rows = [EntryRow(each.number, each.entry, None, None, "") for each in log]
    journal = SqliteJournal(tmp_path)
    await journal.start()
    await journal.write(
        NewTable("LONG", 0.0, setup, SEED, 1), *(NewEntry("LONG", row) for row in rows)
    )
    for before, (first, end) in ASKED.items():
        page = kept.page(before)
        assert page == Range(first, end), before
        assert list(await kept.read(journal, page)) == log[first - 1 : end - 1], before
        if kept.has(page):
            assert list(kept.recent(page)) == log[first - 1 : end - 1], before
        assert kept.has(page) is (first > MANY - KEPT or first == end), before
    await journal.close()


async def test_a_table_holds_on_to_no_more_however_long_its_match(app: App, ana: Player) -> None:
    table = await started(ana)
    move = wrong(app, ana)
    await play_on(ana, move, KEPT + executed_commands.KEPT)
    held = []
    for _ in range(2):
        ana.messages.clear()
        await play_on(ana, move, KEPT)
        held.append(held_by(app.lobby.tables[table]))
    assert (held[1] - held[0]).total() < KEPT // 4, (held[1] - held[0]).most_common(5)


async def test_whoever_reads_an_old_page_holds_up_no_move(
    app: App, monkeypatch: pytest.MonkeyPatch, ana: Player
) -> None:
    await started(ana)
    move = wrong(app, ana)
    await play_on(ana, move, KEPT + PAGE)
    asked, goes_on = hold_back_reading(app, monkeypatch)
    page = asyncio.create_task(ana.ask(protocol.GetHistory, 10))
    async with asyncio.timeout(PATIENCE):
        await asked.wait()
    await play_on(ana, move, 3)
    assert not page.done()
    assert code(await ana.ask(protocol.GetHistory, 10)) == "too_fast", "one at a time"
    assert isinstance(await ana.ask(protocol.GetHistory), History), "from memory"
    goes_on.set()
    assert [happened.entry for happened in (await page).happened] == [*range(1, 10)]


async def test_whoever_is_sent_away_meanwhile_reads_nothing(
    app: App, monkeypatch: pytest.MonkeyPatch, ana: Player, bob: Player
) -> None:
    table = await started(ana)
    await bob.join(table, sit=False)
    await play_on(ana, wrong(app, ana), KEPT + PAGE)
    asked, goes_on = hold_back_reading(app, monkeypatch)
    page = asyncio.create_task(bob.ask(protocol.GetHistory, 10))
    async with asyncio.timeout(PATIENCE):
        await asked.wait()
    await did(ana, protocol.Kick, "Bob")
    assert await gone(bob) == "removed"
    goes_on.set()
    assert code(await page) == "at_no_table"


async def test_pages_that_cannot_be_read_are_refused(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any) -> list[tuple[int, Entry]]:
        raise JournalUnavailable("planted")

    async with Player(app.port) as ana:
        await started(ana)
        await play_on(ana, wrong(app, ana), KEPT + PAGE)
        with monkeypatch.context() as patch:
            patch.setattr(app.lobby.journal, "entries_after", away)
            assert code(await ana.ask(protocol.GetHistory, 10)) == "journal_unavailable"
        assert isinstance(await ana.ask(protocol.GetHistory, 10), History)


# Commands done long ago


@pytest.fixture
def few_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables and sessions remember few of the commands that were done."""
    monkeypatch.setattr(executed_commands, "KEPT", 5)
    monkeypatch.setattr("diadem_server.sessions.answers.REMEMBERED_ANSWERS", 5)


@pytest.mark.usefixtures("few_done")
async def test_a_move_of_long_ago_is_answered_as_it_was(tmp_path: Path) -> None:
    ana = Player(0)
    async with server(tmp_path) as app:
        ana.url = f"ws://127.0.0.1:{app.port}"
        await ana.connect()
        make = protocol.Make(500, NUMBERS)
        made = await ana.ask_again(make)
        table = (await ana.seen(lambda view: view.seat == 0)).table
        await did(ana, protocol.Start)
        move = wrong(app, ana)
        old = protocol.Play(600, move)
        answer = await ana.ask_again(old)
        for number in range(20):
            await ana.ask_again(protocol.Play(700 + number, move))
        entries = app.lobby.tables[table].match.entries
        assert await ana.ask_again(old) == answer
        assert await ana.ask_again(make) == made
        assert code(await ana.ask_again(protocol.Play(600, "guess 99"))) == "id_reused"
        assert await ana.ask_again(old) == answer, "it stays known"
        assert app.lobby.tables[table].match.entries == entries
        assert isinstance(await ana.ask_again(protocol.Play(601, move)), Accepted), "a new one"
        assert app.lobby.tables[table].match.entries == entries + 1
        await ana.disconnect()
    async with server(tmp_path) as app:
        ana.url = f"ws://127.0.0.1:{app.port}"
        await ana.connect()
        assert await ana.ask_again(old) == answer, "at no table yet"
        assert code(await ana.ask_again(protocol.Play(602, move))) == "at_no_table"
        await did(ana, protocol.Join, table)
        assert await ana.ask_again(old) == answer
        assert await ana.ask_again(make) == made
        assert app.lobby.tables[table].match.entries == entries + 1
        assert len(app.lobby.tables) == 1
        await ana.disconnect()


@pytest.mark.usefixtures("few_done")
async def test_who_left_and_came_back_is_not_sent_away_by_leaving_again_as_before(
    ana: Player, bob: Player
) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    part = protocol.Part(600)
    answer = await bob.ask_again(part)
    await bob.join(table)
    for number in range(10):
        await bob.ask_again(protocol.Stand(700 + 2 * number))
        await bob.ask_again(protocol.Sit(701 + 2 * number))
    assert await bob.ask_again(part) == answer
    await did(bob, protocol.Say, "still here")
