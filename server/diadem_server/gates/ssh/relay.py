"""A relay between a TCP connection and asyncssh, which applies rate limits and backpressure.

asyncssh works on its end of a socket pair. It has no rate limit of its own, and does not notice when
a player stops reading; both are handled here.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Protocol

from diadem_server.gates.ssh.byte_limits import ByteLimiter, TooMuch

CHUNK_IN = 4 * 1024
"""Bytes passed on before the loop serves other connections."""
CHUNK_OUT = 64 * 1024
STALLED_SECONDS = 45.0
"""Seconds after which a player who reads nothing counts as gone."""
LAST_WORDS_SECONDS = 5.0
"""Seconds that the last bytes for a player may take."""

Serve = Callable[[socket.socket], Awaitable[None]]


class RelayedConnection(Protocol):
    """What asyncssh's server object of the connection has to offer."""

    def pause_writing(self) -> None: ...
    def resume_writing(self) -> None: ...
    def keeps_too_much(self) -> bool:
        """Whether the player has made the server buffer more than they may."""

    def exceeded(self) -> None:
        """Called when the player has exceeded the limits; nothing more is read."""


class Relay:
    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, meter: ByteLimiter
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._meter = meter

    async def run(self, serve: Serve, connection: RelayedConnection) -> None:
        """Run `serve` on its end of the socket pair, until it returns and its output is flushed."""
        ours, theirs = socket.socketpair()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, CHUNK_IN)
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, CHUNK_OUT)
        to_read, to_write = await asyncio.open_connection(sock=ours, limit=CHUNK_OUT)
        incoming = asyncio.create_task(self._bring(to_write, connection))
        outgoing = asyncio.create_task(self._send(to_read, connection))
        outgoing.add_done_callback(lambda _: to_write.close())
        try:
            await serve(theirs)
            await asyncio.wait([outgoing], timeout=LAST_WORDS_SECONDS)
        finally:
            incoming.cancel()
            outgoing.cancel()
            await asyncio.gather(incoming, outgoing, return_exceptions=True)
            await asyncio.gather(_close(to_write), _close(self._writer))

    async def _bring(self, to_write: asyncio.StreamWriter, connection: RelayedConnection) -> None:
        """Pass on what the player sends, throttled by the meter, until it ends or exceeds the limits."""
        try:
            while some := await self._reader.read(CHUNK_IN):
                wait = self._meter.take(len(some))
                to_write.write(some)
                await to_write.drain()
                if connection.keeps_too_much():
                    raise TooMuch  # noqa: TRY301, it is that also to who counts otherwise
                await asyncio.sleep(wait)
        except TooMuch:
            connection.exceeded()
        except OSError:
            pass  # the connection is lost
        to_write.write_eof()

    async def _send(self, to_read: asyncio.StreamReader, connection: RelayedConnection) -> None:
        """Pass on what asyncssh sends; a player who stops reading stops the client by backpressure."""
        while some := await to_read.read(CHUNK_OUT):
            self._writer.write(some)
            if self._writer.transport.get_write_buffer_size():
                connection.pause_writing()
                async with asyncio.timeout(STALLED_SECONDS):
                    await self._writer.drain()
                connection.resume_writing()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    try:
        async with asyncio.timeout(LAST_WORDS_SECONDS):
            await writer.wait_closed()
    except TimeoutError:
        writer.transport.abort()
    except OSError:
        pass  # the other end is gone
