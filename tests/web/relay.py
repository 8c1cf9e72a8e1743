"""A line between a browser and the gate that can be cut, and lead elsewhere."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Relay:
    def __init__(self, to: int | None) -> None:
        self.to = to
        """A port of this machine; None answers nobody."""
        self.port = 0
        self._ends: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Without a word, and for whoever tries again as well."""
        self.to = None
        for end in self._ends:
            end.transport.abort()

    async def close(self) -> None:
        self.cut()
        await asyncio.gather(*self._passing)

    def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        passing = asyncio.create_task(self._pass_on(reader, writer))
        self._passing.add(passing)
        passing.add_done_callback(self._passing.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Until either end is closed."""
        ends = {writer}
        try:
            with suppress(OSError):
                if self.to is None:
                    return
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.to)
                ends.add(far_writer)
                self._ends |= ends
                await asyncio.wait(
                    {
                        there := asyncio.create_task(_copy(reader, far_writer)),
                        back := asyncio.create_task(_copy(far_reader, writer)),
                    },
                    return_when=asyncio.FIRST_COMPLETED,
                )
                there.cancel()
                back.cancel()
        finally:
            self._ends -= ends
            for end in ends:
                end.close()
                with suppress(OSError):
                    await end.wait_closed()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while some := await reader.read(1 << 16):
            writer.write(some)
            await writer.drain()


@asynccontextmanager
async def relay(to: int | None) -> AsyncIterator[Relay]:
    line = Relay(to)
    server = await asyncio.start_server(line.meet, "127.0.0.1", 0)
    line.port = server.sockets[0].getsockname()[1]
    try:
        yield line
    finally:
        server.close()
        await line.close()
