"""A terminal that is told no more than it has to be, and asked no oftener."""

import codecs
import os
import selectors
import shutil
import socket
import threading
import time
from typing import Any

from textual._xterm_parser import XTermParser
from textual.constants import ESCAPE_DELAY
from textual.drivers.linux_driver import LinuxDriver

from diadem_client.terminal.diff import ScreenBuffer

TICK = 0.05
KEY_SECONDS = ESCAPE_DELAY + 2 * TICK
"""How long after an Esc it may turn out to be the beginning of another key."""
MOST_READ = 4096


class DiffDriver(LinuxDriver):
    """Sends of each frame what differs from what stands there, and sleeps until there are keys."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._buffer = ScreenBuffer()
        self._one_at_a_time = threading.Lock()
        """What the terminal answers about itself is seen to in the thread that reads keys."""
        self._open_end, self._read_on = socket.socketpair()
        """As long as the one is open, the other is silent, and keys are read."""

    def write(self, data: str) -> None:
        with self._one_at_a_time:
            super().write(self._buffer.diff(data, shutil.get_terminal_size()))

    def invalidate(self) -> None:
        """Something else may stand there: send the next frame whole."""
        with self._one_at_a_time:
            self._buffer.invalidate()

    def disable_input(self) -> None:
        self._open_end.close()
        super().disable_input()
        self._open_end, self._read_on = socket.socketpair()  # keys may be read again

    def run_input_thread(self) -> None:
        """As the one it stands for, which looks ten times a second whether there is something."""
        parser = XTermParser(self._debug)
        decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        last_heard = 0.0
        with self._read_on as read_on, selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(read_on, selectors.EVENT_READ)
            while True:
                half_heard = time.monotonic() - last_heard < KEY_SECONDS
                ready = {key.fileobj for key, _ in selector.select(TICK if half_heard else None)}
                if read_on in ready:
                    return
                if self.fileno in ready:
                    data = os.read(self.fileno, MOST_READ)
                    if not data:
                        return
                    last_heard = time.monotonic()
                    for event in parser.feed(decode(data)):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
