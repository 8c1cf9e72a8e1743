"""A server that this client starts: a child process, spoken to by its standard input and output."""

import asyncio
import logging
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
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
        said = await self.said_until(PORT)
        return int(found_in(PORT, said))

    async def said_until(self, last: re.Pattern[str]) -> list[str]:
        """The lines of its log up to the first with this in it; raises ServerFailed if it ends first."""
        return await asyncio.to_thread(self._read_until, last)

    def start_again(self, *options: str) -> None:
        self.close()
        self._process = _start(options)

    def _read_until(self, last: re.Pattern[str]) -> list[str]:
        said = []
        output = self._process.stdout
        assert output is not None  # noqa: S101, it was asked for
        for line in output:
            log.info("server: %s", line.rstrip())
            said.append(line)
            if last.search(line):
                threading.Thread(target=_drain, args=(output,), daemon=True).start()
                return said
        output.close()
        raise ServerFailed

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


def found_in(pattern: re.Pattern[str], said: Sequence[str]) -> str:
    """What stands there in the first line that matches; "0" if none does."""
    return next((found[1] for found in map(pattern.search, said) if found), "0")


def _drain(output: TextIO) -> None:
    """Read and drop further output, so that it does not fill the pipe."""
    with output:
        for _line in output:
            pass


def _start(options: tuple[str, ...]) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "diadem_client.local.child_server", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
