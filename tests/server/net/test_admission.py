"""Who may connect: pending handshakes are few, and no prefix keeps the others out."""

import asyncio
import socket
import ssl
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from diadem_server.config import Config
from diadem_server.metrics import Metrics
from diadem_server.net import admission
from diadem_server.net.admission import Admission
from tests.patience import PATIENCE
from tests.rig.wire import Player, server
from tests.server import transport_of
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


async def test_who_has_asked_is_pending_no_longer(tmp_path: Path) -> None:
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
        answers = [await answer(app.port, UPGRADE) for _ in range(admission.ATTEMPTS + 1)]
        assert b" 503 " in answers[-2]
        assert not answers[-1]


def counting(**given: Any) -> Admission:
    config: dict[str, Any] = {"max_per_address": 1, "connections_a_second": OFTEN} | given
    return Admission(Config(Path(), **config), Metrics())


@pytest.mark.parametrize(
    ("first", "same", "other"),
    [
        ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("192.0.2.1", "::ffff:192.0.2.1", "::ffff:192.0.2.2"),
        ("2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"),
    ],
)
async def test_pending_handshakes_are_counted_by_prefix(first: str, same: str, other: str) -> None:
    counted = counting()
    assert counted.begin((first, 1))
    assert not counted.begin((same, 2))
    assert counted.begin((other, 1))
    counted.end((first, 1))
    assert counted.begin((same, 2))


async def test_addresses_of_one_prefix_may_have_the_same_port() -> None:
    counted = counting(max_per_address=2)
    ana, bob, cem = (f"2001:db8::{host}" for host in (1, 2, 3))
    assert counted.begin((ana, 1))
    assert counted.begin((bob, 1))
    assert not counted.begin((cem, 1))
    counted.end((ana, 1))
    assert counted.begin((cem, 1))
    assert not counted.begin((ana, 1))


async def test_a_proxy_brings_the_connections_of_many() -> None:
    counted = counting(connections_a_second=0.0, behind_proxy=ip_network("127.0.0.1"))
    assert all(counted.begin(("127.0.0.1", port)) for port in range(2 * admission.ATTEMPTS))


async def test_all_that_are_reset_are_counted(tmp_path: Path) -> None:
    """However many come at once."""
    crowd = 120
    async with server(tmp_path, max_per_address=50) as app, asyncio.timeout(PATIENCE):
        opened = [_open(app.port) for _ in range(crowd)]
        loop = asyncio.get_running_loop()
        waiting = [asyncio.create_task(loop.sock_recv(each, 1)) for each in opened]
        while sum(each.done() for each in waiting) < crowd - 50:
            await asyncio.wait(
                [each for each in waiting if not each.done()],
                return_when=asyncio.FIRST_COMPLETED,
            )
        assert app.lobby.metrics.turned_away == crowd - 50
        for task, each in zip(waiting, opened, strict=True):
            task.cancel()
            each.close()
        await asyncio.gather(*waiting, return_exceptions=True)


def _open(port: int) -> socket.socket:
    one = socket.socket()
    one.setblocking(False)  # noqa: FBT003, a flag of its own
    one.connect_ex(("127.0.0.1", port))
    return one


async def test_nothing_is_made_for_a_crowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No transport, no handshake: each costs the server less than it costs whoever comes."""
    loop = asyncio.get_running_loop()
    made: list[socket.socket] = []
    connect = loop.connect_accepted_socket

    async def counted(factory: Any, sock: socket.socket, **given: Any) -> Any:
        made.append(sock)
        return await connect(factory, sock, **given)

    monkeypatch.setattr(loop, "connect_accepted_socket", counted)
    async with server(tmp_path, max_per_address=MOST) as app, asyncio.timeout(PATIENCE):
        silent = [await asyncio.open_connection("127.0.0.1", app.port) for _ in range(MOST)]
        for _ in range(10 * MOST):
            assert not await answer(app.port)
        assert len(made) == MOST
        for _, writer in silent:
            writer.close()


@needs_openssl
async def test_who_never_begins_with_tls_is_pending_too(tmp_path: Path) -> None:
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
        connected = transport_of(app, ana).get_extra_info("socket")
        assert connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
