"""A hostile server: it welcomes a client, and then sends whatever frames it was given."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from diadem_shared import protocol
from diadem_shared.protocol import SUBPROTOCOL, Accepted, Bye, Join, TableView, Welcome, pack
from diadem_shared.refusals import Code, Refusal

END = Bye(Refusal(Code.REPLACED))
"""Codes of `bye` after which a client does not reconnect."""


class HostileServer:
    """Sends the frames it was given, and then `bye`, or waits for more."""

    def __init__(
        self,
        frames: Sequence[bytes | str] = (),
        *,
        table: str | None = None,
        server: str = "Home",
        lasting: bool = False,
        flood: bytes = b"",
    ) -> None:
        """`table` is where the client has a seat; a flood is sent again and again, without end."""
        self.port = 0
        self.said = 0
        self._welcome = Welcome("Ana", "token", server, "0", table)
        self._lasting = lasting
        self._flood = flood
        self._frames: asyncio.Queue[bytes | str] = asyncio.Queue()
        for frame in frames:
            self.say(frame)

    def say(self, frame: bytes | str) -> None:
        self.said += 1
        self._frames.put_nowait(frame)

    async def __call__(self, line: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            await line.recv()
            await line.send(pack(self._welcome))
            if self._welcome.table:
                join = protocol.read_command(await line.recv())
                assert isinstance(join, Join)
                await line.send(pack(Accepted(join.id, 1)))
            talk = asyncio.create_task(self._talk(line))
            try:
                async for _ in line:
                    pass  # reads nothing
            finally:
                talk.cancel()
                with suppress(asyncio.CancelledError, ConnectionClosed):
                    await talk

    async def _talk(self, line: ServerConnection) -> None:
        while self._flood:
            await line.send(self._flood)
            await asyncio.sleep(0)  # it shares the loop with its client
        while self._lasting or self._frames.qsize():
            await line.send(await self._frames.get())
        await line.send(pack(END))


@asynccontextmanager
async def standing(hostile: HostileServer) -> AsyncIterator[HostileServer]:
    spoken = [Subprotocol(SUBPROTOCOL)]
    async with serve(hostile, "127.0.0.1", 0, subprotocols=spoken, compression=None) as listening:
        hostile.port = next(iter(listening.sockets)).getsockname()[1]
        yield hostile


def table_of(frames: Sequence[bytes]) -> str:
    """The table that recorded frames are about."""
    messages = map(protocol.read_message, frames)
    return next(each.table for each in messages if isinstance(each, TableView))
