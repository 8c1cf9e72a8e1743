"""The server of a solo game: it runs while the client does, and two clients do not disturb each other."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from diadem_client.local.child import ServerFailed
from diadem_client.local.solo import SoloServer
from tests.rig.wire import Player

pytestmark = pytest.mark.slow


@asynccontextmanager
async def alone(folder: Path) -> AsyncIterator[SoloServer]:
    server = SoloServer(folder)
    try:
        yield server
    finally:
        await asyncio.to_thread(server.close)


async def test_it_can_be_played_at_until_it_is_closed(tmp_path: Path) -> None:
    async with alone(tmp_path) as server:
        port = await server.port()
        async with Player(port) as ana:
            assert ana.token
        assert server.is_kept
    with pytest.raises(OSError, match="Connect"):
        await Player(port).connect()


async def test_a_second_one_in_the_same_folder_plays_without_keeping(tmp_path: Path) -> None:
    async with alone(tmp_path) as first:
        port = await first.port()
        async with alone(tmp_path) as second:
            assert await second.port() != port
        assert (first.is_kept, second.is_kept) == (True, False)


async def test_one_that_cannot_be_started_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    async with alone(tmp_path) as server:
        with pytest.raises(ServerFailed):
            await server.port()
