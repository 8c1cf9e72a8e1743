"""A hosted client on its terminal: what it comes to, and that nothing of it is left."""

import asyncio
import os
from collections.abc import Callable
from signal import SIGTERM, Signals
from typing import Any

import pytest

from diadem_server.gates.client_line import HostedPlayer
from diadem_server.gates.client_pool import ClientPool, HostedClient
from diadem_server.gates.terminal_session import TerminalSession, player_name
from diadem_shared.forkserver_protocol import LaunchRequest
from tests.rig.gates import open_files

ORDERS = LaunchRequest(name="Ana", environment={})
NO_SERVER: Any = None
"""Nobody asks for a connection."""
ANA = HostedPlayer("192.0.2.1", "token")


class Shown:
    """What reaches the player."""

    def __init__(self) -> None:
        self.text = b""

    def write(self, data: bytes) -> None:
        self.text += data

    def pause_reading(self) -> None:
        """Whatever they send waits."""

    def resume_reading(self) -> None:
        """They may send again."""


class Pool(ClientPool):
    """One client that writes a line, and ends when it is told to, or is made to."""

    def __init__(self, *, has_room: bool = True) -> None:
        super().__init__("ssh", NO_SERVER)
        self._has_room = has_room
        self.client: HostedClient | None = None
        self.told: list[Signals] = []
        self.has_spawned = asyncio.Event()

    async def spawn(self, terminal: int, line: int) -> HostedClient:
        if not self._has_room:
            raise OSError("no room")
        os.write(terminal, b"hello\r\n")
        self.client = HostedClient(self, 1)
        asyncio.get_running_loop().call_soon(self.has_spawned.set)
        return self.client

    def signal(self, client: HostedClient, number: Signals) -> None:
        self.told.append(number)
        if not client.ended.done():
            client.ended.set_result(-number)


@pytest.fixture
async def opened() -> Callable[[], int]:
    """How many descriptors there are more than at first, when the loop has its own."""
    before = len(open_files(os.getpid()))
    return lambda: len(open_files(os.getpid())) - before


def over() -> "asyncio.Future[int]":
    return asyncio.get_running_loop().create_future()


async def test_all_that_a_client_has_said_is_shown_before_its_status_is_told(
    opened: Callable[[], int],
) -> None:
    pool, shown = Pool(), Shown()
    hosting = TerminalSession(pool, shown, (80, 24))
    running = asyncio.create_task(hosting.run(ANA, ORDERS, over()))
    await pool.has_spawned.wait()
    assert pool.client is not None
    pool.client.ended.set_result(3)
    assert await running == 3
    assert shown.text.startswith(b"hello")
    assert not hosting.is_running
    assert not pool.told
    assert not opened()


async def test_who_is_gone_leaves_no_client(opened: Callable[[], int]) -> None:
    pool, gone = Pool(), over()
    gone.set_result(0)
    assert await TerminalSession(pool, Shown(), (80, 24)).run(ANA, ORDERS, gone) is None
    assert pool.told
    assert not opened()


async def test_where_no_client_can_be_made_no_descriptor_is_left(
    opened: Callable[[], int],
) -> None:
    with pytest.raises(OSError, match="no room"):
        await TerminalSession(Pool(has_room=False), Shown(), (80, 24)).run(ANA, ORDERS, over())
    assert not opened()


async def test_where_none_is_to_be_made_no_descriptor_is_left(opened: Callable[[], int]) -> None:
    TerminalSession(Pool(), Shown(), (80, 24)).cancel()
    assert not opened()


async def test_a_client_is_told_that_the_host_closes() -> None:
    pool = Pool()
    hosting = TerminalSession(pool, Shown(), (80, 24))
    assert not await hosting.leave()
    running = asyncio.create_task(hosting.run(ANA, ORDERS, over()))
    await pool.has_spawned.wait()
    assert await hosting.leave()
    assert pool.told == [SIGTERM]
    assert await running == -SIGTERM


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("Ana", "Ana"),
        ("", "Player"),
        ("\x1b]2;x\x07", "]2;x"),
        (" " * 50, "Player"),
        ("x" * 99, "x" * 20),
    ],
)
def test_a_player_has_a_name_whatever_they_say(told: Any, name: str) -> None:
    assert player_name(told) == name
