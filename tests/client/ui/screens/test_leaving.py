"""Leaving at any time, also while a screen is being made: its parts are missing then."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from diadem_client.ui.screens.connect import ConnectScreen
from diadem_client.ui.screens.games import GamesScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.settings import SettingsScreen
from diadem_client.ui.screens.start import StartScreen
from tests.client.ui.screens.rig import client

MADE: dict[str, Callable[[], Screen[Any]]] = {
    "connect": ConnectScreen,
    "games": lambda: GamesScreen("Which?"),
    "lobby": LobbyScreen,
    "settings": SettingsScreen,
    "start": StartScreen,
}


@pytest.mark.parametrize("name", MADE)
async def test_a_screen_that_is_left_while_it_is_made_is_no_crash(
    tmp_path: Path, name: str
) -> None:
    async with client(tmp_path) as seen:
        await seen.reads("Where do you play?")
        screen = MADE[name]()
        seen.app.push_screen(screen)
        seen.app.quit()
    assert not screen.children, "it was made before the client was left, and shows nothing"
