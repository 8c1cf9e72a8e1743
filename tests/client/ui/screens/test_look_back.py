"""What was played is looked back on: at home, and at a server."""

from pathlib import Path

import pytest

from diadem.entries import Setup
from diadem_client.local.servers import LocalServers
from diadem_client.settings import SettingsStore
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.look_back import LookBackScreen
from diadem_client.ui.screens.start import StartScreen
from diadem_client.ui.screens.table import TableScreen
from tests.client.ui.screens.rig import client
from tests.rig.wire import server

pytestmark = pytest.mark.slow


async def test_a_match_is_listed_at_its_server_and_at_home(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "Ana" / "config", tmp_path / "Ana" / "state")
    async with (
        server(tmp_path) as app,
        client(
            tmp_path,
            app.port,
            servers=LocalServers(store),
            setup=Setup("diadingo", patience=None),
            bots=("zombie",),
        ) as seen,
    ):
        await seen.on(TableScreen)
        await seen.press("f8", "y")
        await seen.reads("has won")
        await seen.press("f10")
        await seen.on(LobbyScreen)
        await seen.press("k")
        await seen.on(LookBackScreen)
        await seen.reads("Diadingo")
        await seen.press("escape")
        await seen.on(LobbyScreen)
        await seen.press("escape")
        await seen.on(StartScreen)
        await seen.press("k")
        await seen.on(LookBackScreen)
        await seen.reads("Diadingo")
        await seen.press("escape")
        await seen.on(StartScreen)
