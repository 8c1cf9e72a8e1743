"""Where a server listens: on every address that it is told to, under one port; and who is accepted there."""

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from diadem_server.net import listener
from diadem_server.net.listener import Listener, Peer, open_sockets
from tests.patience import PATIENCE

HOME = (socket.AF_INET, ("127.0.0.1", 0))
HOME_6 = (socket.AF_INET6, ("::1", 0, 0, 0))
ELSEWHERE = (socket.AF_INET, ("192.0.2.1", 0))
"""No machine has that address."""
NOT_SPOKEN = (9_999, ("anywhere", 0))
"""A kind of network that there is not."""

Found = tuple[int, tuple[Any, ...]]


async def listening_on(
    monkeypatch: pytest.MonkeyPatch, *found: Found, port: int = 0
) -> list[tuple[Any, ...]]:
    async def getaddrinfo(*_: object, **__: object) -> list[tuple[Any, ...]]:
        return [(family, socket.SOCK_STREAM, 0, "", address) for family, address in found]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    opened = await open_sockets(None, port)
    names = [each.getsockname() for each in opened]
    for each in opened:
        each.close()
    return names


async def test_all_addresses_have_one_port(monkeypatch: pytest.MonkeyPatch) -> None:
    names = await listening_on(monkeypatch, HOME, HOME_6)
    assert [name[0] for name in names] == ["127.0.0.1", "::1"]
    assert names[0][1] == names[1][1] != 0


@pytest.mark.parametrize("missing", [ELSEWHERE, NOT_SPOKEN])
async def test_a_machine_without_one_kind_of_network_opens_the_other(
    monkeypatch: pytest.MonkeyPatch, missing: Found
) -> None:
    assert [name[0] for name in await listening_on(monkeypatch, missing, HOME)] == ["127.0.0.1"]


async def test_where_nothing_can_be_opened_the_reason_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(OSError, match=str(errno.EADDRNOTAVAIL)):
        await listening_on(monkeypatch, ELSEWHERE)


async def test_a_port_in_use_is_told_whatever_else_could_be_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=str(errno.EADDRINUSE)):
            await listening_on(monkeypatch, HOME_6, HOME, port=port)


# Accepting


@asynccontextmanager
async def accepting(
    begin: Callable[[Peer], bool],
) -> AsyncIterator[tuple[int, list[Peer | None]]]:
    """The port, and who was accepted; each is told so with one byte."""
    accepted: list[Peer | None] = []

    async def connect(taken: socket.socket, peer: Peer | None) -> None:
        accepted.append(peer)
        taken.send(b"!")
        taken.close()

    (opened,) = await open_sockets("127.0.0.1", 0)
    port = opened.getsockname()[1]
    listening = Listener(opened, begin, connect)
    async with asyncio.timeout(PATIENCE):
        yield port, accepted
    await listening.close()
    assert opened.fileno() == -1


async def told(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        return await reader.read()
    finally:
        writer.close()


async def test_who_may_begin_is_accepted_and_others_are_reset() -> None:
    may = [True, False, True]
    async with accepting(lambda _: may.pop(0)) as (port, accepted):
        assert await told(port) == b"!"
        with pytest.raises(ConnectionResetError):
            await told(port)
        assert await told(port) == b"!"
        assert [peer and peer[0] for peer in accepted] == ["127.0.0.1"] * 2


async def test_one_is_accepted_in_each_turn_of_the_loop() -> None:
    """However many wait: others have theirs in between."""
    turns, accepted_at = [0], list[int]()
    loop = asyncio.get_running_loop()

    def turn() -> None:
        turns[0] += 1
        loop.call_soon(turn)

    def begin(_: Peer) -> bool:
        accepted_at.append(turns[0])
        return False

    async with accepting(begin) as (port, _):
        turn()
        crowd = [socket.create_connection(("127.0.0.1", port)) for _ in range(5)]
        for each in crowd:
            each.setblocking(False)  # noqa: FBT003, a flag of its own
        ended = [asyncio.get_running_loop().sock_recv(each, 1) for each in crowd]
        assert all(await asyncio.gather(*ended, return_exceptions=True))
        for each in crowd:
            each.close()
    assert len(set(accepted_at)) == len(crowd)


async def test_where_the_system_has_no_room_it_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loop = asyncio.get_running_loop()
    accept, troubles = loop.sock_accept, [OSError(errno.EMFILE, "too many"), ConnectionError()]

    async def full(sock: socket.socket) -> Any:
        if troubles:
            raise troubles.pop()
        return await accept(sock)

    monkeypatch.setattr(listener, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(loop, "sock_accept", full)
    async with accepting(lambda _: True) as (port, _):
        assert await told(port) == b"!"
    assert [record.levelname for record in caplog.records] == ["ERROR"], "one line, for the host"


async def test_once_it_is_closed_nobody_gets_in() -> None:
    async with accepting(lambda _: True) as (port, _):
        pass
    with pytest.raises(ConnectionRefusedError):
        await told(port)
