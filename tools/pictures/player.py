"""Plays scenes on the terminal that it was started on, as the client would; for the tool alone.

After each it says in the window's title which one stands there, so that whoever reads what comes knows.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from diadem_client import i18n
from diadem_client.app import DiademApp
from diadem_client.launch import LaunchOptions, TerminalOptions
from diadem_client.settings import Settings, SettingsStore
from diadem_client.terminal.driver import title_sequence
from tests.client.scenes.every import SCENES
from tests.client.scenes.stage import settle, started
from tests.client.ui.screens.rig import FakeServerBrowser, Seen
from tests.client.ui.screens.staged import stop_the_clock


async def play(name: str, themes: list[str], folder: Path, terminal: TerminalOptions) -> None:
    settings = Settings(language="en", title=False, theme=themes[0], motion=False)
    app = DiademApp(
        LaunchOptions(name="Ana"),
        SettingsStore(folder, folder),
        settings=settings,
        terminal=terminal,
    )
    app.server_browser = FakeServerBrowser

    async def drive(pilot: Pilot[Any]) -> None:
        seen = Seen(app, pilot)
        await started(seen)
        await SCENES[name](seen)
        for theme in themes:
            app.change_settings(replace(app.settings, theme=theme))
            await settle(seen)
            await pilot.pause()
            assert app.terminal_driver is not None  # noqa: S101, it has one
            app.terminal_driver.write(title_sequence(f"{name} {theme}"))
        app.quit()  # without a question

    await app.run_async(auto_pilot=drive)
    if app.crash is not None:
        raise app.crash


def main(terminal: TerminalOptions) -> None:
    """The arguments are the themes, then the scenes."""
    themes, *names = sys.argv[1:]
    i18n.set_language("en")
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        stop_the_clock(patch)
        for name in names:
            asyncio.run(play(name, themes.split(","), Path(folder), terminal))
