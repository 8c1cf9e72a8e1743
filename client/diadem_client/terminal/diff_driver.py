"""A terminal driver that sends only what differs from what stands on the screen."""

import shutil
import threading
from collections.abc import Sequence
from typing import Any

from textual.drivers.linux_driver import LinuxDriver

from diadem_client.terminal.diff import ScreenBuffer, Span


class DiffDriver(LinuxDriver):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._buffer = ScreenBuffer()
        self._write_lock = threading.Lock()
        """The thread that reads keys writes too, when the terminal answers what it can do."""

    def write(self, data: str) -> None:
        with self._write_lock:
            super().write(self._buffer.diff(data, shutil.get_terminal_size()))

    def paint(self, spans: Sequence[Span]) -> bool:
        """Show cells at once, past Textual; whether that could be done."""
        with self._write_lock:
            data = self._buffer.paint(spans, shutil.get_terminal_size())
            if data:
                super().write(data)
        return data is not None

    def invalidate(self) -> None:
        """Send the next frame whole: something else may stand on the screen."""
        with self._write_lock:
            self._buffer.invalidate()

    def run_input_thread(self) -> None:
        """Read keys until input is disabled. What is read together with bytes that are not UTF-8, or with a key's number that
        is none, is dropped; Textual alone would crash."""
        while not self.exit_event.is_set():
            try:
                super().run_input_thread()
            except ValueError:
                continue
