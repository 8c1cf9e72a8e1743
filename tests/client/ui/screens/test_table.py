"""The table screen: before the start, while a round runs, and after it."""

import re
from pathlib import Path

import pytest
from textual.widgets import Input

from diadem_client.board import registry
from diadem_client.games.diadingo import DIADINGO
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.log import Log
from diadem_client.ui.widgets.result import Result
from diadem_client.ui.widgets.waiting_room import Gathering
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.game import View
from diadem_shared.games import GAMES
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import Player, lasting_port, play_to_the_end, server

DIAMONIAK = Setup("diamoniak", options={"youngest": 0})


async def play_on(seen: Seen) -> None:
    """Enter what a bot would, until the round is over."""
    moved = 0
    while not seen.app.screen.query_one(Result).display:
        table = seen.client_state.table
        assert table is not None
        if table.my_turn and table.view is not None and table.entry > moved:
            moved = table.entry
            mind = table.game.bots["strong"](Chance(b"Ana"))
            view = View(table.seat, table.view.public, table.view.private)
            await seen.enters(table.game.notate(mind.choose(view)))
        await seen.pilot.pause(0.01)


async def test_two_get_ready_and_begin(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port) as seen,
    ):
        await bob.make(DIAMONIAK)
        await seen.reads("Bob")
        await seen.press("enter")
        await seen.on(TableScreen)
        await seen.reads("decides for the table")
        await seen.reads("Press r when you are ready.")  # who comes looks on, and then sits down
        await seen.press("r")
        await seen.reads("Waiting for Bob to be ready.")
        await seen.press("r")
        await seen.reads("Press r when you are ready.")
        await seen.press("r")
        await bob.ask(protocol.Ready, ready=True)
        await seen.reads("waiting for Bob")


async def test_the_maker_seats_and_removes_bots_and_changes_terms(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await seen.press("m", "enter")
        await seen.on(TableScreen)
        table = seen.client_state.table
        assert table is not None
        assert table.public.setup == Setup(next(iter(GAMES)))
        assert isinstance(seen.app.focused, Gathering)
        await seen.press("b", "enter")
        await seen.reads("bot: cautious")
        table = seen.client_state.table
        assert table is not None
        name = table.names[1]
        await seen.press("x")
        await seen.reads(f"{name} (bot: cautious)")
        await seen.press("enter")
        await seen.reads(f"{name} gives up the seat.")
        await seen.press("o", "down", "down", "right", "enter")
        await seen.reads("2 rounds")
        await seen.press("s")
        await seen.reads("It takes 2 players.")
        await seen.press("b", "down", "enter", "s")
        await seen.reads("round 1/2")


async def test_a_move_that_is_refused_stays_to_be_mended_and_chat_is_a_tab_away(
    tmp_path: Path,
) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=DIAMONIAK, bots=("zombie",)) as seen,
    ):
        await seen.reads("YOUR TURN")
        await seen.types("stop")
        await seen.press("enter")
        await seen.reads("You cannot stop yet: draw a card first.")
        assert seen.app.screen.query_one("LinePane Input", Input).value == "stop"
        await seen.types("zz")
        assert seen.app.screen.query_one("LinePane Input", Input).value == "zz"
        await seen.press("enter")
        await seen.reads("I cannot read that.")
        await seen.press("up", "up")
        assert seen.app.screen.query_one("LinePane Input", Input).value == "stop"
        await seen.press("tab")
        await seen.until(lambda: seen.app.focused is seen.app.screen.query_one("#say"))
        await seen.types("hello all")
        await seen.press("enter")
        await seen.reads("Ana: hello all")
        await seen.press("tab")
        await seen.until(lambda: "Ana: hello all" not in seen.screen_text)
        await seen.until(lambda: seen.app.focused is not seen.app.screen.query_one("#say"))
        await seen.types("!")
        assert seen.app.screen.query_one("LinePane Input", Input).value == "stop!"


