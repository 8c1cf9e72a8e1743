"""A server that this client starts: a child process, spoken to by its standard input and output."""

import asyncio
import logging
import re
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TextIO

log = logging.getLogger(__name__)

STOP_TIMEOUT = 3.0
PORT = re.compile(r"open, port (\d+)")
STAY = "stay\n"
"""What it is told if it shall outlive its client."""


class ServerFailed(Exception):
    """The server did not start."""


class ChildServer:
    """The constructor spawns the server; `port` waits until it listens. It ends with this client."""

    def __init__(self, *options: str) -> None:
        self._process = _start(options)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    async def port(self) -> int:
        """The port it listens on; raises ServerFailed if it ends first."""
        return await asyncio.to_thread(self._read_port)

    def hear(self, line: str) -> None:
        """A line that it logged after that. Called in a thread."""

    def start_again(self, *options: str) -> None:
        self.close()
        self._process = _start(options)

    def _read_port(self) -> int:
        output = self._process.stdout
        assert output is not None  # noqa: S101, it was asked for
        for line in output:
            log.info("server: %s", line.rstrip())
            if found := PORT.search(line):
                threading.Thread(target=self._listen, args=(output,), daemon=True).start()
                return int(found[1])
        output.close()
        raise ServerFailed

    def _listen(self, output: TextIO) -> None:
        """Read all that it logs, so that it does not fill the pipe."""
        with output:
            for line in output:
                self.hear(line)

    def leave_running(self) -> None:
        """Let it run on when this client ends."""
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.write(STAY)
                self._process.stdin.close()

    def close(self) -> None:
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _start(options: tuple[str, ...]) -> subprocess.Popen[str]:
    # -P: no module comes from the directory that the player happens to be in.
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-P", "-m", "diadem_client.local.child_server", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
