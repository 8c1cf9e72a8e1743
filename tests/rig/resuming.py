"""A client that reconnects by itself, and the faults that its connection may have."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from enum import StrEnum
from types import TracebackType
from typing import TypeVar

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from diadem_shared import protocol
from diadem_shared.protocol import Answer, Bye, Command
from tests.patience import PATIENCE
from tests.rig.faults import ProxiedConnection, Proxy
from tests.rig.wire import Player

M = TypeVar("M")


class Fault(StrEnum):
    NONE = "none"
    CUT = "cut"  # before the command is sent
    COMMAND_LOST = "command lost"
    ANSWER_LOST = "answer lost"
    REPEATED = "repeated"  # repeated although it was answered
    HALF_OPEN = "half-open"  # the server does not learn that the connection is dead
    LATE = "late"  # the command arrives after the client gave up and repeated it


class ConnectionLost(Exception):
    """The connection broke; nothing more will be received."""


class Resuming(Player):
    def __init__(self, proxies: Sequence[Proxy], name: str) -> None:
        """To servers that are one; they come to the next of them each time."""
        self._proxies = itertools.cycle(proxies)
        self.proxy = next(self._proxies)
        super().__init__(self.proxy.port, name)
        self.table: str | None = None
        self._down = False
        self._left: list[tuple[ClientConnection, asyncio.Task[None]]] = []
        """Connections that this client has given up without closing them."""

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await super().__aexit__(kind, error, trace)
        for socket, reader in self._left:
            socket.transport.abort()
            await reader

    async def come(self, table: str) -> None:
        self.table = table
        await self.ask(protocol.Join, table)

    async def resume(self) -> None:
        """A new connection: back in the session, and back at the table."""
        if self.socket and self._reader:
            self._left.append((self.socket, self._reader))
        self._down = False
        self.proxy = next(self._proxies)
        self.url = f"ws://127.0.0.1:{self.proxy.port}"
        greeting = await self.connect()
        assert not isinstance(greeting, Bye), greeting
        if self.table is not None:
            await self.ask(protocol.Join, self.table)

    async def insist(self, command: Command) -> Answer:
        """The answer to a command, over as many connections as it takes."""
        while True:
            try:
                answer: Answer = await self.ask_again(command)
            except (ConnectionClosed, ConnectionLost):
                await self.resume()
            else:
                return answer

    async def until(self, found: Callable[[], M | None]) -> M:
        async with asyncio.timeout(PATIENCE), self._changed:
            while not (it := found()):
                if self._down:
                    raise ConnectionLost
                await self._changed.wait()
            return it

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for frame in socket:
                if socket is self.socket:
                    assert isinstance(frame, bytes)
                    self.frames.append(frame)
                    await self._take(protocol.read_message(frame))
        except ConnectionClosed:
            pass
        if socket is self.socket:
            async with self._changed:
                self._down = True
                self._changed.notify_all()

    # Faults

    def next_command(self, move: str) -> protocol.Play:
        return protocol.Play(next(self.ids), move)

    async def insist_despite(self, fault: Fault, command: Command) -> Answer:
        line = self.proxy.line
        match fault:
            case Fault.NONE:
                pass
            case Fault.CUT:
                line.cut()
            case Fault.COMMAND_LOST:
                line.up.swallow()
                await self._send(command)
                await line.up.caught()
                line.cut()
            case Fault.ANSWER_LOST:
                line.down.swallow()
                await self._send(command)
                await line.down.caught()
                line.cut()
            case Fault.REPEATED:
                await self.ask_again(command)
            case Fault.HALF_OPEN:
                await self._give_up_on(line, command)
            case Fault.LATE:
                await self._give_up_on(line, command)
                answer = await self.insist(command)
                line.up.release()
                return answer
        return await self.insist(command)

    async def _give_up_on(self, line: ProxiedConnection, command: Command) -> None:
        line.up.hold()
        line.down.swallow()
        await self._send(command)
        await line.up.caught()
        await self.resume()

    async def _send(self, command: Command) -> None:
        assert self.socket is not None
        await self.socket.send(protocol.pack(command))
