"""No dead ends: every screen is reached from the menu, and left for it again by Esc alone."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from diadem_client.hosted.app import IdleScreen
from diadem_client.local.servers import LocalServers
from diadem_client.settings import SettingsStore
from diadem_client.ui.screens.analysis import AnalysisScreen
from diadem_client.ui.screens.base import BaseScreen
from diadem_client.ui.screens.board_screen import BoardScreen
from diadem_client.ui.screens.chat_notice import Hearing
from diadem_client.ui.screens.chat_panel import Talking
from diadem_client.ui.screens.connect import ConnectScreen
from diadem_client.ui.screens.export_action import Exporting
from diadem_client.ui.screens.games import GamesScreen
from diadem_client.ui.screens.help import HelpScreen, ReasonsScreen, RulesScreen
from diadem_client.ui.screens.hints import Hinting
from diadem_client.ui.screens.host import HostScreen
from diadem_client.ui.screens.invite import InviteScreen
from diadem_client.ui.screens.invite_action import Inviting
from diadem_client.ui.screens.lesson_panel import Learning
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.look_back import LookBackScreen
from diadem_client.ui.screens.look_up import LookUpScreen
from diadem_client.ui.screens.make import MakeScreen
from diadem_client.ui.screens.playback_speed import Paced
from diadem_client.ui.screens.prompt_line import Asking
from diadem_client.ui.screens.puzzle import PuzzleScreen
from diadem_client.ui.screens.reactions import Reacting
from diadem_client.ui.screens.replay import ReplayScreen
from diadem_client.ui.screens.resume import ResumeScreen
from diadem_client.ui.screens.seat_actions import Seating
from diadem_client.ui.screens.settings import SettingsScreen
from diadem_client.ui.screens.start import StartScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.screens.too_small import TooSmallScreen
from diadem_client.ui.widgets.dialogs import ConfirmDialog, SelectDialog, TextDialog
from diadem_client.ui.widgets.overlay import Overlay
from diadem_server.app import App
from diadem_server.host_names import PublicAddress
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import TablePublic
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import Player, server

pytestmark = pytest.mark.slow

DEEPEST = 6
"""How often Esc may be pressed until one is back at the menu."""
LEAVE_BY_THEMSELVES = {TooSmallScreen, IdleScreen}
TRIED_ELSEWHERE = {
    AnalysisScreen,
    LookUpScreen,
    PuzzleScreen,
    ReasonsScreen,
    ReplayScreen,
    ResumeScreen,
    StartScreen,
}
BASES = {
    Asking,
    BaseScreen,
    BoardScreen,
    Exporting,
    Hearing,
    Hinting,
    Inviting,
    Learning,
    Overlay,
    Paced,
    Reacting,
    Seating,
    Talking,
}


@asynccontextmanager
async def at_the_menu(tmp_path: Path, *, hosted: bool = False) -> AsyncIterator[Seen]:
    servers = LocalServers(SettingsStore(tmp_path / "config", tmp_path / "state"))
    try:
        async with client(tmp_path, menu=True, servers=None if hosted else servers) as seen:
            await seen.on(StartScreen)
            yield seen
    finally:
        await asyncio.to_thread(servers.close)


Shown = tuple[object, ...]


def shown(seen: Seen) -> Shown:
    """What changes with everything that a key does here."""
    screen = seen.app.screen
    return screen, seen.app.focused, screen.classes, seen.client_state.table


def differs(seen: Seen, before: Shown) -> bool:
    return shown(seen) != before


async def escapes(seen: Seen, to: type[Screen[Any]] = StartScreen) -> None:
    """Back to the menu by Esc alone, and by one that does something each time."""
    for _ in range(DEEPEST):
        if isinstance(seen.app.screen, to):
            return
        before = shown(seen)
        await seen.press("escape")
        await seen.until(partial(differs, seen, before))
        if isinstance(seen.app.screen, ConfirmDialog) and before[0] is not seen.app.screen:
            before = shown(seen)
            await seen.press("enter")
            await seen.until(partial(differs, seen, before))
            await seen.until(lambda: not isinstance(seen.app.screen, TableScreen))
    raise AssertionError(f"no way back from:\n{seen.screen_text}")


SMALL_WAYS: dict[str, tuple[tuple[str, ...], type[Any]]] = {
    "games": (("p",), GamesScreen),
    "what to learn": (("l",), GamesScreen),
    "rules": (("l", "f1"), RulesScreen),
    "help": (("question_mark",), HelpScreen),
    "settings": (("s",), SettingsScreen),
    "settings by F9": (("f9",), SettingsScreen),
    "look back": (("k",), LookBackScreen),
    "connect": (("j",), ConnectScreen),
    "host": (("h",), HostScreen),
    "help while connecting": (("j", "f5"), HelpScreen),
}


async def test_what_lies_beside_the_menu_leads_back(tmp_path: Path) -> None:
    async with at_the_menu(tmp_path) as seen:
        for keys, wanted in SMALL_WAYS.values():
            await seen.press(*keys)
            await seen.on(wanted)
            await escapes(seen)


async def test_q_leads_back_wherever_nothing_is_typed(tmp_path: Path) -> None:
    async with at_the_menu(tmp_path) as seen:
        for key, wanted in (("l", GamesScreen), ("question_mark", HelpScreen)):
            await seen.press(key)
            await seen.on(wanted)
            await seen.press("q")
            await seen.on(StartScreen)


TABLE_WAYS: dict[str, tuple[tuple[str, ...], type[Any]]] = {
    "lobby": ((), LobbyScreen),
    "code": (("c",), TextDialog),
    "make": (("m",), MakeScreen),
    "invite": (("i",), InviteScreen),
    "help": (("question_mark",), HelpScreen),
    "table": (("m", "enter"), TableScreen),
    "bot": (("m", "enter", "b"), SelectDialog),
    "options": (("m", "enter", "o"), MakeScreen),
    "invite to a table": (("m", "enter", "i"), InviteScreen),
    "rules": (("m", "enter", "f1"), RulesScreen),
    "chat": (("m", "enter", "tab"), TableScreen),
    "typed moves": (("m", "enter", "b", "enter", "s", "f6"), TableScreen),
    "running": (("m", "enter", "b", "enter", "s"), TableScreen),
    "giving up": (("m", "enter", "b", "enter", "s", "f8"), ConfirmDialog),
}


async def connects(seen: Seen, app: App, name: str) -> None:
    await seen.press("j")
    await seen.on(ConnectScreen)
    await seen.fill("host", f"127.0.0.1:{app.port}")
    await seen.fill("name", name)
    await seen.press("enter")
    await seen.on(LobbyScreen)


async def test_what_a_server_shows_leads_back(tmp_path: Path) -> None:
    public = PublicAddress("games.example")
    async with server(tmp_path, public_address=public) as app, at_the_menu(tmp_path) as seen:
        for number, (keys, wanted) in enumerate(TABLE_WAYS.values()):
            if seen.app.client is None:
                await connects(seen, app, f"Ana {number}")  # who has no table yet
            await goes(seen, keys)
            await seen.on(wanted)
            await escapes(seen, LobbyScreen)
            if "s" in keys:  # whose seat is kept in a match that runs
                await escapes(seen)
                assert seen.app.client is None


async def goes(seen: Seen, keys: tuple[str, ...]) -> None:
    for last, key in pairwise(("", *keys)):
        if key == "s":
            await seen.until(lambda: len(_public(seen).players) > 1)
        before = shown(seen)
        await seen.press(key)
        if key in {"enter", "f8"}:
            await seen.until(partial(differs, seen, before))
        if (last, key) == ("m", "enter"):
            await seen.on(TableScreen)
        if key == "s":
            await seen.until(lambda: _public(seen).phase is Phase.PLAYING)


def _public(seen: Seen) -> TablePublic:
    assert seen.client_state.table is not None
    return seen.client_state.table.public


async def test_looking_words_up_leads_back(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        at_the_menu(tmp_path) as seen,
    ):
        table = await bob.make(Setup("diamino-rummy"))
        await connects(seen, app, "Ana")
        await seen.press("c")
        await seen.on(TextDialog)
        await seen.types(table)
        await seen.press("enter")
        await seen.on(TableScreen)
        await seen.press("f4")
        await seen.on(LookUpScreen)
        await escapes(seen)


async def test_a_game_alone_leads_back_and_is_found_again(tmp_path: Path) -> None:
    """`make play`, F10 and another server was a way into nowhere."""
    async with at_the_menu(tmp_path) as seen:
        for _ in range(2):
            await seen.press("p", "1")
            await seen.on(TableScreen)
            await seen.reads("Press Enter to begin.")
            await escapes(seen)
        await seen.press("p", "enter")
        await seen.reads("Press Enter to begin.")
        await seen.press("enter")
        await seen.until(lambda: seen.client_state.table and seen.client_state.table.view)
        await seen.press("f10")
        await seen.on(StartScreen)
        await seen.reads("Your match of Diamoniak is kept")
        await seen.press("p", "enter")
        await seen.on(ResumeScreen)
        await escapes(seen)


async def test_who_connects_in_vain_gets_back(tmp_path: Path) -> None:
    async with at_the_menu(tmp_path) as seen:
        await seen.press("j")
        await seen.on(ConnectScreen)
        await seen.fill("host", "127.0.0.1:1")
        await seen.press("enter")
        await seen.reads("Nobody answers")
        await escapes(seen)


async def test_a_client_of_a_host_is_offered_nothing_of_that_machine(tmp_path: Path) -> None:
    async with at_the_menu(tmp_path, hosted=True) as seen:
        assert "Play alone" not in seen.screen_text
        await seen.press("p")
        assert isinstance(seen.app.screen, StartScreen)


def test_no_screen_is_left_out() -> None:
    reached = {wanted for _keys, wanted in (*SMALL_WAYS.values(), *TABLE_WAYS.values())}
    own = {
        each
        for each in everything_of(Screen)
        if each.__module__.startswith("diadem_client.") and not each.__name__.startswith("_")
    }
    assert own - BASES == reached | LEAVE_BY_THEMSELVES | TRIED_ELSEWHERE


def everything_of(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from everything_of(each)
