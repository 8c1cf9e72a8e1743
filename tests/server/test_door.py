"""Connections that say nothing: a few may stand at the door, and none keeps others out for ever."""

import asyncio
import socket
import ssl
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path

import pytest
from websockets.exceptions import WebSocketException

from diadem_server import door
from diadem_server.door import Door
from diadem_server.line import Line
from tests.rig.wire import PATIENCE, Player, server
from tests.server.certificate import certificate, needs_openssl

MOST = 3
HEALTHZ = b"GET /healthz HTTP/1.1\r\n\r\n"
UPGRADE = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
OFTEN = 1e6


async def answer(
    port: int, question: bytes = HEALTHZ, trust: ssl.SSLContext | None = None
) -> bytes:
    """Its first line; nothing if one is hung up on."""
    with suppress(ConnectionError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trust)
        try:
            writer.write(question)
            first = await reader.readline()
            await reader.read()
            return first
        finally:
            writer.close()
    return b""


async def test_a_crowd_that_says_nothing_is_cut_off_and_others_get_in(tmp_path: Path) -> None:
    async with server(tmp_path, max_per_address=MOST) as app, asyncio.timeout(PATIENCE):
        silent = [await asyncio.open_connection("127.0.0.1", app.port) for _ in range(MOST)]
        assert not await answer(app.port)
        for _, quiet in silent:
            quiet.transport.abort()
        while True:
            # The server hears that they have gone when its loop comes round to it.
            try:
                async with Player(app.port, "Ana") as ana:
                    assert ana.token
                    return
            except (ConnectionError, WebSocketException):
                continue


async def test_who_has_asked_stands_at_the_door_no_longer(tmp_path: Path) -> None:
    async with server(tmp_path, max_per_address=MOST) as app:
        players = [Player(app.port, name) for name in ("Ana", "Bob", "Cem")]
        for player in players:
            await player.connect()
        for player in players:
            await player.disconnect()
        async with Player(app.port, "Dee") as dee:
            assert dee.token


async def test_who_comes_again_and_again_is_not_even_answered(tmp_path: Path) -> None:
    """Some are let in, some are told that they are too many, the rest is hung up on."""
    async with server(tmp_path, max_per_address=1, connections_a_second=0.0) as app:
        answers = [await answer(app.port, UPGRADE) for _ in range(door.KNOCKS + 1)]
        assert b" 503 " in answers[-2]
        assert not answers[-1]


async def test_room_is_counted_by_address() -> None:
    counted = Door(1, OFTEN)
    assert counted.come(("a", 1))
    assert counted.come(("a", 1)), "who stands there already"
    assert not counted.come(("a", 2))
    assert counted.come(("b", 1))
    counted.go(("a", 1))
    assert counted.come(("a", 2))


async def test_a_proxy_comes_with_the_connections_of_many() -> None:
    counted = Door(1, 0.0, ip_network("127.0.0.1"))
    assert all(counted.come(("127.0.0.1", port)) for port in range(2 * door.KNOCKS))


async def test_nothing_is_made_for_a_crowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Line] = []
    comes = Line.connection_made

    def counted(line: Line, transport: asyncio.BaseTransport) -> None:
        made.append(line)
        comes(line, transport)

    monkeypatch.setattr(Line, "connection_made", counted)
    async with server(tmp_path, max_per_address=MOST) as app, asyncio.timeout(PATIENCE):
        silent = [await asyncio.open_connection("127.0.0.1", app.port) for _ in range(MOST)]
        for _ in range(10 * MOST):
            assert not await answer(app.port)
        assert len(made) == MOST
        for _, writer in silent:
            writer.close()


@needs_openssl
async def test_who_never_begins_with_tls_stands_at_the_door_too(tmp_path: Path) -> None:
    made, key = certificate(tmp_path)
    async with (
        server(tmp_path, tls_cert=made, tls_key=key, max_per_address=MOST) as app,
        asyncio.timeout(PATIENCE),
    ):
        silent = [await asyncio.open_connection("127.0.0.1", app.port) for _ in range(MOST)]
        assert not await answer(app.port)
        for _, quiet in silent:
            quiet.transport.abort()
        trust = ssl.create_default_context(cafile=made)
        while not await answer(app.port, trust=trust):
            pass  # the server has not heard yet that they have gone


async def test_what_is_sent_is_not_kept_back(tmp_path: Path) -> None:
    """Or else a small message waits for the other side to confirm the one before: 40 ms a move."""
    async with server(tmp_path) as app, Player(app.port, "Ana") as ana:
        session = app.hall.sessions.known(ana.token)
        assert session is not None
        assert session.outbox is not None
        line = session.outbox._websocket.transport.get_extra_info("socket")
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
