"""An ended server, a full disk and a clock that is put right take nothing from anybody."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from diadem_server.app import App
from diadem_server.lobby import prune
from diadem_server.storage import statements
from diadem_server.storage.changes import Change
from diadem_server.storage.statement import Statement
from diadem_shared import protocol
from diadem_shared.protocol import Accepted, Answer, Bye
from tests.rig.journals import select
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import (
    NUMBERS,
    code,
    connection_of,
    done,
    fill_disk,
    guess_wrong,
    make_room,
    mover,
    seat_is,
    started,
)

pytestmark = pytest.mark.usefixtures("numbers")
YEAR = 365 * prune.DAY
NOW = 1.7e9


class FixedCalendar:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@contextmanager
def slow_disk() -> Iterator[tuple[threading.Event, threading.Event]]:
    """Set once something is being committed; and what it waits for."""
    begun, may_end = threading.Event(), threading.Event()
    written = statements.written

    def slow(change: Change) -> Iterable[Statement]:
        begun.set()
        may_end.wait()
        return written(change)

    with patch.object(statements, "written", slow):
        try:
            yield begun, may_end
        finally:
            may_end.set()


def answered(player: Player, id_: int) -> Answer | None:
    found = (each for each in player.messages if isinstance(each, Answer) and each.id == id_)
    return next(found, None)


@asynccontextmanager
async def two(app: App) -> AsyncIterator[tuple[Player, Player]]:
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        yield ana, bob


async def test_a_server_that_is_ended_within_a_commit_still_answers(tmp_path: Path) -> None:
    async with server(tmp_path) as app, two(app) as players:
        table = await started(*players)
        who = await mover(players)
        command = protocol.Say(700, "wait")
        with slow_disk() as (begun, may_end):
            assert who.socket is not None
            await who.socket.send(protocol.pack(command))
            await asyncio.to_thread(begun.wait)
            ending = asyncio.create_task(app.__aexit__())
            await asyncio.sleep(0)
            assert not answered(who, 700)
            may_end.set()
            await ending
        bye = await who.until(lambda: next((m for m in who.messages if isinstance(m, Bye)), None))
        assert code(bye) == "server_closing"
        answer = answered(who, 700)
        assert isinstance(answer, Accepted)
    async with server(tmp_path) as app:
        who.url = f"ws://127.0.0.1:{app.port}"
        await who.connect()
        await done(who, protocol.Join, table)
        assert await who.ask_again(command) == answer
        await who.disconnect()


async def test_a_move_costs_one_statement(app: App) -> None:
    async with two(app) as players:
        await started(*players)
        who = await mover(players)
        await who.ask(protocol.GetHistory)
        statements: list[str] = []
        connection_of(app).set_trace_callback(statements.append)
        await guess_wrong(who, app)
        connection_of(app).set_trace_callback(None)
        written = [each for each in statements if not each.startswith("PRAGMA")]  # of tidying up
        assert [each.partition(" VALUES")[0] for each in written] == ["INSERT INTO appended"]


async def test_on_a_full_disk_nobody_is_told_to_be_ready_who_is_not(app: App) -> None:
    async with two(app) as (ana, bob):
        table = await ana.make(NUMBERS)
        await bob.join(table)
        fill_disk(app)
        assert code(await ana.ask(protocol.Ready, ready=True)) == "journal_unavailable"
        assert code(await bob.ask(protocol.Start)) == "only_the_maker", "a refusal is told"
        await bob.seen(seat_is(0, ready=False))
        make_room(app)
        await done(ana, protocol.Ready, ready=True)
        await bob.seen(seat_is(0, ready=True))


@pytest.mark.parametrize("jump", [YEAR, -YEAR])
async def test_a_clock_that_is_put_right_costs_nobody_seat_or_name(
    tmp_path: Path, jump: float
) -> None:
    calendar = FixedCalendar()
    async with server(tmp_path, now=calendar) as app, two(app) as players:
        table = await started(*players)
        calendar.now += jump
        await prune.tidy(app.lobby)
        for player in players:
            await player.disconnect()
        await prune.tidy(app.lobby)
    async with server(tmp_path, now=calendar) as app:
        for player in players:
            player.url = f"ws://127.0.0.1:{app.port}"
            welcome = await player.connect()
            assert getattr(welcome, "table", None) == table
            await done(player, protocol.Join, table)
        await play_to_the_end(*players)
        for player in players:
            await player.disconnect()


async def test_a_clock_that_is_put_back_keeps_the_newest_replays(tmp_path: Path) -> None:
    calendar = FixedCalendar()
    async with (
        server(tmp_path, keep_replays=2, now=calendar) as app,
        Player(app.port, "Ana") as ana,
    ):
        played = []
        for jump in (0.0, YEAR, -2 * YEAR):
            calendar.now += jump
            played.append(await started(ana))
            await play_to_the_end(ana)
            await done(ana, protocol.Part)
            await prune.tidy(app.lobby)
            calendar.now += 1
        listed = await ana.ask(protocol.ListReplays)
        assert [line.table for line in listed.replays] == [played[2], played[1]]
        assert await app.lobby.journal.codes() == set(played[1:])


async def test_answers_go_with_whoever_is_forgotten(tmp_path: Path) -> None:
    calendar = FixedCalendar()
    async with server(tmp_path, now=calendar) as app, Player(app.port, "Ana") as ana:
        await done(ana, protocol.SetListed, on=True)
        count = "SELECT count(*) FROM answers"
        assert select(tmp_path, count) == [(1,)]
        await ana.disconnect()
        calendar.now += prune.DAY
        await prune.tidy(app.lobby)
        assert select(tmp_path, count) == [(0,)]
