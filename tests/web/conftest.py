"""A browser and a server for the tests of a module, and who plays in them."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.rig.gates import GateHost
from tests.rig.wire import Player
from tests.web.browser import Browser, browser
from tests.web.rig import host
from tests.web.visiting import NUMBERS


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    async with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def chromium(started: Browser) -> AsyncIterator[Browser]:
    """Every test has windows of its own in it, with cookies of their own."""
    yield started
    await started.close_windows()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def at(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[GateHost]:
    async with host(tmp_path_factory.mktemp("data")) as running:
        yield running


FOREIGN = b"""HTTP/1.1 200 OK\r
Content-Type: text/html\r
Referrer-Policy: no-referrer\r
Connection: close\r
\r
<script>location = location.search.slice(1)</script>
"""


@pytest_asyncio.fixture(loop_scope="module")
async def foreign_page() -> AsyncIterator[str]:
    """A page of another site, which leads to the address that stands behind it."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(FOREIGN)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://localhost:{server.sockets[0].getsockname()[1]}/?"


@pytest_asyncio.fixture(loop_scope="module")
async def bob(at: GateHost) -> AsyncIterator[Player]:
    """They play over the wire."""
    async with Player(at.app.port, f"Bob{next(NUMBERS)}") as player:
        yield player
