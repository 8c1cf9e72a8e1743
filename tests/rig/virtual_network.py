"""Connections in memory, between any addresses: what is written is read in a later turn of the loop."""

import asyncio
import itertools
import socket
from collections.abc import Callable
from typing import Any, TypeAlias

KERNEL = 64 * 1024
"""Bytes that are on their way without being the writer's any more."""
HIGH_WATER = 64 * 1024
"""Bytes beyond those from which on a writer is asked to pause."""
MOST_READ = 256 * 1024
FIRST_PORT = 40_000

Factory = Callable[[], asyncio.BaseProtocol]
Peer = tuple[str, int]
AnyProtocol: TypeAlias = asyncio.Protocol | asyncio.BufferedProtocol


class End(asyncio.Transport):
    """One end of a connection."""

    other: "End"
    protocol: AnyProtocol | None = None
    """None until somebody has accepted the connection."""

    def __init__(self, here: Peer, there: Peer) -> None:
        super().__init__({"sockname": here, "peername": there})
        self._loop = asyncio.get_running_loop()
        self._came_in = bytearray()
        self._hears_no_more = False
        """The other end writes nothing any more."""
        self._is_reading = True
        self._is_closing = False
        self.is_lost = False
        self.is_unplugged = False
        self._is_paused = False
        """The protocol was asked to pause writing."""

    # Reading

    def pause_reading(self) -> None:
        self._is_reading = False

    def resume_reading(self) -> None:
        self._is_reading = True
        self._loop.call_soon(self._hear)

    def is_reading(self) -> bool:
        return self._is_reading and not self._is_closing

    @property
    def unread(self) -> int:
        """Bytes that have come in."""
        return len(self._came_in)

    def come_in(self, data: bytes) -> None:
        self._came_in += data
        self._loop.call_soon(self._hear)

    def end_comes_in(self) -> None:
        self._hears_no_more = True
        self._loop.call_soon(self._hear)

    def _hear(self) -> None:
        if not self._is_reading or self.is_lost or self.protocol is None:
            return
        if self._came_in:
            size = self._read_into_protocol()
            del self._came_in[:size]
            self.other.was_heard()
            self._loop.call_soon(self._hear)
        elif self._hears_no_more and not self._is_closing:
            self._hears_no_more = False
            if not self.protocol.eof_received():
                self.close()

    def _read_into_protocol(self) -> int:
        """How much was read. What comes to a transport that is closing is thrown away."""
        if self._is_closing or self.protocol is None:
            return len(self._came_in)
        if not isinstance(self.protocol, asyncio.BufferedProtocol):
            data = bytes(self._came_in[:MOST_READ])
            self.protocol.data_received(data)
            return len(data)
        buffer = memoryview(self.protocol.get_buffer(-1))
        size = min(len(buffer), len(self._came_in))
        buffer[:size] = self._came_in[:size]
        self.protocol.buffer_updated(size)
        return size

    # Writing

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._is_closing or self.is_unplugged or not data:
            return
        self.other.come_in(bytes(data))
        if (
            self.protocol is not None
            and not self._is_paused
            and self.get_write_buffer_size() > HIGH_WATER
        ):
            self._is_paused = True
            self.protocol.pause_writing()

    def was_heard(self) -> None:
        if self.protocol is not None and self._is_paused and not self.get_write_buffer_size():
            self._is_paused = False
            self.protocol.resume_writing()
        if self._is_closing and not self.get_write_buffer_size():
            self.lose(None)

    def get_write_buffer_size(self) -> int:
        return max(0, self.other.unread - KERNEL)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """They are the network's own."""

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        if not self.is_unplugged:
            self.other.end_comes_in()

    # The end

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self.write_eof()
            self._loop.call_soon(self.was_heard)

    def abort(self) -> None:
        self._is_closing = True
        self._loop.call_soon(self.lose, None)
        if not self.is_unplugged:
            self._loop.call_soon(self.other.lose, ConnectionResetError())

    def unplug(self) -> None:
        """Nothing goes through any more, and neither end is told."""
        self.is_unplugged = self.other.is_unplugged = True

    def lose(self, error: Exception | None) -> None:
        self._is_closing = True
        if not self.is_lost:
            self.is_lost = True
            if self.protocol is not None:
                self.protocol.connection_lost(error)


class AcceptedSocket:
    """A connection that was accepted: what a server takes for a socket."""

    def __init__(self, end: End) -> None:
        self.end = end

    def setsockopt(self, *_: object) -> None:
        """It lingers for no time, when it is closed before it has a protocol."""

    def close(self) -> None:
        self.end.other.lose(ConnectionResetError())


class PortListener:
    """Who listens at which port."""

    def __init__(self) -> None:
        self._arrivals: dict[int, asyncio.Queue[End]] = {}
        """By the descriptor of the socket that listens."""
        self._listening: dict[int, socket.socket] = {}
        self._ports = itertools.count(FIRST_PORT)

    async def accept(self, sock: socket.socket) -> tuple[AcceptedSocket, Peer]:
        port = _port_of(sock)
        if self._listening.get(port) is not sock:
            self._listening[port] = sock
            self._arrivals[port] = asyncio.Queue()
        end = await self._arrivals[port].get()
        return AcceptedSocket(end), end.get_extra_info("peername")

    async def connect(
        self, factory: Factory, address: str, there: Peer
    ) -> tuple[asyncio.Transport, asyncio.BaseProtocol]:
        port = there[1]
        await asyncio.sleep(0)  # a server that has just been started begins to accept
        if port not in self._listening or self._listening[port].fileno() < 0:
            raise ConnectionRefusedError
        here = address, next(self._ports)
        client, server = End(here, there), End(there, here)
        client.other, server.other = server, client
        client.protocol = _protocol(factory)
        server.pause_reading()
        self._arrivals[port].put_nowait(server)
        client.protocol.connection_made(client)
        return client, client.protocol


def take(
    factory: Factory, arrival: AcceptedSocket
) -> tuple[asyncio.Transport, asyncio.BaseProtocol]:
    end = arrival.end
    end.protocol = protocol = _protocol(factory)
    end.resume_reading()
    protocol.connection_made(end)
    if end.is_lost:
        protocol.connection_lost(None)
    return end, protocol


def _protocol(factory: Factory) -> AnyProtocol:
    made = factory()
    assert isinstance(made, asyncio.Protocol | asyncio.BufferedProtocol)
    return made


def _port_of(sock: Any) -> int:
    port: int = sock.getsockname()[1]
    return port
