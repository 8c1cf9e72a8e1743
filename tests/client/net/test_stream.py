"""What came before the end of a stream is read, however it ended."""

import asyncio
import select
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from diadem_client.net.stream import HIGH_WATER, Stream, StreamEnded
from tests.patience import PATIENCE

RESETS = struct.pack("ii", 1, 0)


@asynccontextmanager
async def pair() -> AsyncIterator[tuple[Stream, socket.socket]]:
    ours, theirs = socket.socketpair()
    theirs.settimeout(0)
    _transport, stream = await asyncio.get_running_loop().create_connection(Stream, sock=ours)
    with theirs:
        async with asyncio.timeout(PATIENCE):
            yield stream, theirs
            await stream.end()


async def reset_after(data: bytes) -> Stream:
    """The stream to somebody who says this, does not read what is said, and is gone."""
    loop = asyncio.get_running_loop()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        _transport, stream = await loop.create_connection(Stream, *listening.getsockname())
        theirs, _peer = listening.accept()
    stream.write(b"unread")
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESETS)
    theirs.sendall(data)
    async with asyncio.timeout(PATIENCE):
        assert await stream.read(1) == data[:1]
    theirs.close()
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                stream.write(b"more")
            except StreamEnded:
                return stream
            await asyncio.sleep(0)


async def test_what_came_before_a_reset_is_read() -> None:
    stream = await reset_after(b"goodbye")
    assert await stream.read(6) == b"oodbye"
    with pytest.raises(StreamEnded):
        await stream.read(1)


async def test_what_is_not_read_does_not_pile_up() -> None:
    async with pair() as (stream, theirs):
        loop = asyncio.get_running_loop()
        sent, said = 0, bytes(HIGH_WATER)
        while select.select([], [theirs], [], 0)[1]:
            sent += theirs.send(said)
            for _ in range(3):
                await asyncio.sleep(0)
        rest = asyncio.create_task(loop.sock_sendall(theirs, b"end"))
        received = b""
        while len(received) < sent + 3:
            received += await stream.read(sent)
        assert received == bytes(sent) + b"end"
        await rest
