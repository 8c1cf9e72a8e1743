"""A client in a test: its screens, on a real server in this process."""

import asyncio
import unicodedata
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import replace
from textual.events import Key
from textual.keys import KEY_NAME_REPLACEMENTS, key_to_character
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Input

from diadem_client import i18n
from diadem_client.app import DiademApp
from diadem_client.launch import LaunchOptions, TerminalOptions
from diadem_client.local.local_file import read_text
from diadem_client.local.servers import LocalServers
from diadem_client.net.discovery import DiscoveredServer, ServerBrowser
from diadem_client.settings import Settings, SettingsStore
from diadem_client.state.client_state import ClientState
from diadem_client.ui.screens import table
from diadem_client.ui.widgets.fixed_text import FixedText
from tests.client.activity import Activity
from tests.patience import PATIENCE

SIZE = (80, 24)


def key(name: str) -> Key:
    """As a terminal sends it: a character, or a key by its name."""
    if len(name) > 1:
        return Key(name, key_to_character(name))
    if name.isalnum():
        return Key(name, name)
    called = unicodedata.name(name).lower().replace("-", "_").replace(" ", "_")
    return Key(KEY_NAME_REPLACEMENTS.get(called, called), name)


class Seen:
    """What a player sees, and the keys they press."""

    def __init__(self, app: DiademApp, pilot: Pilot[Any], activity: Activity | None = None) -> None:
        """Where no activity is counted, it is looked often instead."""
        self.app = app
        self.pilot = pilot
        self.activity = activity or Activity()

    @property
    def client_state(self) -> ClientState:
        return self.app.client_state

    async def press(self, *keys: str) -> None:
        """One by one, each when all that the one before has brought about is done."""
        for each in keys:
            self.app.post_message(key(each))
            await self.idle()

    async def types(self, words: str) -> None:
        await self.until(lambda: isinstance(self.app.focused, Input))
        await self.press(*("space" if each == " " else each for each in words))

    async def idle(self) -> None:
        """Wait until everything known in this process is done and laid out."""
        await self.activity.idle()
        await self.pilot.wait_for_animation()  # and what waits for the screen to be drawn
        await self.activity.idle()

    async def enters(self, move: str) -> None:
        """In words, once there is a line for them."""
        await self.until(lambda: self.app.screen.query("LinePane Input"))
        line = self.app.screen.query_one("LinePane Input", Input)
        line.value = move
        await line.action_submit()

    async def until(self, found: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.activity.idle()
            while not found():
                await self.activity.changed()
                await self.activity.idle()

    async def on(self, screen: type[Any]) -> None:
        try:
            await self.until(
                lambda: isinstance(self.app.screen, screen) and self.app.screen.is_mounted
            )
        except TimeoutError:
            raise AssertionError(f"{screen.__name__} is not:\n{self.screen_text}") from None
        await self.idle()

    async def reads_whole(self, sentence: str) -> None:
        """Wherever its lines break; of what is cut off a part would be missing."""
        await self._reads(sentence, lambda: " ".join(self.screen_text.split()))

    async def reads(self, words: str) -> None:
        """Wait until it is on the screen."""
        await self._reads(words, lambda: self.screen_text)

    async def _reads(self, words: str, text: Callable[[], str]) -> None:
        try:
            await self.until(lambda: words in text())
        except TimeoutError:
            raise AssertionError(f"{words!r} is not in:\n{self.screen_text}") from None

    async def settled(self) -> str:
        """The screen, once it stays as it is."""
        before = ""
        while before != self.screen_text:
            before = self.screen_text
            await self.idle()
        return before

    @property
    def screen_text(self) -> str:
        """What stands in the terminal, line by line."""
        _width, height = self.app.size
        return "\n".join(line.text.rstrip() for line in self.strips[:height])

    @property
    def strips(self) -> list[Strip]:
        """The same with its styles. What Textual offers in public is an SVG, in six times the time."""
        screen = self.app.screen
        return screen._compositor.render_strips(screen.size)  # noqa: SLF001

    async def speaks(self, language: str) -> None:
        """Change the language, as in the settings."""
        self.app.change_settings(replace(self.app.settings, language=language))
        await self.idle()
        await self.until(lambda: self.app.base_screen.laid_out)

    def notice(self) -> str:
        return self.app.screen.query_one("#notice", FixedText).text

    async def fill(self, id_: str, value: str) -> None:
        self.app.screen.query_one(f"#{id_}", Input).value = value
        await self.idle()


class FakeServerBrowser(ServerBrowser):
    """Hears nobody: tests say what is heard, and leave the network of this machine alone."""

    running: ClassVar[list["FakeServerBrowser"]] = []
    was_started: ClassVar[bool] = False

    async def run(self) -> None:
        FakeServerBrowser.was_started = True
        FakeServerBrowser.running.append(self)
        try:
            await asyncio.Event().wait()
        finally:
            FakeServerBrowser.running.remove(self)

    def discovers(self, *servers: DiscoveredServer) -> None:
        self._tell(servers)


@asynccontextmanager
async def client(
    tmp_path: Path,
    port: int | None = None,
    *,
    name: str = "Ana",
    size: tuple[int, int] = SIZE,
    settings: Settings | None = None,
    servers: LocalServers | None = None,
    terminal: TerminalOptions | None = None,
    last_look: float = 0.0,
    pace: str = "instant",
    motion: bool = False,
    **launch: Any,
) -> AsyncIterator[Seen]:
    """With a port it goes there at once."""
    i18n.set_language((settings or Settings(language="en")).language or "en")
    given: dict[str, Any] = {"host": f"127.0.0.1:{port}", "connect_at_once": True} if port else {}
    app = DiademApp(
        LaunchOptions(name=name, file_reader=read_text, **(given | launch)),
        SettingsStore(tmp_path / name / "config", tmp_path / name / "state"),
        settings=replace(settings or Settings(language="en"), pace=pace, motion=motion),
        servers=servers,
        terminal=terminal,
    )
    app.server_browser = FakeServerBrowser
    FakeServerBrowser.was_started = False
    table.LAST_LOOK = last_look
    try:
        activity = Activity()
        async with app.run_test(size=size, message_hook=activity) as pilot:
            yield Seen(app, pilot, activity)
            await app.action_quit()
    finally:
        i18n.set_language("en")
