"""A move goes with the entry it was decided on, so that it is made on no other."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from diadem_client.board.pane import GamePane
from diadem_client.net.client import Client
from diadem_client.ui.screens.table import TableScreen
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Answer
from tests.client.ui.screens.rig import client
from tests.rig.wire import server

DIAMONIAK = Setup("diamoniak", options={"youngest": 0})


async def test_a_move_says_which_state_of_the_table_it_was_decided_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    ask = Client.ask

    def listen(client: Client, kind: Any, *given: Any, **named: Any) -> asyncio.Future[Answer]:
        if kind is protocol.Play:
            asked.append(given)
        return ask(client, kind, *given, **named)

    monkeypatch.setattr(Client, "ask", listen)
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=DIAMONIAK, bots=("zombie",)) as seen,
    ):
        await seen.on(TableScreen)
        await seen.reads("YOUR TURN")
        table = seen.client_state.table
        assert table is not None
        seen.app.screen.query_one(GamePane).post_message(GamePane.Played("draw"))
        await seen.until(lambda: asked)
        assert asked == [("draw", table.entry)]
