"""A server of one's own, on this machine only, for as long as the client runs."""

import asyncio
import logging
import re
import subprocess
import sys
import threading
from contextlib import suppress

log = logging.getLogger(__name__)

CLOSING_SECONDS = 3.0
PORT = re.compile(r"open, port (\d+)")


class SoloFailed(Exception):
    """The server did not start."""


class Solo:
    """Starting it takes a moment: begin early, and ask for the port when it is needed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            [
                *(sys.executable, "-m", "diadem_client.leash"),
                *("--host", "127.0.0.1", "--port", "0"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    async def port(self) -> int:
        """Where it listens; SoloFailed if it ends first."""
        return await asyncio.to_thread(self._read_port)

    def _read_port(self) -> int:
        output = self._process.stdout
        assert output is not None  # noqa: S101, it was asked for
        for line in output:
            log.info("server: %s", line.rstrip())
            if found := PORT.search(line):
                # What else it says must not fill the pipe.
                threading.Thread(target=lambda: [*output], daemon=True).start()
                return int(found[1])
        raise SoloFailed

    def close(self) -> None:
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
