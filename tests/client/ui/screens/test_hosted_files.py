"""Whatever is typed into a client that a host runs for others, no file is opened by that name."""

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from textual.widgets import Input
from websockets.asyncio.client import ClientConnection

from diadem_client import i18n
from diadem_client.hosted.app import HostedApp
from diadem_client.hosted.command import GateSettingsStore
from diadem_client.launch import LaunchOptions
from diadem_client.net.address import Address
from diadem_client.state.forms import FileText, FreeText, questions
from diadem_client.ui.screens.connect import ConnectScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.make import MakeScreen
from diadem_client.ui.screens.settings import SettingsScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.choice import Choice
from diadem_shared import protocol
from diadem_shared.games import GAMES
from tests.client.activity import Activity
from tests.client.ui.screens.rig import Seen
from tests.rig.wire import Player, server

pytestmark = pytest.mark.slow

CONTENT = "#g#g#\nR.S.R\n#.g.#\nR.g.R\n#RRR#\n"
"""A board that nobody makes by chance, so that it would be taken at once."""

WITH_FILES = [
    game for game in GAMES if any(isinstance(each, FileText | FreeText) for each in questions(game))
]
"""The games of which something is asked that could be the name of a file."""

_opened: list[str] = []


def _note(event: str, given: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(given[0], str | Path):
        _opened.append(str(given[0]))


sys.addaudithook(_note)


@pytest.fixture
def canary() -> Iterator[Path]:
    """A file that a host would not like to be read; its name is short enough for every field."""
    with TemporaryDirectory(dir="/tmp", prefix="c") as folder:
        file = Path(folder) / "c"
        file.write_text(CONTENT)
        _opened.clear()
        yield file


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All that goes out over websockets."""
    frames: list[bytes] = []
    send = ClientConnection.send

    async def note(self: ClientConnection, message: Any, *given: Any, **named: Any) -> None:
        frames.append(message.encode() if isinstance(message, str) else bytes(message))
        await send(self, message, *given, **named)

    monkeypatch.setattr(ClientConnection, "send", note)
    return frames


@asynccontextmanager
async def hosted(port: int, name: str, **launch: Any) -> AsyncIterator[Seen]:
    i18n.set_language("en")
    address = Address("127.0.0.1", port)
    app = HostedApp(
        LaunchOptions(name=name, address=address, connect_at_once=bool(name), **launch),
        GateSettingsStore(),
    )
    activity = Activity()
    async with app.run_test(size=(80, 24), message_hook=activity) as pilot:
        yield Seen(app, pilot, activity)
        await app.action_quit()


def table_of(seen: Seen) -> str:
    assert seen.app.client is not None
    return seen.app.client.session.table or ""


async def fill_all(seen: Seen, words: str) -> int:
    """Every line that can be typed into; how many there were."""
    fields = [each for each in seen.app.screen.query(Input) if each.display]
    for field in fields:
        field.value = words[: field.max_length] if field.max_length else words
    await seen.pilot.pause()
    return len(fields)


def assert_unread(canary: Path, seen: Seen, *frames: list[bytes]) -> None:
    assert str(canary) not in _opened
    assert not any(row in seen.screen_text for row in CONTENT.split())
    for each in frames:
        assert not any(CONTENT[:11].encode() in frame for frame in each)


def test_what_is_opened_is_noticed(canary: Path) -> None:
    canary.read_text()
    assert str(canary) in _opened


async def test_making_a_table_asks_for_no_file(
    tmp_path: Path, canary: Path, sent: list[bytes]
) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        hosted(app.port, "Ana") as seen,
    ):
        for game in WITH_FILES:
            await makes(seen, bob, canary, game)
            assert_unread(canary, seen, sent, bob.frames)
            await bob.ask(protocol.Part)
            await seen.press("f10")


async def makes(seen: Seen, bob: Player, canary: Path, game: str) -> None:
    """A table, and other terms for it."""
    await seen.on(LobbyScreen)
    await seen.press("m")
    await seen.on(MakeScreen)
    await seen.app.screen.query_one("#game", Choice).choose(game)
    first = GAMES[game].options_type.__struct_fields__[0]
    await seen.until(lambda: seen.app.screen.query(f"#option-{first}"))
    for question in questions(game):
        assert seen.app.screen.query(f"#option-{question.name}")
        if isinstance(question, FileText):
            offered = seen.app.screen.query_one(f"#option-{question.name}", Choice).values
            assert [*offered] == [question.default, *question.shipped]
        assert not seen.app.screen.query(f"#option-{question.name}-file")
    assert await fill_all(seen, str(canary)) == sum(
        isinstance(question, FreeText) for question in questions(game, seen.client_state.word_lists)
    )
    assert_unread(canary, seen)
    await fill_all(seen, "")
    await seen.press("enter")
    await seen.on(TableScreen)
    await bob.ask(protocol.Join, table_of(seen))
    await seen.press("o")  # other terms for it
    await seen.on(MakeScreen)
    assert not seen.app.screen.query("#option-board-file")
    await fill_all(seen, str(canary))
    await seen.press("enter")
    await seen.on(TableScreen)
    await bob.ask(protocol.Say, "hello")


async def test_no_line_to_type_in_leads_to_a_file(
    tmp_path: Path, canary: Path, sent: list[bytes]
) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        hosted(app.port, "") as seen,
    ):
        await seen.on(ConnectScreen)
        await fill_all(seen, str(canary))
        await seen.press("enter")
        await seen.on(LobbyScreen)
        for key in ("c", "ctrl+p"):
            await seen.press(key)
            await seen.until(lambda: seen.app.screen.query(Input))
            assert await fill_all(seen, str(canary))
            await seen.press("enter")
            while not isinstance(seen.app.screen, LobbyScreen):
                await seen.press("escape")
        await seen.press("m")
        await seen.on(MakeScreen)
        await seen.press("enter")
        await seen.on(TableScreen)
        await bob.ask(protocol.Join, table_of(seen))
        await bob.ask(protocol.Sit)
        await seen.press("s")
        await seen.until(lambda: seen.client_state.table and seen.client_state.table.public.game)
        assert await fill_all(seen, str(canary))  # moves and chat
        for field in seen.app.screen.query(Input):
            field.focus()
            await seen.press("enter")
        await seen.until(lambda: any(str(canary).encode() in frame for frame in bob.frames))
        assert_unread(canary, seen, sent, bob.frames)


async def test_the_name_and_the_table_one_comes_with_are_no_files(
    tmp_path: Path, canary: Path, sent: list[bytes]
) -> None:
    async with (
        server(tmp_path) as app,
        hosted(app.port, str(canary), table=str(canary)) as seen,
    ):
        await seen.on(LobbyScreen)
        await seen.reads("The server takes no such value for table")
        assert_unread(canary, seen, sent)


async def test_settings_ask_for_no_file_and_keep_none(tmp_path: Path, canary: Path) -> None:
    async with server(tmp_path) as app, hosted(app.port, "Ana") as seen:
        await seen.on(LobbyScreen)
        await seen.press("f9")
        await seen.on(SettingsScreen)
        assert await fill_all(seen, str(canary)) == 0
        await seen.press("enter")
        await seen.on(LobbyScreen)
        assert not seen.app.settings.word_list
        assert_unread(canary, seen)


async def test_what_an_application_offers_besides_leads_to_no_file(
    tmp_path: Path, canary: Path
) -> None:
    async with server(tmp_path) as app, hosted(app.port, "Ana") as seen:
        await seen.on(LobbyScreen)
        before = list(canary.parent.iterdir())
        seen.app.deliver_text(str(canary))
        seen.app.deliver_binary(str(canary))
        for action in ("screenshot", "save_screenshot", "deliver_screenshot"):
            await seen.app.run_action(f"{action}('{canary}', '{canary.parent}')")
        seen.app.save_screenshot("c", str(canary.parent))
        seen.app.open_url(canary.as_uri())
        await seen.pilot.pause()
        assert list(canary.parent.iterdir()) == before
        assert str(canary) not in _opened
