"""What the pages for hosts say is so: its metrics, its options, and its reverse proxy."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_network
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from diadem_server.command_line import OPTIONS
from diadem_server.metrics import Metrics
from diadem_shared import protocol
from diadem_shared.protocol import SUBPROTOCOL, Hello, Welcome
from tests.pages import HOSTING
from tests.rig.wire import server
from tests.server.certificate import needs_openssl
from tests.web.nginx import GAME, NAME, needs_nginx, nginx
from tools.option_table import PAGE, renewed


def test_every_metric_is_told_and_no_other() -> None:
    told = re.findall(r"^\| `(diadem_\w+)` \|", HOSTING, re.MULTILINE)
    shown = re.findall(r"^(diadem_\w+) ", str(Metrics()), re.MULTILINE)
    assert told == shown


def test_the_table_of_options_is_that_of_the_code() -> None:
    """If not: python -m tools.option_table"""
    page = PAGE.read_text()
    assert renewed(page) == page


def test_every_option_on_the_pages_exists() -> None:
    commands = re.findall(r"game-server(.*)", HOSTING)
    named = {option for command in commands for option in re.findall(r"--[\w-]+", command)}
    assert named >= {"--backup", "--behind-proxy", "--tls-cert"}
    assert named <= {"--help", *(option.flag for option in OPTIONS)}


@asynccontextmanager
async def through(
    folder: Path, port: int, source: str, origin: str | None = None
) -> AsyncIterator[ClientConnection]:
    """As a client comes from that address, or the browser that shows a page of that origin."""
    async with connect(
        f"wss://{NAME}",
        host="127.0.0.1",
        port=port,
        local_addr=(source, 0),
        ssl=ssl.create_default_context(cafile=folder / "cert.pem"),
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        additional_headers={"X-Forwarded-For": "198.51.100.1"},
        origin=Origin(origin) if origin else None,
    ) as line:
        yield line


@needs_openssl
@needs_nginx
async def test_players_come_through_nginx_each_with_an_address_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    here = ip_network("127.0.0.1")
    async with (
        server(tmp_path / "data", max_per_address=1, behind_proxy=here) as app,
        nginx(tmp_path, app.port, GAME) as port,
    ):
        async with through(tmp_path, port, "127.0.0.1") as ana:
            await ana.send(protocol.pack(Hello("Ana")))
            assert isinstance(protocol.read_message(await ana.recv()), Welcome)
            async with through(tmp_path, port, "127.0.0.2") as bob:
                await bob.send(protocol.pack(Hello("Bob")))
                assert isinstance(protocol.read_message(await bob.recv()), Welcome)
            with pytest.raises(InvalidStatus) as full:
                async with through(tmp_path, port, "127.0.0.1"):
                    pass
            assert full.value.response.status_code == 503
        async with through(tmp_path, port, "127.0.0.1", f"https://{NAME}"):
            pass
        with pytest.raises(InvalidStatus) as foreign:
            async with through(tmp_path, port, "127.0.0.1", "https://evil.example"):
                pass
        assert foreign.value.response.status_code == 403
        for path in ("metrics", "healthz", "anything"):
            assert await _status(tmp_path, port, path) == b"HTTP/1.1 404 Not Found"
        assert await _status(tmp_path, port, "") == b"HTTP/1.1 426 Upgrade Required"


async def _status(folder: Path, port: int, path: str) -> bytes:
    trust = ssl.create_default_context(cafile=folder / "cert.pem")
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=trust, server_hostname=NAME
    )
    writer.write(f"GET /{path} HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode())
    line = await reader.readline()
    writer.close()
    with suppress(ConnectionError, ssl.SSLError):
        await writer.wait_closed()
    return line.strip()
