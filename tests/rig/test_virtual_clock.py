"""The rig's own time and network behave as those of a machine do, as far as a server notices."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.config import Config
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.rig.virtual_clock import NothingWillHappen, VirtualLoop
from tests.rig.virtual_network import End
from tests.rig.wire import Player, play_to_the_end

DAY = 24 * 60 * 60.0


@pytest.fixture
def loop() -> Iterator[VirtualLoop]:
    loop = VirtualLoop(seed=1)
    yield loop
    loop.close()


def test_days_pass_at_once(loop: VirtualLoop) -> None:
    loop.run_until_complete(asyncio.sleep(30 * DAY))
    assert 30 * DAY <= loop.time() < 30 * DAY + 1


def test_who_waits_for_ever_is_told(loop: VirtualLoop) -> None:
    with pytest.raises(NothingWillHappen):
        loop.run_until_complete(loop.create_future())


def test_what_other_threads_do_takes_no_time(loop: VirtualLoop, tmp_path: Path) -> None:
    async def ask() -> None:
        journal = SqliteJournal(tmp_path)
        loop.is_awaited = lambda: journal.waiting > 0
        await journal.start()
        async with asyncio.timeout(1.0):
            for _ in range(50):
                assert await journal.codes() == set()
                assert await loop.run_in_executor(None, sum, [1, 2]) == 3
        await journal.close()

    loop.run_until_complete(ask())
    assert loop.time() == 0


@pytest.mark.slow
def test_a_match_is_played_over_connections_in_memory(loop: VirtualLoop, tmp_path: Path) -> None:
    async def play(name: str, seconds: float) -> list[bytes]:
        journal = SqliteJournal(tmp_path / name)
        loop.is_awaited = lambda: journal.waiting > 0
        config = Config(tmp_path / name, "127.0.0.1", port=0, announce=False, bot_pause=0.0)
        async with App(config, journal) as app:
            ana, bob = Player(app.port, "Ana"), Player(app.port, "Bob")
            bob.local_address = "192.0.2.7", 0
            async with ana, bob:
                assert {each.prefix for each in app.lobby.sessions} == {"127.0.0.1", "192.0.2.7"}
                await ana.make(Setup("diadingo"))
                assert ana.view is not None
                await bob.join(ana.view.table)
                await ana.ask(protocol.Start)
                await asyncio.sleep(seconds)
                await play_to_the_end(ana, bob)
            return ana.frames

    (tmp_path / "match").mkdir()
    assert loop.run_until_complete(play("match", DAY))


def test_a_line_that_is_unplugged_is_silent_and_one_that_is_cut_is_not(loop: VirtualLoop) -> None:
    class Ended(asyncio.Protocol):
        def __init__(self) -> None:
            self.heard: list[bytes] = []
            self.is_lost = False

        def data_received(self, data: bytes) -> None:
            self.heard.append(data)

        def connection_lost(self, exc: Exception | None) -> None:
            self.is_lost = True

    async def connect() -> tuple[End, Ended]:
        here, there = End(("a", 1), ("b", 2)), End(("b", 2), ("a", 1))
        here.other, there.other = there, here
        here.protocol, there.protocol = Ended(), Ended()
        here.write(b"hello")
        await asyncio.sleep(1)
        assert isinstance(there.protocol, Ended)
        return here, there.protocol

    async def unplug() -> None:
        end, other = await connect()
        end.unplug()
        end.write(b"lost")
        end.abort()
        await asyncio.sleep(DAY)
        assert other.heard == [b"hello"]
        assert not other.is_lost

    async def cut() -> None:
        end, other = await connect()
        end.abort()
        await asyncio.sleep(1)
        assert other.is_lost

    loop.run_until_complete(unplug())
    loop.run_until_complete(cut())
