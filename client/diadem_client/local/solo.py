"""The server of a solo game: a child process on this machine, for as long as the client runs."""

import asyncio
import logging
import re
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from diadem_client.net.address import Address

log = logging.getLogger(__name__)

SOLO_ADDRESS = Address("solo")
"""Stands for the address of a solo server, whose port changes with every start."""
STOP_TIMEOUT = 3.0
PORT = re.compile(r"open, port (\d+)")


class SoloServerFailed(Exception):
    """The server did not start."""


class SoloServer:
    """The constructor spawns the server; `port` waits until it listens."""

    def __init__(self, folder: Path) -> None:
        self.is_kept = True
        """Whether the match is kept on disk, so that the next start can resume it."""
        self._process = _start("--data", str(folder))

    async def port(self) -> int:
        """The port it listens on; raises SoloServerFailed if it ends first."""
        return await asyncio.to_thread(self._port)

    def _port(self) -> int:
        try:
            return self._read_port()
        except SoloServerFailed:
            if not self.is_kept:
                raise
        # Another client uses that folder, or it cannot be used: play without keeping the match.
        self.is_kept = False
        self.close()
        self._process = _start()
        return self._read_port()

    def _read_port(self) -> int:
        output = self._process.stdout
        assert output is not None  # noqa: S101, it was asked for
        for line in output:
            log.info("server: %s", line.rstrip())
            if found := PORT.search(line):
                threading.Thread(target=_drain, args=(output,), daemon=True).start()
                return int(found[1])
        output.close()
        raise SoloServerFailed

    def close(self) -> None:
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _drain(output: TextIO) -> None:
    """Read and drop further output, so that it does not fill the pipe."""
    with output:
        for _line in output:
            pass


def _start(*options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603
        [
            *(sys.executable, "-m", "diadem_client.local.child_server"),
            *("--host", "127.0.0.1", "--port", "0", *options),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
