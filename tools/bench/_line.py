"""A websocket client with next to nothing in it, so that the server is what is measured."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from os import urandom

from diadem_shared import protocol
from diadem_shared.protocol import SUBPROTOCOL, Command, Hello

FIN_BINARY = 0x82
PING, PONG = 0x89, 0x8A
MASKED = 0x80
NO_MASK = bytes(4)
"""A mask of zeros leaves the payload as it is."""
END_OF_HEAD = b"\r\n\r\n"


class Line(asyncio.Protocol):
    def __init__(self, path: str = "/") -> None:
        self.frames: asyncio.Queue[bytes] = asyncio.Queue()
        self.hear: Callable[[bytes], None] = self.frames.put_nowait
        """What is done with every frame that comes."""
        self.lost = False
        self._path = path
        self._upgraded = False
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self._id = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = b64encode(urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._upgraded:
            head, end, buffer = buffer.partition(END_OF_HEAD)
            if not end:
                self._buffer = head
                return
            assert b" 101 " in head.partition(b"\r\n")[0], head
            self._upgraded = True
        at, size = 0, len(buffer)
        while size - at >= 2:
            start, length = at + 2, buffer[at + 1]
            if length == 126:
                start, length = at + 4, int.from_bytes(buffer[at + 2 : at + 4], "big")
            if size < start + length:
                break
            if buffer[at] == FIN_BINARY:
                self.hear(buffer[start : start + length])
            elif buffer[at] == PING:
                self.send(buffer[start : start + length], PONG)
            at = start + length
        self._buffer = buffer[at:]

    def send(self, frame: bytes, opcode: int = FIN_BINARY) -> None:
        assert self._transport is not None
        size = len(frame)
        length = bytes([MASKED | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self._transport.write(bytes([opcode]) + length + NO_MASK + frame)

    def command(self, kind: Callable[..., Command], *given: object) -> None:
        self._id += 1
        self.send(protocol.pack(kind(self._id, *given)))

    async def greet(self, name: str) -> None:
        self.send(protocol.pack(Hello(name)))
        await self.frames.get()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


async def dial(port: int, path: str = "/") -> Line:
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(lambda: Line(path), "127.0.0.1", port)
    return line
