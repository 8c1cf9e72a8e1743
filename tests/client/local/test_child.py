"""A server that a client starts: it ends with the client, or stays if it is told to."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from diadem_client.local.child import ChildServer
from tests.rig.wire import Player

pytestmark = pytest.mark.slow

OPTIONS = ("--host", "127.0.0.1", "--port", "0", "--no-announce")


async def test_it_ends_when_it_is_closed(tmp_path: Path) -> None:
    server = ChildServer(*OPTIONS, "--data", str(tmp_path))
    port = await server.port()
    assert server.is_running
    await asyncio.to_thread(server.close)
    assert not server.is_running
    with pytest.raises(OSError, match="Connect"):
        await Player(port).connect()


async def test_it_stays_if_it_is_told_to(tmp_path: Path) -> None:
    server = ChildServer(*OPTIONS, "--data", str(tmp_path))
    try:
        port = await server.port()
        server.leave_running()
        for name in ("Ana", "Bob"):
            async with Player(port, name) as player:
                assert player.token
        assert server.is_running
    finally:
        with suppress(ProcessLookupError):
            os.kill(server.pid, signal.SIGTERM)
        await asyncio.to_thread(server.close)


async def test_no_module_comes_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "signal.py").write_text("open('has_run', 'w')")
    monkeypatch.chdir(tmp_path)
    server = ChildServer(*OPTIONS, "--data", str(tmp_path / "data"))
    await server.port()
    await asyncio.to_thread(server.close)
    assert not (tmp_path / "has_run").exists()
