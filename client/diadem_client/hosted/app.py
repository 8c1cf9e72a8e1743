"""The application of a hosted client: without a way out of it, and ended when idle."""

import asyncio
import signal
import time
from pathlib import Path
from typing import IO, Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.timer import Timer

from diadem_client.app import DiademApp
from diadem_client.hosted.command import HostedSettingsStore
from diadem_client.i18n import gettext as _
from diadem_client.launch import LaunchOptions
from diadem_client.net.client import Client
from diadem_client.ui.widgets.dialogs import DIALOG_CSS
from diadem_client.ui.widgets.fixed_text import FixedText

WARNING_SECONDS = 60.0
"""Seconds before the idle timeout at which the player is warned, or half the timeout if that is less."""
INPUT_EVENTS = (
    events.Key,
    events.Paste,
    events.MouseDown,
    events.MouseScrollDown,
    events.MouseScrollUp,
)
"""Events that restart the idle timeout."""


class IdleScreen(ModalScreen[None]):
    DEFAULT_CSS = DIALOG_CSS.format(name="IdleScreen")

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    def compose(self) -> ComposeResult:
        sentence = _("Are you still there? Press any key, or Diadem closes in {seconds} seconds.")
        with Vertical():
            yield FixedText(sentence.format(seconds=round(self._seconds)))


class HostedApp(DiademApp):
    def __init__(
        self, launch: LaunchOptions, store: HostedSettingsStore, *, idle: float = 0.0, **named: Any
    ) -> None:
        super().__init__(launch, store, **named)
        self.goodbye = _("Goodbye!")
        if store.is_known_player:
            self.goodbye = _("Goodbye! A seat in a running match is kept for you.")
        self._idle = idle
        self._warning_seconds = min(WARNING_SECONDS, idle / 2)
        self._last_input = time.monotonic()
        self._idle_timer: Timer | None = None

    async def on_mount(self) -> None:
        if not self.is_headless:
            # A gate asks for it when a player comes back whose line was broken.
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, self.action_repaint)
        if self._idle:
            self._start_idle_timer(self._idle - self._warning_seconds)

    def save_server(self, client: Client) -> None:
        """Saves nothing: a hosted client has one server, and its player's name is given."""

    # The idle timeout

    def _start_idle_timer(self, seconds: float) -> None:
        if self._idle_timer is not None:
            self._idle_timer.stop()
        self._idle_timer = self.set_timer(seconds, self._check_idle)

    def _check_idle(self) -> None:
        still = time.monotonic() - self._last_input
        if still >= self._idle:
            minutes = max(1, round(self._idle / 60))
            sentence = _("Nobody pressed a key for {minutes} min, so Diadem closed.")
            self._close(sentence.format(minutes=minutes))
        elif still >= self._idle - self._warning_seconds:
            self.push_screen(IdleScreen(self._idle - still))
            self.bell()
            self._start_idle_timer(self._idle - still)
        else:
            self._start_idle_timer(self._idle - self._warning_seconds - still)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, INPUT_EVENTS):
            self._last_input = time.monotonic()
            if isinstance(self.screen, IdleScreen):
                self.pop_screen()
                self._start_idle_timer(self._idle - self._warning_seconds)
                return
        await super().on_event(event)

    def terminate(self) -> None:
        self._close(_("The host closes Diadem for now."))

    def _close(self, goodbye: str) -> None:
        self.goodbye = goodbye
        self.quit()

    # What reaches beyond the terminal

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        pass

    def save_screenshot(
        self, filename: str | None = None, path: str | None = None, time_format: str | None = None
    ) -> str:
        return ""

    def deliver_screenshot(self, *_: Any, **__: Any) -> str | None:
        return None

    def deliver_text(self, path_or_file: str | Path | IO[str], **_: Any) -> str | None:
        return None

    def deliver_binary(self, path_or_file: str | Path | IO[bytes], **_: Any) -> str | None:
        return None

    def action_suspend_process(self) -> None:
        pass
