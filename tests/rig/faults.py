"""A TCP proxy that fails on demand: it can cut, drop and delay what goes through it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.rig.listening import listening

CHUNK = 64 * 1024


class Direction:
    """One direction of a connection. Delayed bytes are passed on when it is opened again."""

    def __init__(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        self._source = source
        self._sink = sink
        self._open = asyncio.Event()
        self._open.set()
        self._arrived = asyncio.Event()
        self._swallows = False
        self.is_blocked = False
        """Whether bytes are delayed."""

    def hold(self) -> None:
        self._open.clear()
        self._arrived.clear()

    def swallow(self) -> None:
        self._swallows = True
        self._arrived.clear()

    def release(self) -> None:
        self._open.set()

    async def caught(self) -> None:
        """Set when bytes have come that were delayed or dropped."""
        await self._arrived.wait()

    async def pump(self) -> None:
        with suppress(OSError):
            while chunk := await self._source.read(CHUNK):
                self._arrived.set()
                await self._open.wait()
                if not self._swallows:
                    self._sink.write(chunk)
                    self.is_blocked = True
                    await self._sink.drain()
                    self.is_blocked = False


class ProxiedConnection:
    """One connection through the proxy."""

    def __init__(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self.up = Direction(client[0], server[1])
        self.down = Direction(server[0], client[1])
        self._writers = client[1], server[1]

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def run(self) -> None:
        """Pass bytes on until either end closes."""
        pumps = [asyncio.create_task(way.pump()) for way in (self.up, self.down)]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.cut()
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)


class Proxy:
    def __init__(self, upstream: int, host: str, source: str) -> None:
        self._upstream = host, upstream
        self._source = (source, 0) if source else None
        self.lines: list[ProxiedConnection] = []
        self.port = 0

    @property
    def line(self) -> ProxiedConnection:
        """The newest connection."""
        return self.lines[-1]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server = await asyncio.open_connection(*self._upstream, local_addr=self._source)
        line = ProxiedConnection((reader, writer), server)
        self.lines.append(line)
        await line.run()


@asynccontextmanager
async def proxy(upstream: int, host: str = "127.0.0.1", source: str = "") -> AsyncIterator[Proxy]:
    """`source`: the address that it connects from, if that is not for the system to choose."""
    made = Proxy(upstream, host, source)
    async with listening(made.serve) as made.port:
        yield made
