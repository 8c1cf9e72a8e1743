"""One TCP connection, whose bytes are metered on their way to asyncssh and from it.

asyncssh works on its end of a socket pair. It has no limit of its own for what comes, and does not
notice when a player does not take what it sends: both are seen to here.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Protocol

from diadem_server.gates.ssh.meter import Meter, TooMuch

CHUNK_IN = 4 * 1024
"""Bytes parsed before others have their turn."""
CHUNK_OUT = 64 * 1024
STALLED_SECONDS = 45.0
"""After which a player who takes nothing of what is sent counts as gone."""
LAST_WORDS_SECONDS = 5.0
"""For which the last bytes for a player wait to be taken."""

Serve = Callable[[socket.socket], Awaitable[None]]


class RelayedConnection(Protocol):
    """What asyncssh makes of the connection."""

    def pause_writing(self) -> None: ...
    def resume_writing(self) -> None: ...
    def keeps_too_much(self) -> bool:
        """Whether more is kept of what the player sent than should be."""

    def exceeded(self) -> None:
        """The player has sent too much, and is listened to no more."""


class Relay:
    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, meter: Meter
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._meter = meter

    async def run(self, serve: Serve, line: RelayedConnection) -> None:
        """Until `serve`, which is given its end, is done with it, and what it sent is on its way."""
        ours, theirs = socket.socketpair()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, CHUNK_IN)
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, CHUNK_OUT)
        to_read, to_write = await asyncio.open_connection(sock=ours, limit=CHUNK_OUT)
        incoming = asyncio.create_task(self._bring(to_write, line))
        outgoing = asyncio.create_task(self._send(to_read, line))
        outgoing.add_done_callback(lambda _: to_write.close())
        try:
            await serve(theirs)
            await asyncio.wait([outgoing], timeout=LAST_WORDS_SECONDS)
        finally:
            incoming.cancel()
            outgoing.cancel()
            await asyncio.gather(incoming, outgoing, return_exceptions=True)
            await asyncio.gather(_close(to_write), _close(self._writer))

    async def _bring(self, to_write: asyncio.StreamWriter, line: RelayedConnection) -> None:
        """What the player sends, as fast as it may come, until it ends or is too much."""
        try:
            while some := await self._reader.read(CHUNK_IN):
                wait = self._meter.take(len(some))
                to_write.write(some)
                await to_write.drain()
                if line.keeps_too_much():
                    raise TooMuch  # noqa: TRY301, it is that also to who counts otherwise
                await asyncio.sleep(wait)
        except TooMuch:
            line.exceeded()
        except OSError:
            pass  # the line is lost
        to_write.write_eof()

    async def _send(self, to_read: asyncio.StreamReader, line: RelayedConnection) -> None:
        """What the player is sent; who does not take it is not written for."""
        while some := await to_read.read(CHUNK_OUT):
            self._writer.write(some)
            if self._writer.transport.get_write_buffer_size():
                line.pause_writing()
                async with asyncio.timeout(STALLED_SECONDS):
                    await self._writer.drain()
                line.resume_writing()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    try:
        async with asyncio.timeout(LAST_WORDS_SECONDS):
            await writer.wait_closed()
    except TimeoutError:
        writer.transport.abort()
    except OSError:
        pass  # the other end is gone
