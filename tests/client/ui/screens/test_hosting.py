"""A server of one's own, from the menu: what others type, and what becomes of it."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from diadem_client.local.servers import LocalServers
from diadem_client.settings import SettingsStore
from diadem_client.ui.screens.host import HostScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.start import StartScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.dialogs import SelectDialog
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import Player

pytestmark = pytest.mark.slow


class Hosting:
    def __init__(self, seen: Seen, servers: LocalServers) -> None:
        self.seen = seen
        self.servers = servers

    @property
    def port(self) -> int:
        assert self.servers.host is not None
        assert self.servers.host.open_port is not None
        return self.servers.host.open_port


@asynccontextmanager
async def hosting(tmp_path: Path) -> AsyncIterator[Hosting]:
    servers = LocalServers(SettingsStore(tmp_path / "config", tmp_path / "state"))
    try:
        async with client(tmp_path, menu=True, servers=servers) as seen:
            await seen.on(StartScreen)
            await seen.press("h")
            await seen.on(HostScreen)
            await seen.reads("Your server is open.")
            yield Hosting(seen, servers)
    finally:
        await asyncio.to_thread(servers.close)


async def test_others_come_to_a_table_of_ones_own_server(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        seen = host.seen
        await seen.press("enter")
        await seen.on(LobbyScreen)
        await seen.press("m", "enter")
        await seen.on(TableScreen)
        assert seen.client_state.table is not None
        async with Player(host.port, "Bob") as bob:
            await bob.join(seen.client_state.table.code)
            await seen.reads("Bob")
        assert (
            seen.app.settings.servers == ()
        )  # the next start has it at another port, or not at all


async def test_it_stays_open_while_one_is_elsewhere_and_is_ended_by_a_key(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        seen, port = host.seen, host.port
        await seen.press("escape")
        await seen.on(StartScreen)
        await seen.reads("your server is open")
        async with Player(port, "Bob") as bob:
            assert bob.token
        await seen.press("h")
        await seen.on(HostScreen)
        assert host.port == port
        await seen.press("x")
        await seen.reads("Your server has ended.")
        await seen.until(lambda: host.servers.host is None)
        await seen.app.workers.wait_for_complete()
        with pytest.raises(OSError, match="Connect"):
            await Player(port).connect()


async def test_who_quits_is_asked_and_can_think_better_of_it(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        await host.seen.press("ctrl+q")
        await host.seen.on(SelectDialog)
        await host.seen.press("escape")
        await host.seen.on(HostScreen)
        assert host.servers.host is not None


async def test_it_can_run_on_without_its_host(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        server, port = host.servers.host, host.port
        assert server is not None
        try:
            await host.seen.press("ctrl+q")
            await host.seen.on(SelectDialog)
            await host.seen.press("down", "enter")
            await host.seen.until(lambda: f"kill {server.pid}" in host.seen.app.farewell)
            assert host.servers.host is None
            async with Player(port, "Bob") as bob:
                assert bob.token
        finally:
            with suppress(ProcessLookupError):
                os.kill(server.pid, signal.SIGTERM)
            await asyncio.to_thread(server.close)
