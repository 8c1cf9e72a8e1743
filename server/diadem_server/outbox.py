"""What waits to be sent to one client, and never more than it should.

A view that could not be sent yet is replaced by a newer one: a slow reader misses what lay between,
and nothing grows. Whoever reads nothing for long is cut off; the seat is kept.
"""

import asyncio
from contextlib import suppress

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed

SLOW = 64 * 1024
"""Bytes waiting in the socket from which on views are held back."""
STUCK = 1024 * 1024
"""Bytes waiting beyond which a client is cut off."""
PATIENCE = 30.0
"""Seconds for which a client may read nothing."""


class Outbox:
    def __init__(self, websocket: ServerConnection) -> None:
        self._websocket = websocket
        self._late: dict[str, bytes] = {}
        self._pump: asyncio.Task[None] | None = None

    def send(self, frame: bytes) -> None:
        """Answers, chat and the like: all of them, in order."""
        if self._waiting() > STUCK:
            self.cut()
        else:
            broadcast([self._websocket], frame)

    def offer(self, kind: str, frame: bytes) -> None:
        """A frame that the next of its kind replaces, should this one still wait by then."""
        if self._pump is None and self._waiting() <= SLOW:
            broadcast([self._websocket], frame)
            return
        self._late[kind] = frame
        if self._pump is None:
            self._pump = asyncio.create_task(self._send_late())

    def cut(self) -> None:
        self._websocket.transport.abort()

    async def close(self, code: int, reason: str) -> None:
        await self._websocket.close(code, reason)

    def _waiting(self) -> int:
        size: int = self._websocket.transport.get_write_buffer_size()
        return size

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
