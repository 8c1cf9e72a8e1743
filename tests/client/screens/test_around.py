"""Help, settings, the palette, small terminals."""

from pathlib import Path

import pytest
from textual.command import CommandPalette

from diadem.entries import Setup
from diadem.games import GAMES
from diadem_client.rules import TEXTS
from diadem_client.screens.connect import ConnectScreen
from diadem_client.screens.help import HelpScreen, RulesScreen
from diadem_client.screens.lobby import LobbyScreen
from diadem_client.screens.make import MakeScreen
from diadem_client.screens.settings import SettingsScreen
from diadem_client.screens.table import TableScreen
from diadem_client.settings import Settings
from diadem_client.text import LANGUAGES
from diadem_client.themes import THEMES
from tests.client.screens.rig import client
from tests.rig.wire import server


async def test_help_tells_what_the_keys_do_here(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await seen.press("question_mark")
        await seen.on(HelpScreen)
        await seen.reads("Make a table of your own.")
        await seen.press("escape")
        await seen.on(LobbyScreen)


@pytest.mark.parametrize("game", GAMES)
async def test_f1_shows_the_rules_of_the_game(tmp_path: Path, game: str) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=Setup(game), bots=("zombie",)) as seen,
    ):
        await seen.on(TableScreen)
        await seen.press("f1")
        await seen.on(RulesScreen)
        await seen.reads(": the rules")
        await seen.press("f1")
        await seen.on(TableScreen)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_in_every_language(game: str, language: str) -> None:
    rules = (TEXTS / language / f"{game}.txt").read_text(encoding="utf-8")
    assert "(R)" in rules
    assert all(len(line) <= 76 for line in rules.splitlines())


async def test_settings_show_at_once_and_are_kept(tmp_path: Path) -> None:
    async with client(tmp_path, name="") as seen:
        await seen.on(ConnectScreen)
        await seen.press("f9")
        await seen.on(SettingsScreen)
        await seen.press("right", "down", "right", "down", "right", "enter")
        await seen.on(ConnectScreen)
        assert seen.app.settings == Settings(theme="light", language="de", bell=False)
        assert seen.app.theme == THEMES["light"]
        await seen.reads("Dein Name")


@pytest.mark.parametrize("theme", THEMES)
async def test_every_theme_can_be_worn(tmp_path: Path, theme: str) -> None:
    settings = Settings(theme=theme, language="en")
    async with client(tmp_path, name="", settings=settings) as seen:
        await seen.on(ConnectScreen)
        await seen.reads("Where do you play?")


async def test_the_palette_does_what_keys_do(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await seen.press("ctrl+p")
        await seen.on(CommandPalette)
        await seen.types("of your own")
        await seen.reads("make")
        await seen.press("enter")
        await seen.on(MakeScreen)


async def test_a_small_terminal_is_told_calmly_and_goes_on(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=Setup("diamoniak"), bots=("zombie",)) as seen,
    ):
        await seen.on(TableScreen)
        await seen.pilot.resize_terminal(72, 20)
        await seen.reads("Diadem needs 80x24, this is 72x20.")
        await seen.pilot.resize_terminal(40, 10)
        await seen.reads("this is 40x10.")
        await seen.pilot.resize_terminal(80, 24)
        await seen.on(TableScreen)


async def test_it_can_begin_small(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port, size=(60, 20)) as seen:
        await seen.reads("this is 60x20.")
        await seen.until(lambda: seen.picture.welcomed)
        await seen.pilot.resize_terminal(80, 24)
        await seen.on(LobbyScreen)
