"""The line from a hosted client to the gate that runs it: orders come over it, and connections to the server.

A hosted client may open no socket and write no file. It asks the gate, which knows who the player is.
"""

import asyncio
import socket
from contextlib import suppress
from typing import Any

from diadem_shared.forkserver_protocol import (
    CONNECTED,
    LENGTH,
    LONGEST_FILE,
    Connect,
    FileName,
    Keep,
    LaunchRequest,
    framed,
    read_orders,
)


class GateLine:
    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._is_asked = False
        """A connection is on its way: nobody may have waited for it to the end."""

    def orders(self) -> LaunchRequest:
        """Wait for them."""
        (length,) = LENGTH.unpack(self._read(LENGTH.size))
        return read_orders(self._read(length))

    def _read(self, length: int) -> bytes:
        content = b""
        while len(content) < length:
            some = self._line.recv(length - len(content))
            if not some:
                raise ConnectionResetError
            content += some
        return content

    async def connection(self) -> socket.socket:
        """A connection to the server, which the gate makes; it takes its time where there were many."""
        if not self._is_asked:
            self._line.sendall(framed(Connect()))
            self._is_asked = True
        await self._readable()
        answer, files, _flags, _from = socket.recv_fds(
            self._line, len(CONNECTED), 1, socket.MSG_DONTWAIT
        )
        self._is_asked = False
        if not files:
            raise ConnectionRefusedError
        assert answer == CONNECTED  # noqa: S101, nothing else comes
        return socket.socket(fileno=files[0])

    async def _readable(self) -> None:
        loop = asyncio.get_running_loop()
        came: asyncio.Future[Any] = loop.create_future()
        loop.add_reader(self._line, _done, came)
        try:
            await came
        finally:
            loop.remove_reader(self._line)

    def keep(self, name: FileName, content: bytes) -> None:
        """Have a file of the player kept. One that is too long is left as it was."""
        if len(content) <= LONGEST_FILE:
            with suppress(OSError):  # the gate is gone, and ends this client soon
                self._line.sendall(framed(Keep(name, content)))


def _done(came: "asyncio.Future[Any]") -> None:
    if not came.done():
        came.set_result(None)
