"""The servers that a client starts: one for each purpose, and none is forgotten."""

import asyncio
from pathlib import Path

import pytest

from diadem_client.local.servers import LocalServers
from diadem_client.settings import SettingsStore

pytestmark = pytest.mark.slow


async def test_all_of_them_end_together(tmp_path: Path) -> None:
    servers = LocalServers(SettingsStore(tmp_path / "config", tmp_path / "state"))
    solo, host = servers.start_solo("diamoniak"), servers.start_host("Ana's", lambda: None)
    assert await solo.port() != await host.port()
    await asyncio.to_thread(servers.close)
    assert not solo.is_running
    assert not host.is_running
    assert servers.solo is None
    assert servers.host is None
