"""Screens on a server that says more than anybody knows yet: what is known works, the rest is shown by its name."""

from pathlib import Path

import pytest

from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.make import MakeScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.choice import Choice
from diadem_shared import protocol
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from tests.client.ui.screens.rig import client
from tests.rig.later_server import GAME, LEVEL, OPTION, later_server
from tests.rig.wire import server


@pytest.mark.slow
@pytest.mark.parametrize("game", ["diadingo", "diamino-bonus", "piratatak"])
async def test_a_match_is_made_and_played_and_looked_at(game: str, tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        later_server(app.port) as later,
        client(tmp_path, later.port, size=(120, 40)) as seen,
    ):
        await seen.on(LobbyScreen)
        await seen.reads(GAME)
        await seen.until(lambda: seen.app.client and not seen.app.client.session.pending)
        await seen.press("m")
        await seen.on(MakeScreen)
        chosen = seen.app.screen.query_one("#game", Choice)
        while chosen.value != game:
            await seen.press("right")
        await seen.reads(OPTION)
        await seen.press("enter")
        await seen.on(TableScreen)
        await seen.press("b", "enter")
        await seen.reads(LEVEL)
        await seen.press("s")
        await seen.until(lambda: seen.client_state.table and seen.client_state.table.view)
        await seen.reads("sneezed")
        assert seen.app.client is not None
        await seen.app.client.ask(protocol.HandOver, [*GAMES[game].bots][1])
        await seen.until(
            lambda: seen.client_state.table and seen.client_state.table.public.phase is Phase.OVER
        )
        await seen.idle()
        await seen.reads("won")
