"""The board of a table: the usual one, another that comes along, or a file of one's own."""

from pathlib import Path

import pytest

from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.make import OWN, MakeScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.choice import Choice
from diadem_client.ui.widgets.field import Field
from diadem_shared.games.diamino.board import shipped_layout
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import server

pytestmark = pytest.mark.slow
SMALL = "S....\n" + 4 * ".....\n"


async def form(seen: Seen) -> Choice:
    await seen.on(LobbyScreen)
    await seen.press("m")
    await seen.on(MakeScreen)
    await seen.app.screen.query_one("#game", Choice).choose("diamino-bonus")
    await seen.until(lambda: seen.app.screen.query("#option-board"))
    return seen.app.screen.query_one("#option-board", Choice)


async def test_m2_another_board_that_comes_along_is_chosen_by_name(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await (await form(seen)).choose("leaflet")
        assert not seen.app.screen.query_one("#option-board-file").parent.display  # type: ignore[union-attr]
        await seen.press("enter")
        await seen.on(TableScreen)
        (table,) = app.lobby.tables.values()
        assert table.match.setup.options["board"] == "leaflet"
        assert shipped_layout("leaflet").name(shipped_layout("leaflet").start) == "C5"


async def test_m2_a_board_of_ones_own_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "small.txt"
    file.write_text(SMALL)
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await (await form(seen)).choose(OWN)
        await seen.press("enter")
        await seen.reads("file")  # it has no name yet
        await seen.on(MakeScreen)
        seen.app.screen.query_one("#option-board-file", Field).value = str(file)
        await seen.press("enter")
        await seen.on(TableScreen)
        (table,) = app.lobby.tables.values()
        assert table.match.setup.options["board"] == SMALL
