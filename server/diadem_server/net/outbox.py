"""What waits to be sent to one client, and never more than it should.

A view that could not be sent yet is replaced by a newer one: a slow reader misses what lay between,
and nothing grows. Whoever reads nothing for long is cut off; the seat is kept.
"""

import asyncio
import logging
from contextlib import suppress

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import OPEN

log = logging.getLogger(__name__)

SLOW = 64 * 1024
"""Bytes waiting in the socket from which on views are held back."""
LONGEST_COMPRESSED = 32 * 1024
"""Bytes of a frame that compressing holds up nobody for long."""
STUCK = 1024 * 1024
"""Bytes waiting beyond which a client is cut off."""
FIN_BINARY = 0x82
_SHORT, _LONG = bytes((FIN_BINARY, 126)), bytes((FIN_BINARY, 127))
PATIENCE = 30.0
"""Seconds for which a client may read nothing."""


def _head(size: int) -> bytes:
    """Of a binary frame. websockets takes ten times as long to write one, ready for all there is."""
    if size < 126:
        return bytes((FIN_BINARY, size))
    if size < 2**16:
        return _SHORT + size.to_bytes(2)
    return _LONG + size.to_bytes(8)


class Postman:
    """Takes along what was put into any outbox in one turn of the loop, at its end.

    A write to a socket costs as much as all else in sending; so an answer and the view that
    comes with it share one, and those of many tables follow each other, which wakes readers less.
    """

    def __init__(self) -> None:
        self._filled: list[Outbox] = []

    def call_at(self, outbox: "Outbox") -> None:
        if not self._filled:
            asyncio.get_running_loop().call_soon(self._go_round)
        self._filled.append(outbox)

    def _go_round(self) -> None:
        filled, self._filled = self._filled, []
        for outbox in filled:
            try:
                outbox.empty()
            except Exception:  # of one line, for which the others are not to blame
                log.exception("nothing can be sent to a client")
                outbox.cut()


class Outbox:
    def __init__(self, websocket: ServerConnection, postman: Postman) -> None:
        self._websocket = websocket
        self._postman = postman
        self._unwritten = 0
        """Bytes that the postman has yet to take."""
        self._late: dict[str, bytes] = {}
        self._pump: asyncio.Task[None] | None = None

    def send(self, frame: bytes) -> None:
        """Answers, chat and the like: all of them, in order."""
        if self._waiting() > STUCK:
            self.cut()
        else:
            self._put(frame)

    def offer(self, kind: str, frame: bytes) -> None:
        """A frame that the next of its kind replaces, should this one still wait by then."""
        if self._pump is None and self._waiting() <= SLOW:
            self._put(frame)
            return
        self._late[kind] = frame
        if self._pump is None:
            self._pump = asyncio.create_task(self._send_late())

    def _put(self, frame: bytes) -> None:
        """Where websockets itself keeps what it has yet to write: so all stays in order."""
        protocol = self._websocket.protocol
        if protocol.state is not OPEN:
            return
        if protocol.extensions and len(frame) <= LONGEST_COMPRESSED:
            protocol.send_binary(frame)
        else:
            protocol.writes.append(_head(len(frame)) + frame)
        if not self._unwritten:
            self._postman.call_at(self)
        self._unwritten += len(frame)

    def empty(self) -> None:
        self._unwritten = 0
        protocol = self._websocket.protocol
        if protocol.state is OPEN:  # or else what was left went out before the good-bye
            self._websocket.transport.writelines(protocol.data_to_send())

    def cut(self) -> None:
        self._websocket.transport.abort()

    async def close(self, code: int, reason: str) -> None:
        await self._websocket.close(code, reason)

    def _waiting(self) -> int:
        buffered: int = self._websocket.transport.get_write_buffer_size()
        return buffered + self._unwritten

    async def _send_late(self) -> None:
        try:
            while self._late:
                async with asyncio.timeout(PATIENCE):
                    await self._websocket.drain()
                    kind = next(iter(self._late))
                    await self._websocket.send(self._late.pop(kind))
        except TimeoutError:
            self.cut()
        except ConnectionClosed:
            pass
        finally:
            self._pump = None

    async def finish(self) -> None:
        if self._pump is not None:
            self._pump.cancel()
            with suppress(asyncio.CancelledError):
                await self._pump
