"""What the page for hosts says is so: its metrics, its options, and its reverse proxy."""

import asyncio
import os
import re
import shutil
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_network
from pathlib import Path
from socket import create_server

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from diadem import protocol
from diadem.protocol import SUBPROTOCOL, Hello, Welcome
from diadem_server.command_line import OPTIONS
from diadem_server.metrics import Metrics
from tests.rig.wire import server
from tests.server.certificate import certificate
from tools.option_table import renewed

PAGE = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text()
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
PATIENCE = 20.0


def test_every_metric_is_told_and_no_other() -> None:
    told = re.findall(r"^\| `(diadem_\w+)` \|", PAGE, re.MULTILINE)
    shown = re.findall(r"^(diadem_\w+) ", str(Metrics()), re.MULTILINE)
    assert told == shown


def test_the_table_of_options_is_that_of_the_code() -> None:
    """If not: python -m tools.option_table"""
    assert renewed(PAGE) == PAGE


def test_every_option_on_the_page_exists() -> None:
    commands = re.findall(r"game-server(.*)", PAGE)
    named = {option for command in commands for option in re.findall(r"--[\w-]+", command)}
    assert named >= {"--backup", "--behind-proxy", "--tls-cert"}
    assert named <= {"--help", *(option.flag for option in OPTIONS)}


def nginx_site(port: int) -> str:
    """The site that is before this port of the server."""
    sites = re.findall(r"```nginx\n(.*?)```", PAGE, re.DOTALL)
    (found,) = (each for each in sites if f"127.0.0.1:{port};" in each)
    return str(found)


@asynccontextmanager
async def nginx(folder: Path, upstream: int, written: int = 7453) -> AsyncIterator[int]:
    """The site of the page as it stands there, but for its ports and the place of its certificate."""
    with create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    made, key = certificate(folder, "DNS:games.example.org")
    site = re.sub(r"/etc/\S+/fullchain.pem", str(made), nginx_site(written))
    site = re.sub(r"/etc/\S+/privkey.pem", str(key), site)
    site = re.sub(r"listen .*\[::\].*\n", "", site).replace(
        "listen 443", f"listen 127.0.0.1:{port}"
    )
    site = site.replace(f"127.0.0.1:{written}", f"127.0.0.1:{upstream}")
    places = "\n".join(
        f"{kind}_temp_path {folder};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid;\nerror_log {folder}/error.log;\nworker_processes 1;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}\n{site}\n}}\n"
    )
    process = await asyncio.create_subprocess_exec(
        *(str(NGINX), "-c", str(folder / "nginx.conf"), "-p", str(folder)),
        *("-e", str(folder / "error.log"), "-g", "daemon off;"),
    )
    try:
        async with asyncio.timeout(PATIENCE):
            await _listens(port)
        yield port
    finally:
        process.terminate()
        await process.wait()


async def _listens(port: int) -> None:
    while True:
        with suppress(ConnectionError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.02)


@asynccontextmanager
async def through(
    folder: Path, port: int, source: str, origin: str | None = None
) -> AsyncIterator[ClientConnection]:
    """As a client comes from that address, or the browser that shows a page of that origin."""
    async with connect(
        "wss://games.example.org",
        host="127.0.0.1",
        port=port,
        local_addr=(source, 0),
        ssl=ssl.create_default_context(cafile=folder / "cert.pem"),
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        additional_headers={"X-Forwarded-For": "198.51.100.1"},
        origin=Origin(origin) if origin else None,
    ) as line:
        yield line


@pytest.mark.skipif(NGINX is None, reason="needs nginx")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
async def test_players_come_through_nginx_each_with_an_address_of_her_own(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    here = ip_network("127.0.0.1")
    async with (
        server(tmp_path / "data", max_per_address=1, behind_proxy=here) as app,
        nginx(tmp_path, app.port) as port,
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
        async with through(tmp_path, port, "127.0.0.1", "https://games.example.org"):
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
        "127.0.0.1", port, ssl=trust, server_hostname="games.example.org"
    )
    writer.write(f"GET /{path} HTTP/1.1\r\nHost: games.example.org\r\n\r\n".encode())
    line = await reader.readline()
    writer.close()
    with suppress(ConnectionError, ssl.SSLError):
        await writer.wait_closed()
    return line.strip()
