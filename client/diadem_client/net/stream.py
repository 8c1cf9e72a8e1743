"""Bytes from and to a server, read one part after the other.

asyncio's own streams forget what they have not given away yet once the connection breaks; what a server says before it
hangs up is to be read.
"""

import asyncio
from typing import cast

HIGH_WATER = 64 * 1024
"""Bytes that wait to be read, after which the system is asked for no more."""


class StreamEnded(Exception):
    """The other side has hung up, or the connection broke."""


class Stream(asyncio.Protocol):
    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._has_ended = False
        self._came = asyncio.Event()
        """Set when there is more to read, or will never be."""
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._lost = asyncio.Event()

    # Called by asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if len(self._received) > HIGH_WATER and self._transport is not None:
            self._transport.pause_reading()
        self._came.set()

    def eof_received(self) -> None:
        self._end()

    def connection_lost(self, _why: Exception | None) -> None:
        self._end()
        self._may_write.set()
        self._lost.set()

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    def _end(self) -> None:
        self._has_ended = True
        self._came.set()

    # Reading and writing

    async def read(self, most: int) -> bytes:
        """What has come, up to so many bytes; StreamEnded if nothing more will."""
        while not self._received:
            if self._has_ended or self._transport is None:
                raise StreamEnded
            self._came.clear()
            self._transport.resume_reading()
            await self._came.wait()
        taken = bytes(self._received[:most])
        del self._received[:most]
        return taken

    def write(self, data: bytes) -> None:
        if self._lost.is_set() or self._transport is None:
            raise StreamEnded
        self._transport.write(data)

    async def drain(self) -> None:
        """Wait while the socket is full."""
        await self._may_write.wait()

    async def end(self) -> None:
        if self._transport is not None:
            self._transport.abort()
            await self._lost.wait()
