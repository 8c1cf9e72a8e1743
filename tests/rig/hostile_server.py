"""A server that lets one in, and then says whatever it was given to say."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from diadem import protocol
from diadem.game import Refusal
from diadem.protocol import SUBPROTOCOL, Accepted, Bye, Join, TableView, Welcome, pack

END = Bye(Refusal("replaced"))
"""After which a client does not come back."""


class HostileServer:
    """What it says next is taken from `frames`; then it says good-bye, or waits for more."""

    def __init__(self, frames: Sequence[bytes | str] = (), *, table: str | None = None) -> None:
        self.port = 0
        self.table = table
        """Where it says that one has a seat."""
        self.says_goodbye = True
        self._frames: asyncio.Queue[bytes | str] = asyncio.Queue()
        for frame in frames:
            self.say(frame)

    def say(self, frame: bytes | str) -> None:
        self._frames.put_nowait(frame)

    async def __call__(self, line: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            await line.recv()
            await line.send(pack(Welcome("Ana", "token", "Home", "0", self.table)))
            if self.table:
                join = protocol.read_command(await line.recv())
                assert isinstance(join, Join)
                await line.send(pack(Accepted(join.id, 1)))
            async with asyncio.TaskGroup() as group:
                deaf = group.create_task(self._hear_nothing(line))
                await self._talk(line)
                deaf.cancel()

    async def _talk(self, line: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            while self._frames.qsize() or not self.says_goodbye:
                await line.send(await self._frames.get())
            await line.send(pack(END))
            await line.wait_closed()

    async def _hear_nothing(self, line: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            async for _ in line:
                pass
            self._frames.put_nowait(b"")  # nobody listens: the next one need not wait


@asynccontextmanager
async def standing(hostile: HostileServer) -> AsyncIterator[HostileServer]:
    spoken = [Subprotocol(SUBPROTOCOL)]
    async with serve(hostile, "127.0.0.1", 0, subprotocols=spoken, max_size=None) as listening:
        hostile.port = next(iter(listening.sockets)).getsockname()[1]
        yield hostile


def table_of(frames: Sequence[bytes]) -> str:
    """The table that recorded frames are about."""
    messages = map(protocol.read_message, frames)
    return next(each.table for each in messages if isinstance(each, TableView))
