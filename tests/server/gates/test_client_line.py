"""The gate's end of the line to a hosted client, whoever has taken the client over."""

import asyncio
import socket
from collections.abc import AsyncIterator
from select import select

import pytest

from diadem_server.gates import client_line
from diadem_server.gates.client_line import CONNECTIONS_AT_ONCE, ClientLine, HostedPlayer
from diadem_server.gates.messages import Handed, KeepFile
from diadem_shared.forkserver_protocol import (
    CONNECTED,
    LENGTH,
    LONGEST_FILE,
    LONGEST_MESSAGE,
    Connect,
    Keep,
    LaunchRequest,
    framed,
    read_orders,
)
from tests.rig.gate_links import Handover, handover
from tests.rig.gates import until

ANA = HostedPlayer("192.0.2.7", "token", "a" * 32)
ORDERS = LaunchRequest("Ana", {"TERM": "xterm"}, files={"client.json": bytes(LONGEST_FILE)})


class Client:
    """The other end, with nothing that holds it back."""

    def __init__(self, server: Handover, player: HostedPlayer = ANA) -> None:
        self.line = ClientLine(server.link, player)
        self._end = socket.socket(fileno=socket.dup(self.line.theirs.fileno()))
        self.line.hand_over()
        self._end.setblocking(False)  # noqa: FBT003
        self.line.serve(ORDERS)

    async def orders(self) -> LaunchRequest:
        (length,) = LENGTH.unpack(await self._read(LENGTH.size))
        return read_orders(await self._read(length))

    async def _read(self, length: int) -> bytes:
        content = b""
        while len(content) < length:
            content += await asyncio.get_running_loop().sock_recv(self._end, length - len(content))
        return content

    async def say(self, said: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self._end, said)

    @property
    def has_answer(self) -> bool:
        return bool(select([self._end], [], [], 0)[0])

    def connection(self) -> socket.socket | None:
        """The next that was handed to it, if there is one."""
        try:
            answer, files, _flags, _from = socket.recv_fds(self._end, len(CONNECTED), 1)
        except BlockingIOError:
            return None
        assert answer == CONNECTED
        return socket.socket(fileno=files[0])

    async def end(self) -> None:
        self._end.close()
        await self.line.close()


@pytest.fixture
async def server() -> AsyncIterator[Handover]:
    with handover() as made:
        yield made


async def test_its_orders_come_first_however_long_they_are(server: Handover) -> None:
    client = Client(server)
    assert await client.orders() == ORDERS
    await client.end()


async def test_it_is_given_connections_of_its_player(server: Handover) -> None:
    client = Client(server)
    await client.orders()
    await client.say(framed(Connect()))
    await until(lambda: client.has_answer, "a connection")
    ours = client.connection()
    assert ours is not None
    whose, theirs = server.take()
    with theirs, ours:
        ours.sendall(b"hello")
        assert theirs.recv(5) == b"hello"
    assert whose == Handed(ANA.address, ANA.token)
    await client.end()


async def test_it_gets_no_more_of_them_than_it_may(
    server: Handover, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_line, "CONNECTIONS_A_SECOND", 1e-6)
    monkeypatch.setattr(client_line, "LAST_SECONDS", 0.0)
    client = Client(server)
    await client.orders()
    await client.say(framed(Connect()) * 500)
    got: list[socket.socket] = []

    def take() -> bool:
        if end := client.connection():
            got.extend((end, server.take()[1]))
        return len(got) == 2 * CONNECTIONS_AT_ONCE

    await until(take, "as many as come at once")
    for _ in range(100):
        await asyncio.sleep(0)
    assert client.connection() is None
    await client.end()
    for each in got:
        each.close()


async def test_what_it_wants_kept_is_kept_for_its_player(server: Handover) -> None:
    client = Client(server)
    await client.orders()
    await client.say(framed(Keep("client.json", b"{}")))
    await client.end()  # what was sent before is still done
    assert server.told == [KeepFile(ANA.folder, "client.json", b"{}")]


async def test_nothing_is_kept_for_a_guest(server: Handover) -> None:
    client = Client(server, HostedPlayer("192.0.2.7", "token"))
    await client.orders()
    await client.say(framed(Keep("client.json", b"{}")))
    await client.end()
    assert server.told == []


async def test_it_has_no_more_kept_than_it_may(
    server: Handover, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_line, "LAST_SECONDS", 0.0)
    client = Client(server)
    await client.orders()
    most = client_line.KEPT_BYTES_AT_ONCE // LONGEST_FILE
    for _ in range(most):
        await client.say(framed(Keep("client.json", bytes(LONGEST_FILE))))
    await client.end()
    assert len(server.told) <= most


NONSENSE = (
    b"\0\0\0\1\xff",
    LENGTH.pack(LONGEST_MESSAGE + 1),
    framed(Keep("client.json", b"{}")).replace(b"client.json", b"../../x.txt"),
    framed(Keep("client.json", bytes(LONGEST_FILE + 1))),
    b"\0\0",
)


@pytest.mark.parametrize("said", NONSENSE)
async def test_nonsense_gets_nothing(server: Handover, said: bytes) -> None:
    client = Client(server)
    await client.orders()
    await client.say(said)
    await client.say(framed(Connect()))
    await client.end()
    assert server.told == []
    server.handed.setblocking(False)  # noqa: FBT003
    with pytest.raises(BlockingIOError):
        server.take()
