"""Whoever looks on is told so, what is said with a key reaches everybody, and nobody plays again unasked."""

from pathlib import Path

from textual.widgets import Input

from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.result import Result
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Reacted
from tests.client.ui.screens.rig import client
from tests.rig.wire import Player, server


async def test_who_looks_on_is_told_and_says_one_of_a_few_things(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port, watch=True) as seen,
    ):
        table = await bob.make(Setup("diadingo"))
        await bob.ask(protocol.AddBot, "zombie")
        await seen.on(LobbyScreen)
        await seen.reads(table)
        await seen.press("enter")
        await seen.on(TableScreen)
        await bob.ask(protocol.Start)
        await seen.reads("you look on")
        await seen.reads("You look on. Tab leads to the chat")
        await seen.press("ctrl+r")
        await seen.reads("What do you say?")
        await seen.press("down", "enter")
        said = await bob.until(
            lambda: next((each for each in bob.messages if isinstance(each, Reacted)), None)
        )
        assert (said.seat, said.kind) == (None, "good_luck")
        await bob.ask(protocol.React, "thanks")
        await seen.until(lambda: seen.client_state.table and len(seen.client_state.table.chat) == 2)
        assert seen.client_state.table is not None
        assert [each.text for each in seen.client_state.table.chat] == ["Good luck!", "Thanks!"]


async def test_two_play_again_once_both_said_so(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port) as seen,
    ):
        table = await bob.make(Setup("diamoniak"))
        await seen.on(LobbyScreen)
        await seen.reads(table)
        await seen.press("enter")
        await seen.reads("Press r when you are ready.")
        await bob.ask(protocol.Start)
        await seen.until(lambda: isinstance(seen.app.focused, Input))
        held = app.lobby.tables[table]
        held.post(held.end)
        await seen.reads("Press g to play again")
        await seen.until(lambda: isinstance(seen.app.focused, Result))
        await seen.press("g")
        await seen.reads("You would like to play again. Waiting for Bob.")
        await seen.press("g")
        await seen.reads("Press g to play again")
        await bob.ask(protocol.Again)
        await seen.reads("Bob would like to play again.")
        await seen.press("g")
        await seen.until(
            lambda: seen.client_state.table and seen.client_state.table.public.phase == "playing"
        )
        assert seen.client_state.table is not None
        assert seen.client_state.table.code != table