async def test_every_reason_against_a_move_is_read(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=Setup("diamino-rummy"), bots=("zombie",)) as seen,
    ):
        await seen.on(TableScreen)
        await seen.until(lambda: seen.client_state.table and seen.client_state.table.my_turn)
        await seen.types("lay A1 across QQQQ")
        await seen.press("enter")
        await seen.reads_whole("Use the tiles of your hand.")
        await seen.reads_whole("The first word has to begin on H8.")
        await seen.reads_whole("The list does not know QQQQ.")


async def test_where_there_is_room_log_and_chat_stand_open(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, size=(120, 40), setup=DIAMONIAK, bots=("zombie",)) as seen,
    ):
        await seen.reads("YOUR TURN")
        await seen.reads("A round begins.")
        await seen.reads("chat, or /word")
        await seen.pilot.resize_terminal(80, 24)
        await seen.until(lambda: "chat, or /word" not in seen.screen_text)


async def test_a_seat_that_was_left_handed_over_or_given_up_is_found_again(tmp_path: Path) -> None:
    setup = Setup("diamoniak", options={"youngest": 0}, private=True)
    async with (
        server(tmp_path, bot_pause=60.0) as app,
        client(tmp_path, app.port, setup=setup, bots=("strong",)) as seen,
    ):
        await seen.reads("YOUR TURN")
        await seen.press("f10")
        await seen.on(LobbyScreen)
        await seen.reads("is kept. Press b to go back to it.")
        await seen.press("b")
        await seen.reads("YOUR TURN")
        await seen.press("f2", "enter")
        await seen.reads("You let a bot play")
        await seen.press("f2")
        await seen.reads("You are back.")
        await seen.press("f8", "n")
        await seen.press("f8", "y")
        await seen.reads("Ana gives up; a bot plays on.")
        await seen.reads("F2 play on")
        await seen.press("f2")
        await seen.reads("YOUR TURN")


async def test_space_hurries_what_the_server_waits_for(tmp_path: Path) -> None:
    setup = Setup("diamoniak", options={"youngest": 1})
    async with (
        server(tmp_path, bot_pause=60.0) as app,
        client(tmp_path, app.port, pace="slow", setup=setup, bots=("zombie",)) as seen,
    ):
        await seen.until(lambda: seen.client_state.table and seen.client_state.table.view)
        await seen.press("space")
        assert "You have seen all" not in seen.notice()
        await seen.reads("YOUR TURN")


@pytest.mark.slow
async def test_a_round_is_typed_to_its_end_and_the_next_one_awaited(tmp_path: Path) -> None:
    setup = Setup("diamoniak", options={"youngest": 0}, rounds=2)
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=setup, bots=("strong",)) as seen,
    ):
        await seen.reads("round 1/2")
        await play_on(seen)
        await seen.until(lambda: re.search("ha(s|ve) won this round.", seen.screen_text))
        await seen.reads("Press r when you are ready for the next round.")
        await seen.press("v")
        await seen.reads("holdings")
        await seen.press("f7")
        await seen.until(lambda: re.search("ha(s|ve) won this round.", seen.screen_text))
        await seen.press("r")
        await seen.reads("round 2/2")


async def test_a_lost_server_keeps_screen_and_draft(tmp_path: Path) -> None:
    port = lasting_port()
    async with (
        server(tmp_path, port=port) as app,
        client(tmp_path, port, setup=DIAMONIAK, bots=("zombie",)) as seen,
    ):
        await seen.reads("YOUR TURN")
        await seen.types("dra")
        await app.__aexit__()
        await seen.reads("reconnecting in")
        assert "YOUR TURN" in seen.screen_text
        async with server(tmp_path, port=port):
            await seen.reads("\u25cf connected")
            await seen.until(lambda: seen.app.client and seen.app.client.is_connected)
            await seen.types("w")
            await seen.press("enter")
            log = seen.app.screen.query_one("#log", Log)
            await seen.until(lambda: "You: " in log.text)  # what it was is for chance to say


