"""A guided first game on its real table: by its keys, to its end, and what the coach says meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from diadem_client.local.servers import LocalServers
from diadem_client.net.address import Address
from diadem_client.settings import SettingsStore
from diadem_client.ui.screens.games import GamesScreen
from diadem_client.ui.screens.help import RulesScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.start import StartScreen
from diadem_client.ui.screens.table import TableScreen
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import server

pytestmark = pytest.mark.slow
FIRST_TURN = 3
"""Entries until it is the learner's turn: two sit down, and it is dealt."""


@asynccontextmanager
async def at_the_menu(tmp_path: Path, size: tuple[int, int]) -> AsyncIterator[Seen]:
    servers = LocalServers(SettingsStore(tmp_path / "config", tmp_path / "matches"))
    try:
        async with client(tmp_path, servers=servers, size=size, menu=True) as seen:
            await seen.on(StartScreen)
            yield seen
    finally:
        await asyncio.to_thread(servers.close)


def entry(seen: Seen) -> int:
    return seen.client_state.table.entry if seen.client_state.table else 0


def is_after(seen: Seen, before: int) -> bool:
    return entry(seen) > before


async def test_a_first_game_is_learned_by_playing_it(tmp_path: Path) -> None:
    async with at_the_menu(tmp_path, (60, 20)) as seen:
        await seen.press("l")
        await seen.on(GamesScreen)
        await seen.press("1")
        await seen.on(TableScreen)
        await seen.reads("1/9  Draw a card.")
        await seen.press("d")
        await seen.reads("2/9  You may go on")
        await seen.press("f1")
        await seen.on(RulesScreen)
        await seen.reads("Either buy one card, and the turn is over.")
        await seen.press("escape")
        await seen.on(TableScreen)
        after = partial(is_after, seen, entry(seen))
        await seen.press("d")
        await seen.until(after)
        await seen.press("p")  # something else than was asked for
        await seen.reads("2/9  That works, too.")
        await seen.press("f8")
        await seen.reads("1/9  Draw a card.")
        for keys, told in (
            ("d", "2/9"),
            ("ddd", "3/9  Any card may be a witch"),
            ("p", "4/9"),
            ("b", "5/9  Draw again"),
            ("d", "6/9  A fairy!"),
            ("d", "7/9  The witch."),
            ("f", "8/9"),
            ("dddd", "9/9  Three cards go"),
        ):
            for key in keys:
                await seen.reads("YOUR TURN")
                after = partial(is_after, seen, entry(seen))
                await seen.press("x", key)  # the same key twice may be one that is held down
                await seen.until(after)
            await seen.reads(told)
        await seen.press("1", "2", "2", "enter")
        await seen.reads("That is all you need!")
        await seen.press("f2")
        await seen.reads("Press Enter to begin.")
        assert seen.app.local.coach is None
        assert "is kept" not in seen.screen_text


async def test_a_guest_learns_at_the_hosts_server(tmp_path: Path) -> None:
    """A client that others run has no server of its own. Leaving leads to the lobby, and leaves nothing behind."""
    async with server(tmp_path) as app:
        address = Address("127.0.0.1", app.port)
        async with client(tmp_path, menu=True, address=address) as seen:
            await seen.on(StartScreen)
            await seen.press("l", "3")
            await seen.reads("1/5  Every turn brings a ring")
            assert seen.client_state.table is not None
            first = seen.client_state.table.code
            await seen.press("f8")
            await seen.until(
                lambda: (
                    seen.client_state.table
                    and seen.client_state.table.code != first
                    and len(app.lobby.tables) == 1
                    and entry(seen) <= FIRST_TURN
                )
            )
            await seen.reads("1/5  Every turn brings a ring")
            await seen.press("f10")
            await seen.on(LobbyScreen)
            assert "is kept" not in seen.screen_text
            await seen.press("l", "1")
            await seen.reads("1/9  Draw a card.")
            await seen.press("f10")
            await seen.on(LobbyScreen)
            await seen.until(lambda: not app.lobby.tables)
