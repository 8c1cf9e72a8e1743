"""A game that this client has never heard of is agreed on, looked at, and played by typed moves, to the end."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Input

from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.make import MakeScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.choice import Choice
from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.client.ui.screens.rig import client
from tests.rig.wire import Player

SERVER = """
import asyncio, sys
from pathlib import Path
from typing import Annotated
from msgspec import Meta, defstruct
from diadem_shared.games import GAMES
from tests.rig.wire import server
from tests.sample_game import Numbers

async def run():
    GAMES["numbers"] = Numbers()
    tempo = ("tempo", Annotated[int, Meta(ge=7, le=8)], 7)
    newer = defstruct("Options", [tempo], bases=(GAMES["diadingo"].options_type,), frozen=True, kw_only=True)
    type(GAMES["diadingo"]).options_type = newer
    async with server(Path(sys.argv[1])) as app:
        print(app.port, flush=True)
        await asyncio.Event().wait()

asyncio.run(run())
"""
"""A process of its own, so that only the server knows the game, and what else it asks in Diadingo."""


@asynccontextmanager
async def strange_server(folder: Path) -> AsyncIterator[int]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVER, str(folder)),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[4],
    )
    assert process.stdout is not None
    try:
        yield int(await process.stdout.readline())
    finally:
        process.kill()
        await process.wait()


@pytest.mark.slow
async def test_it_is_made_from_its_description_and_played_in_words(tmp_path: Path) -> None:
    async with strange_server(tmp_path) as port, client(tmp_path, port) as seen:
        await seen.on(LobbyScreen)
        await seen.until(lambda: seen.app.client and not seen.app.client.session.pending)
        await seen.press("m")
        await seen.on(MakeScreen)
        game = seen.app.screen.query_one("#game", Choice)
        while game.value != "diadingo":
            await seen.press("right")
        await seen.reads("tempo")
        while game.value != "numbers":
            await seen.press("right")
        await seen.reads("highest")
        await seen.press("enter")
        await seen.on(TableScreen)
        await seen.reads("numbers")
        await seen.press("b", "enter")
        await seen.reads("bot: halver")
        await seen.press("s")
        # the bot may be right at once
        await seen.until(
            lambda: "won" in (text := seen.screen_text) or ("low: " in text and "guess 5" in text)
        )
        guess = 0
        while "won" not in seen.screen_text:
            table = seen.client_state.table
            assert table is not None
            if table.view is not None and table.my_turn and table.view.public["low"] > guess:
                guess = table.view.public["low"]
                await seen.enters(f"guess {guess}")
            await seen.pilot.pause(0.01)


@pytest.mark.slow
async def test_it_is_looked_on_and_the_server_says_what_is_no_move(tmp_path: Path) -> None:
    async with strange_server(tmp_path) as port, Player(port, "Bob") as bob:
        table = await bob.make(Setup("numbers"))
        async with client(tmp_path, port, table=table) as seen:
            await seen.on(TableScreen)
            await seen.until(lambda: seen.app.client and not seen.app.client.session.pending)
            assert seen.app.client is not None
            await seen.app.client.ask(protocol.Sit)
            await bob.seen(lambda view: len(view.public["players"]) == 2)
            await bob.ask(protocol.Start)
            await seen.reads("high: 9")
            if bob.view is not None and bob.view.public["actors"] == [0]:
                await bob.play("guess 1")
            await seen.until(
                lambda: (
                    seen.client_state.table
                    and (seen.client_state.table.my_turn or "won" in seen.screen_text)
                )
            )
            if seen.client_state.table and seen.client_state.table.my_turn:
                await seen.enters("castle to e4")
                await seen.reads("I cannot read that.")
                assert seen.app.screen.query_one("LinePane Input", Input).value == "castle to e4"