@pytest.mark.slow
async def test_who_looks_on_sees_all_and_plays_nothing(tmp_path: Path) -> None:
    async with (
        server(tmp_path, burst=10_000) as app,
        Player(app.port, "Bob") as bob,
        Player(app.port, "Cem") as cem,
    ):
        table = await bob.make(DIAMONIAK)
        await cem.join(table)
        await bob.ask(protocol.Start)
        async with client(tmp_path, app.port, table=table, watch=True) as seen:
            await seen.on(TableScreen)
            await seen.reads("waiting for Bob")
            await seen.types("draw")
            await seen.press("enter")
            await seen.reads("It is not your turn yet.")
            await play_to_the_end(bob, cem, level="strong")
            await seen.reads("has won!")


async def test_who_looks_on_is_offered_no_keys_to_play_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "GAMES", {"diadingo": DIADINGO})
    async with server(tmp_path) as app, Player(app.port, "Bob") as bob:
        table = await bob.make(Setup("diadingo"))
        await bob.ask(protocol.AddBot, "zombie")
        async with client(tmp_path, app.port, table=table) as seen:
            await seen.on(TableScreen)
            await bob.ask(protocol.Start)
            await bob.ask(protocol.HandOver, "zombie")
            await seen.reads("Enter take")
        async with client(tmp_path, app.port, name="Cem", table=table, watch=True) as seen:
            await seen.on(TableScreen)
            await seen.reads("F10 leave")
            assert "Enter take" not in seen.screen_text
            await seen.press("enter")
            await seen.reads("You are only watching.")


async def test_a_table_that_does_not_exist_leads_to_the_lobby(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port, table="NONE") as seen:
        await seen.on(LobbyScreen)
        await seen.reads("There is no table NONE.")


async def test_being_sent_off_is_explained(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=DIAMONIAK, bots=("zombie",)) as seen,
    ):
        await seen.reads("YOUR TURN")
        (table,) = app.lobby.tables.values()

        async def break_down() -> None:
            raise RuntimeError("a planted fault")

        table.post(break_down)
        await seen.on(LobbyScreen)
        await seen.reads("The table broke down")


async def test_nothing_from_others_is_markup(tmp_path: Path) -> None:
    evil = "[@click=app.quit]x[/]"
    async with (
        server(tmp_path) as app,
        Player(app.port, "[red]Bob[/]") as bob,
        client(tmp_path, app.port, size=(120, 40)) as seen,
    ):
        table = await bob.make(DIAMONIAK)
        await seen.reads("[red]Bob[/]")
        await seen.press("enter")
        await seen.on(TableScreen)
        await bob.ask(protocol.Say, evil)
        await bob.ask(protocol.Say, "\x1b[2Jclear\u202eeman")
        await seen.reads(f"[red]Bob[/]: {evil}")
        await seen.reads("[2Jclear")
        chat = seen.app.screen.query_one("#chat", Log).text
        assert "\x1b" not in chat
        assert "\u202e" not in chat
        await bob.ask(protocol.Remove, 0)
        assert seen.app.is_running
        assert table in seen.screen_text


async def test_all_read_why_no_round_is_dealt_although_they_are_ready(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port) as seen,
    ):
        await seen.reads(await bob.make(Setup("diamoniak", options={"youngest": 2})))
        await seen.press("enter")
        await seen.reads("Press r when you are ready.")
        await bob.ask(protocol.Ready, ready=True)
        await seen.press("r")
        await seen.reads("All are ready, but the round cannot begin. There is no such seat.")
        await bob.ask(protocol.Change, Setup("diamoniak"))
        await seen.reads("Press r when you are ready.")


async def test_the_maker_reads_whom_a_start_waits_for(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port, setup=Setup("diamoniak"), bots=()) as seen,
    ):
        await seen.on(TableScreen)
        await bob.join(seen.client_state.table.code if seen.client_state.table else "")
        await seen.reads("Bob sits down.")
        await seen.press("o", "enter")
        await seen.reads("The table was changed.")
        await seen.press("s")
        await seen.reads("The options were changed. Before you start, wait for these: Bob.")
        await bob.ask(protocol.Ready, ready=True)
        await seen.press("s")
        await seen.reads("deck")
