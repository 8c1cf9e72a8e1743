"""Keys while the line is down: refused with a sentence, and never done later."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from diadem_client.board import registry
from diadem_client.board.pane import GamePane
from diadem_client.games import GAMES
from diadem_client.net import transport
from diadem_client.net.transport import Connected, Reconnecting
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.make import MakeScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_server.app import App
from diadem_shared import protocol
from diadem_shared.entries import Moved, Setup
from diadem_shared.match import Phase
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import lasting_port, server

pytestmark = pytest.mark.slow

NOT_CONNECTED = "Not connected, so that was not done."


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """But not without a pause: a key counts as done only once the client has nothing to do."""
    monkeypatch.setattr(transport, "BACKOFF_SECONDS", (0.25,))


class Broken:
    """A player whose server can be taken away, and given back with all that it kept."""

    def __init__(self, tmp_path: Path, port: int, seen: Seen, stack: AsyncExitStack) -> None:
        self.seen = seen
        self._tmp_path = tmp_path
        self._port = port
        self._stack = stack

    async def down(self) -> None:
        await self._stack.aclose()
        await self.seen.until(lambda: isinstance(self.seen.client_state.link, Reconnecting))

    async def back(self) -> App:
        app = await self._stack.enter_async_context(self._server())
        await self.seen.until(lambda: isinstance(self.seen.client_state.link, Connected))
        current = self.seen.app.client
        assert current is not None
        await self.seen.until(lambda: current.is_connected)
        # Whatever was still to be sent comes before this.
        assert isinstance(await current.ask(protocol.Ping), protocol.Pong)
        return app

    def _server(self) -> AbstractAsyncContextManager[App]:
        return server(self._tmp_path, port=self._port, bot_pause=60.0)


@asynccontextmanager
async def breakable(tmp_path: Path, **launch: Any) -> AsyncIterator[Broken]:
    port = lasting_port()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(server(tmp_path, port=port, bot_pause=60.0))
        async with client(tmp_path, port, **launch) as seen:
            yield Broken(tmp_path, port, seen, stack)


@asynccontextmanager
async def playing(tmp_path: Path) -> AsyncIterator[Broken]:
    async with breakable(
        tmp_path, setup=Setup("diamoniak", {"youngest": 0}), bots=("zombie",)
    ) as broken:
        seen = broken.seen
        await seen.on(TableScreen)
        await seen.until(lambda: seen.client_state.table and seen.client_state.table.my_turn)
        await seen.until(lambda: seen.app.screen.query(GamePane))
        yield broken


def moves_of(app: App) -> list[str]:
    """All of them: the bot's too, if a witch was drawn, since that ends a turn in which there is nothing to give."""
    (table,) = app.lobby.tables.values()
    return [each.entry.move for each in table.history if isinstance(each.entry, Moved)]


async def test_a_move_while_the_line_is_down_is_refused_and_not_played_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "GAMES", GAMES)
    async with playing(tmp_path) as broken:
        await broken.down()
        await broken.seen.press("d", "d")
        await broken.seen.reads(NOT_CONNECTED)
        app = await broken.back()
        assert moves_of(app) == []
        await broken.seen.until(lambda: NOT_CONNECTED not in broken.seen.screen_text)
        await broken.seen.press("d")
        await broken.seen.until(lambda: moves_of(app)[:1] == ["draw"])


async def test_what_was_typed_while_the_line_is_down_stays_where_it_was(tmp_path: Path) -> None:
    """In chat, and as a move."""
    async with playing(tmp_path) as broken:
        await broken.seen.press("tab")
        await broken.seen.types("hello")
        await broken.down()
        await broken.seen.press("enter")
        await broken.seen.reads(NOT_CONNECTED)
        app = await broken.back()
        (table,) = app.lobby.tables.values()
        assert not table.chat.lines
        assert broken.seen.app.screen.query_one("#say", Input).value == "hello"
        await broken.seen.press("enter")
        await broken.seen.until(lambda: table.chat.lines)
        await broken.seen.press("escape", "f6")
        await broken.seen.types("draw")
        await broken.down()
        await broken.seen.press("enter")
        await broken.seen.reads(NOT_CONNECTED)
        app = await broken.back()
        assert moves_of(app) == []
        assert broken.seen.app.screen.query_one(GamePane).query_one(Input).value == "draw"
        await broken.seen.press("enter")
        await broken.seen.until(lambda: moves_of(app)[:1] == ["draw"])


async def test_a_seat_is_neither_left_nor_given_up_later(tmp_path: Path) -> None:
    async with playing(tmp_path) as broken:
        await broken.down()
        await broken.seen.press("f10")
        await broken.seen.reads(NOT_CONNECTED)
        await broken.seen.press("f8", "y")
        app = await broken.back()
        await broken.seen.on(TableScreen)
        (table,) = app.lobby.tables.values()
        assert table.match.phase is Phase.PLAYING
        assert table.match.players[0].played_by is None
        assert broken.seen.app.kept_seat == ""


async def test_before_the_start_nobody_gets_ready_or_is_seated_later(tmp_path: Path) -> None:
    async with breakable(tmp_path, setup=Setup("diamoniak")) as broken:
        await broken.seen.on(TableScreen)
        await broken.seen.until(lambda: broken.seen.client_state.table)
        await broken.down()
        await broken.seen.press("r")
        await broken.seen.reads(NOT_CONNECTED)
        await broken.seen.press("b", "enter")
        (table,) = (await broken.back()).lobby.tables.values()
        assert len(table.match.players) == 1
        assert not table.seating.ready


async def test_in_the_lobby_nothing_is_made_or_joined_later(tmp_path: Path) -> None:
    async with breakable(tmp_path) as broken:
        await broken.seen.on(LobbyScreen)
        await broken.down()
        await broken.seen.press("m")
        await broken.seen.on(MakeScreen)
        await broken.seen.press("right", "enter")
        await broken.seen.reads(NOT_CONNECTED)
        await broken.seen.press("c")
        await broken.seen.types("K7F3")
        await broken.seen.press("enter")
        app = await broken.back()
        await broken.seen.on(LobbyScreen)
        assert not app.lobby.tables
        await broken.seen.press("m")
        await broken.seen.reads("Piratatak")  # what was chosen is still there
