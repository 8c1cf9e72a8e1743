"""Stands on the way to a node that others dial, and fails as a network does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from tests.rig.listening import listening

CHUNK = 64 * 1024


class Way:
    """One direction, of all connections."""

    def __init__(self) -> None:
        self._is_open = asyncio.Event()
        self._is_open.set()
        self.delay = 0.0
        """Seconds that each piece takes."""
        self.breaks = False
        """Of the next piece of each connection half gets through, and then the connection is gone."""

    def die(self) -> None:
        """Nothing gets through until it is healed, neither what is said nor that a connection has ended."""
        self._is_open.clear()

    def heal(self) -> None:
        self._is_open.set()
        self.delay = 0.0
        self.breaks = False

    async def pass_through(self) -> None:
        await asyncio.sleep(self.delay)
        await self._is_open.wait()


class Partition:
    def __init__(self, node: int) -> None:
        """The port of the node behind it."""
        self.port = 0
        self.there, self.back = Way(), Way()
        """To the node, and from it."""
        self._node = node

    @property
    def ways(self) -> tuple[Way, Way]:
        return self.there, self.back

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with AsyncExitStack() as stack:
            stack.callback(writer.transport.abort)
            with suppress(OSError):  # the node is not there
                from_node, to_node = await asyncio.open_connection("127.0.0.1", self._node)
                stack.callback(to_node.transport.abort)
                async with asyncio.TaskGroup() as carrying:
                    carrying.create_task(_carry(reader, to_node, self.there, writer))
                    carrying.create_task(_carry(from_node, writer, self.back, to_node))


async def _carry(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    way: Way,
    asker: asyncio.StreamWriter,
) -> None:
    with suppress(ConnectionError):
        while said := await reader.read(CHUNK):
            await way.pass_through()
            if way.breaks:
                writer.write(said[: len(said) // 2])
                await writer.drain()
                asker.transport.abort()
                break
            writer.write(said)
            await writer.drain()
    await way.pass_through()
    writer.close()


@asynccontextmanager
async def partition(node: int) -> AsyncIterator[Partition]:
    made = Partition(node)
    async with listening(made.serve) as made.port:
        yield made
