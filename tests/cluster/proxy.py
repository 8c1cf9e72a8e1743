"""Stands between a node and PostgreSQL, and fails as a network does."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tests.cluster.postgres import SOCKET, Postgres


class Proxy:
    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self._writers: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()
        self.refuses = False
        """Nobody gets through any more."""
        self.refused = asyncio.Event()
        self.swallows_answers_of: bytes | None = None
        """What PostgreSQL answers to the next message that holds this is lost, and the connection with it."""
        self.swallows_silently = False
        """The connection seems to live: nothing that PostgreSQL says over it comes through any more."""
        self.swallowed = asyncio.Event()
        self.holds: bytes | None = None
        """The next message with this in it gets no further until it is released, nor what its sender says after it."""
        self.held = asyncio.Event()
        self._released = asyncio.Event()
        self._is_open = asyncio.Event()
        self._is_open.set()
        self._mute: set[asyncio.StreamWriter] = set()
        """Of nodes, what PostgreSQL says to them is lost."""

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuses:
            self.refused.set()
            writer.close()
            return
        await self._is_open.wait()
        there, back = await asyncio.open_unix_connection(self._postgres.folder / SOCKET)
        self._writers |= {writer, back}
        ways = [
            asyncio.create_task(self._carry(reader, back, writer)),
            asyncio.create_task(self._carry(there, writer, None)),
        ]
        await asyncio.wait(ways)
        for each in (writer, back):
            self._writers.discard(each)
            self._mute.discard(each)
            each.close()

    async def _carry(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        asker: asyncio.StreamWriter | None,
    ) -> None:
        with suppress(ConnectionError):
            while said := await reader.read(65536):
                await self._is_open.wait()
                if asker is not None and self.holds is not None and self.holds in said:
                    self.holds = None
                    self.held.set()
                    await self._released.wait()
                what = self.swallows_answers_of
                if asker is not None and what is not None and what in said:
                    self.swallows_answers_of = None
                    if self.swallows_silently:
                        self._mute.add(asker)
                    else:
                        asker.transport.abort()
                    self.swallowed.set()
                if writer not in self._mute:
                    writer.write(said)
                    await writer.drain()
        await self._is_open.wait()
        writer.close()

    @property
    def is_used(self) -> bool:
        """Whether somebody has come."""
        return bool(self._serving)

    def release(self) -> None:
        self._released.set()

    async def all_gone(self) -> None:
        """Returns once PostgreSQL is done with all who came this way, and are gone."""
        await asyncio.wait(self._serving)

    async def close(self) -> None:
        self.release()
        self.heal()
        self.cut()
        if self._serving:
            await asyncio.wait(self._serving)

    def die(self) -> None:
        """Nothing gets through until it is healed, neither what is said nor that a connection has ended."""
        self._is_open.clear()

    def heal(self) -> None:
        self._is_open.set()

    def cut(self) -> None:
        """All connections at once."""
        for writer in self._writers:
            writer.transport.abort()


@asynccontextmanager
async def proxied(postgres: Postgres, database: str) -> AsyncIterator[tuple[Proxy, str]]:
    """With the address of this database by way of the proxy."""
    proxy = Proxy(postgres)
    with tempfile.TemporaryDirectory(prefix="diadem-px-", dir="/tmp") as folder:
        server = await asyncio.start_unix_server(proxy.serve, Path(folder) / SOCKET)
        try:
            yield proxy, database.replace(str(postgres.folder), folder)
        finally:
            server.close()
            await proxy.close()
