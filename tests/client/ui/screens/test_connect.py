"""The connect screen: where, as whom, and a way on from everything that keeps one out."""

import asyncio
from pathlib import Path

from textual.widgets import Input

from diadem_client.settings import SettingsStore
from diadem_client.ui.screens.connect import ConnectScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_shared.entries import Setup
from tests.client.ui.screens.rig import client, key
from tests.rig.wire import lasting_port, server


async def test_host_and_name_lead_to_the_lobby_and_are_remembered(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, name="") as seen:
        await seen.on(ConnectScreen)
        for each in (*f"127.0.0.1:{app.port}", "tab", *"Ana"):
            seen.app.post_message(key(each))  # what is typed ahead goes where it was meant
        await seen.until(lambda: seen.app.screen.query_one("#name", Input).value == "Ana")
        assert seen.app.screen.query_one("#host", Input).value == f"127.0.0.1:{app.port}"
        await seen.press("enter")
        await seen.on(LobbyScreen)
        store = SettingsStore(tmp_path / "config", tmp_path / "state")
        assert seen.app.settings.name == "Ana"
        assert seen.app.settings.host == f"127.0.0.1:{app.port}"
        assert store.settings() == seen.app.settings


async def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    async with client(tmp_path, name="") as seen:
        for host, name, sentence in (
            ("", "Ana", "Type where the server is."),
            ("games.example", "", "Type a name"),
            ("http://games.example", "Ana", "That is no address."),
            ("127.0.0.1:1", "Ana", "Nobody answers at 127.0.0.1:1."),
        ):
            await seen.on(ConnectScreen)
            await seen.fill("host", host)
            await seen.fill("name", name)
            await seen.press("enter")
            await seen.reads(sentence)


async def test_a_password_is_asked_for_and_then_let_in(tmp_path: Path) -> None:
    async with server(tmp_path, password="sesame") as app, client(tmp_path, app.port) as seen:  # noqa: S106
        await seen.reads("This server asks for a password.")
        assert seen.app.screen.query_one("#password", Input).has_focus
        await seen.types("simsim")
        await seen.press("enter")
        await seen.reads("That is not the password.")
        await seen.fill("password", "sesame")
        await seen.press("enter")
        await seen.on(LobbyScreen)


async def test_a_name_in_use_is_changed_on_the_spot(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path / "1", app.port) as first:
        await first.on(LobbyScreen)
        async with client(tmp_path / "2", app.port) as second:
            await second.reads("Somebody called Ana is here already.")
            await second.until(lambda: second.app.screen.query_one("#name", Input).has_focus)
            await second.fill("name", "Bob")
            await second.press("enter")
            await second.on(LobbyScreen)


async def test_the_older_window_is_told_and_can_come_back(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as older:
        await older.on(LobbyScreen)
        async with client(tmp_path, app.port) as newer:
            await newer.on(LobbyScreen)
            await older.reads("You went on in another window.")
            await older.press("enter")
            await older.on(LobbyScreen)
            await newer.reads("You went on in another window.")


async def test_trying_can_be_stopped(tmp_path: Path) -> None:
    async def silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with (
        await asyncio.start_server(silence, "127.0.0.1", 0) as door,
        client(tmp_path, door.sockets[0].getsockname()[1]) as seen,
    ):
        await seen.on(ConnectScreen)
        await seen.reads("Connecting to 127.0.0.1")
        await seen.press("escape")
        await seen.reads("Stopped.")
        assert "Esc back" in seen.screen_text


async def test_a_name_that_is_missing_is_asked_for(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port, name="") as seen:
        await seen.on(ConnectScreen)
        await seen.types("Ana")
        await seen.press("enter")
        await seen.on(LobbyScreen)


async def test_a_full_server_says_so(tmp_path: Path) -> None:
    async with (
        server(tmp_path, max_connections=1) as app,
        client(tmp_path, app.port) as first,
        client(tmp_path, app.port, name="Bob") as second,
    ):
        await first.on(LobbyScreen)
        await second.reads("is full. Try again")


async def test_who_starts_anew_has_the_seat_back_even_after_the_server_did(tmp_path: Path) -> None:
    port = lasting_port()
    async with server(tmp_path, port=port) as app:
        async with client(tmp_path, port, setup=Setup("diamoniak"), bots=("zombie",)) as seen:
            await seen.reads("YOUR TURN")
        await app.__aexit__()
        async with server(tmp_path, port=port), client(tmp_path, port) as seen:
            await seen.on(TableScreen)
            await seen.until(lambda: seen.client_state.table and seen.client_state.table.seat == 0)
            await seen.reads("YOUR TURN")


async def test_a_token_that_a_forgetful_server_gives_anew_is_kept(tmp_path: Path) -> None:
    for each in ("first", "second"):
        (tmp_path / each).mkdir()
    port = lasting_port()
    async with server(tmp_path / "first", port=port) as app, client(tmp_path, port) as seen:
        await seen.on(LobbyScreen)
        (before,) = (tmp_path / "Ana" / "state" / "sessions").iterdir()
        forgotten = before.read_bytes()
        await app.__aexit__()
        async with server(tmp_path / "second", port=port):
            await seen.until(lambda: before.read_bytes() != forgotten)
