"""A hosted client: idle players are warned and then disconnected, and nothing leaves the terminal."""

import asyncio
import os
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from diadem_client.hosted import app as hosted
from diadem_client.hosted.app import HostedApp, IdleScreen
from diadem_client.hosted.command import FolderSettingsStore, GateSettingsStore
from diadem_client.launch import LaunchOptions
from tests.patience import PATIENCE
from tests.rig.hosted import BY_A_GATE

NOWHERE = LaunchOptions(name="ana", address=BY_A_GATE)


@asynccontextmanager
async def hosted_app(
    idle: float = 0.0, folder: Path | None = None
) -> AsyncIterator[tuple[HostedApp, Pilot[Any]]]:
    store = FolderSettingsStore(folder) if folder else GateSettingsStore()
    app = HostedApp(NOWHERE, store, idle=idle)
    async with app.run_test() as pilot:
        yield app, pilot
        await app.action_quit()


async def until(pilot: Pilot[Any], found: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not found():
            await pilot.pause(0.01)


async def test_who_sits_still_is_warned_and_a_key_lets_them_stay() -> None:
    async with hosted_app(idle=6.0) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, IdleScreen))
        await pilot.press("x")
        assert not isinstance(app.screen, IdleScreen)
        assert not app.is_closing


async def test_who_goes_on_sitting_still_is_seen_off() -> None:
    async with hosted_app(idle=0.2) as (app, pilot):
        await until(pilot, lambda: app.is_closing)
        assert app.goodbye == "Nobody pressed a key for 1 min, so Diadem closed."


async def test_a_key_that_comes_once_all_screens_are_closed_is_no_error() -> None:
    async with hosted_app() as (app, _):
        pass
    assert list(app.screen_stack) == []
    app.on_key(events.Key("d", "d"))


async def test_nobody_is_warned_where_one_may_sit_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosted, "WARNING_SECONDS", 0.0)
    async with hosted_app() as (app, pilot):
        await pilot.pause()
        assert not isinstance(app.screen, IdleScreen)


async def test_the_host_says_goodbye_when_it_closes() -> None:
    async with hosted_app() as (app, _):
        app.terminate()
        assert app.is_closing
        assert app.goodbye == "The host closes Diadem for now."


async def test_who_is_known_again_is_told_that_their_seat_is_kept(tmp_path: Path) -> None:
    async with hosted_app() as (guest, _):
        assert guest.goodbye == "Goodbye!"
    async with hosted_app(folder=tmp_path) as (player, _):
        assert player.goodbye == "Goodbye! A seat in a running match is kept for you."


async def test_nothing_reaches_beyond_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.chdir(tmp_path)
    async with hosted_app() as (app, pilot):
        app.open_url("https://games.example")
        app.action_screenshot()
        app.save_screenshot()
        app.deliver_text("host_key")
        app.deliver_binary("host_key")
        app.action_suspend_process()
        await pilot.pause()
    assert opened == []
    assert os.listdir(tmp_path) == []  # noqa: PTH208
