"""A line between a browser and the gate that can be slow, be cut, and lead elsewhere."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.rig.listening import listening

AT_ONCE = 64
"""Pieces on their way in one direction; whoever sends more has to wait."""


class Relay:
    def __init__(self, to: int | None, delay: float = 0.0) -> None:
        """Each byte arrives so many seconds after it was sent."""
        self.to = to
        """A port of this machine; None answers nobody."""
        self.port = 0
        self.most_waiting = 0
        """The most bytes that were ever on their way in one direction."""
        self._delay = delay
        self._ends: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Without a word, and for whoever tries again as well."""
        self.to = None
        for end in self._ends:
            end.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Until either end is closed."""
        ends = {writer}
        copying: set[asyncio.Task[None]] = set()
        try:
            with suppress(OSError):
                if self.to is None:
                    return
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.to)
                ends.add(far_writer)
                self._ends |= ends
                ways = (reader, far_writer), (far_reader, writer)
                copying |= {asyncio.create_task(self._copy(*way)) for way in ways}
                await asyncio.wait(copying, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in copying:
                task.cancel()
            self._ends -= ends
            for end in ends:
                end.close()
                with suppress(OSError):
                    await end.wait_closed()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        way = _Way(self._delay)
        leaving = asyncio.create_task(way.leave(reader))
        try:
            with suppress(OSError):
                await way.arrive(writer)
        finally:
            leaving.cancel()
            self.most_waiting = max(self.most_waiting, way.most_waiting)


class _Way:
    """One direction: what has left, and has not arrived."""

    def __init__(self, delay: float) -> None:
        self.most_waiting = 0
        self._waiting = 0
        self._delay = delay
        self._pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(AT_ONCE)

    async def leave(self, reader: asyncio.StreamReader) -> None:
        some = b"-"
        while some:
            try:
                some = await reader.read(1 << 16)
            except OSError:
                some = b""
            self._waiting += len(some)
            self.most_waiting = max(self.most_waiting, self._waiting)
            await self._pieces.put((asyncio.get_running_loop().time() + self._delay, some))

    async def arrive(self, writer: asyncio.StreamWriter) -> None:
        while True:
            due, some = await self._pieces.get()
            if not some:
                return
            await asyncio.sleep(due - asyncio.get_running_loop().time())
            self._waiting -= len(some)
            writer.write(some)
            await writer.drain()


@asynccontextmanager
async def relay(to: int | None, delay: float = 0.0) -> AsyncIterator[Relay]:
    line = Relay(to, delay)
    async with listening(line.serve) as line.port:
        yield line
