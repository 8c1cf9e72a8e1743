"""Over the server's own TLS: handshakes that are never finished keep nobody out, and end."""

import asyncio
import socket
import ssl
import sys
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from diadem_server import cli
from diadem_server.app import App
from diadem_server.config import Config
from diadem_shared.protocol import SUBPROTOCOL, Hello, Welcome, pack, read_message
from tests.patience import PATIENCE
from tests.rig.wire import server
from tests.server import Time
from tests.server.certificate import certificate, needs_openssl

pytestmark = needs_openssl

MOST = 10
CROWD = 10 * MOST
ELSEWHERE = "127.0.0.2"
HALF_A_HELLO = bytes.fromhex("160301020001")
HANDSHAKE_SECONDS = 10.0


async def hold(app: App, said: bytes, source: str) -> socket.socket:
    """A connection that begins a handshake of TLS and never goes on; or one that is reset at once."""
    held = socket.socket()
    held.setblocking(False)  # noqa: FBT003, a flag of its own
    held.bind((source, 0))
    loop = asyncio.get_running_loop()
    with suppress(ConnectionError):
        await loop.sock_connect(held, ("127.0.0.1", app.port))
        await loop.sock_sendall(held, said)
    return held


async def ended(held: socket.socket) -> None:
    with suppress(OSError):  # it was reset, perhaps before it was even connected
        while await asyncio.get_running_loop().sock_recv(held, 4096):
            pass
    held.close()


async def comes_in(app: App, trust: ssl.SSLContext) -> None:
    async with connect(
        f"wss://127.0.0.1:{app.port}", ssl=trust, subprotocols=[Subprotocol(SUBPROTOCOL)]
    ) as line:
        await line.send(pack(Hello("Ana")))
        assert isinstance(read_message(await line.recv()), Welcome)


@pytest.mark.parametrize("said", [b"", HALF_A_HELLO], ids=["nothing", "half a hello"])
async def test_handshakes_held_open_are_counted_and_others_come_in(
    tmp_path: Path, said: bytes
) -> None:
    made, key = certificate(tmp_path)
    trust = ssl.create_default_context(cafile=made)
    async with (
        server(tmp_path, tls_cert=made, tls_key=key, max_per_address=MOST) as app,
        asyncio.timeout(PATIENCE),
    ):
        crowd = [await hold(app, said, ELSEWHERE) for _ in range(CROWD)]
        await comes_in(app, trust)
        await asyncio.gather(*(ended(each) for each in crowd[MOST:]))
        assert app.lobby.metrics.turned_away == CROWD - MOST
        for each in crowd[:MOST]:
            each.close()


async def test_a_handshake_that_is_never_finished_ends_in_time(tmp_path: Path, time: Time) -> None:
    made, key = certificate(tmp_path)
    trust = ssl.create_default_context(cafile=made)
    async with (
        server(tmp_path, tls_cert=made, tls_key=key, max_per_address=MOST) as app,
        asyncio.timeout(PATIENCE + 2 * HANDSHAKE_SECONDS),
    ):
        crowd = [await hold(app, HALF_A_HELLO, "127.0.0.1") for _ in range(MOST)]
        await ended(await hold(app, b"", "127.0.0.1"))  # for one more there is no room
        time.goes_on(HANDSHAKE_SECONDS)
        await asyncio.gather(*map(ended, crowd))
        await comes_in(app, trust)


@pytest.mark.parametrize("has_tls", [True, False])
def test_a_faster_loop_is_used_where_it_is_installed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_tls: bool,  # noqa: FBT001
) -> None:
    served: list[Config] = []

    async def serve(config: Config, **_: bool) -> None:
        served.append(config)
        assert type(asyncio.get_running_loop()) is Faster

    monkeypatch.setitem(sys.modules, "uvloop", Faster)
    monkeypatch.setattr(cli, "serve", serve)
    monkeypatch.setattr(cli, "write_log", lambda *_, **__: None)
    made, key = certificate(tmp_path)
    given = ["--tls-cert", str(made), "--tls-key", str(key)] if has_tls else []
    cli.main(["--data", str(tmp_path), *given])
    assert len(served) == 1


class Faster(asyncio.SelectorEventLoop):
    """Stands in for uvloop."""

    @staticmethod
    def run(main: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=Faster) as runner:
            runner.run(main)
