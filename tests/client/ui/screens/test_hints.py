"""A key at the table tells what the strongest bot would do, and prepares it; another one why bots moved so."""

from pathlib import Path

import pytest

from diadem_client.board import registry
from diadem_client.games import GAMES
from diadem_client.state.client_state import ClientState
from diadem_client.ui.screens.help import ReasonsScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.games.diadingo.table import Tried
from tests.client.ui.screens.rig import client
from tests.rig.wire import Player, server

pytestmark = pytest.mark.slow


async def test_a_hint_is_told_and_can_be_played_and_the_result_tells_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 60x20, so that nothing of it covers the board."""
    monkeypatch.setattr(registry, "GAMES", GAMES)
    setup = Setup("diadingo", {"play": "marked"})
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=setup, bots=("zombie",), size=(60, 20)) as seen,
    ):
        await seen.on(TableScreen)
        await seen.until(lambda: seen.client_state.table and seen.client_state.table.my_turn)
        await seen.press("ctrl+g")
        await seen.reads("1/3 take ")
        first = seen.notice()
        await seen.press("ctrl+g")
        await seen.reads("2/3 take ")
        await seen.press("ctrl+g", "ctrl+g")
        await seen.reads(first[:12])
        await seen.press("enter")
        await seen.until(lambda: _took(seen.client_state) == first.split()[2].rstrip(":"))
        assert seen.client_state.table is not None
        assert seen.client_state.table.public.hints == (1, 0)
        client_ = seen.app.client
        assert client_ is not None
        await client_.ask(protocol.HandOver, "perfect")
        await seen.reads("Hints given: Ana 1.")
        await seen.press("w")
        await seen.on(ReasonsScreen)
        await seen.reads("Remembers nothing, and takes any.")
        await seen.press("escape")
        await seen.on(TableScreen)


def _took(client_state: ClientState) -> str:
    """The spot that Ana has taken."""
    table = client_state.table
    events = [line.event for line in table.log] if table else []
    return next((each.spot for each in events if isinstance(each, Tried) and each.seat == 0), "")


async def test_where_others_play_the_key_says_why_not(tmp_path: Path) -> None:
    async with server(tmp_path) as app, Player(app.port, "Bob") as bob:
        table = await bob.make(Setup("diamoniak"))
        async with client(tmp_path, app.port, table=table) as seen:
            await seen.on(TableScreen)
            await seen.until(lambda: seen.client_state.table is not None)
            assert seen.app.client is not None
            await seen.app.client.ask(protocol.Sit)
            await bob.ask(protocol.Start)
            await seen.until(lambda: seen.client_state.table and seen.client_state.table.view)
            await seen.press("ctrl+g")
            await seen.reads("This table gives no hints while others play.")
