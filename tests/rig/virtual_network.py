"""Connections in memory, between any addresses: what is written is read in a later turn of the loop."""

import asyncio
import itertools
import socket
from collections.abc import Callable
from typing import Any

KERNEL = 64 * 1024
"""Bytes that are on their way without being the writer's any more."""
HIGH_WATER = 64 * 1024
"""Bytes beyond those from which on a writer is asked to pause."""
MOST_READ = 256 * 1024
FIRST_PORT = 40_000

Factory = Callable[[], asyncio.BaseProtocol]
Peer = tuple[str, int]


class End(asyncio.Transport):
    """One end of a connection."""

    other: "End"
    protocol: asyncio.Protocol

    def __init__(self, here: Peer, there: Peer) -> None:
        super().__init__({"sockname": here, "peername": there})
        self._loop = asyncio.get_running_loop()
        self._came_in = bytearray()
        self._hears_no_more = False
        """The other end writes nothing any more."""
        self._is_reading = True
        self._is_closing = False
        self._is_lost = False
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
        if not self._is_reading or self._is_lost:
            return
        if self._came_in:
            data = bytes(self._came_in[:MOST_READ])
            del self._came_in[:MOST_READ]
            if not self._is_closing:
                self.protocol.data_received(data)
            self.other.was_heard()
            self._loop.call_soon(self._hear)
        elif self._hears_no_more and not self._is_closing:
            self._hears_no_more = False
            if not self.protocol.eof_received():
                self.close()

    # Writing

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._is_closing or self.is_unplugged or not data:
            return
        self.other.come_in(bytes(data))
        if not self._is_paused and self.get_write_buffer_size() > HIGH_WATER:
            self._is_paused = True
            self.protocol.pause_writing()

    def was_heard(self) -> None:
        if self._is_paused and not self.get_write_buffer_size():
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
        if not self._is_lost:
            self._is_lost = True
            self.protocol.connection_lost(error)


class Listening(asyncio.AbstractServer):
    """What `create_server` gives, as far as a server looks at it."""

    def __init__(self, dial: "Dial", sock: socket.socket) -> None:
        self._dial = dial
        self.sockets = (sock,)

    def is_serving(self) -> bool:
        return self._dial.is_listening(self.sockets[0])

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    async def start_serving(self) -> None:
        """It does so from the first."""

    async def serve_forever(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self._dial.stop(self.sockets[0])

    async def wait_closed(self) -> None:
        """Whoever has opened it knows of the connections too."""


class Dial:
    """Who listens at which port."""

    def __init__(self) -> None:
        self._factories: dict[int, Factory] = {}
        self._ports = itertools.count(FIRST_PORT)

    def listen(self, factory: Factory, sock: socket.socket) -> Listening:
        self._factories[_port_of(sock)] = factory
        return Listening(self, sock)

    def is_listening(self, sock: socket.socket) -> bool:
        return sock.fileno() >= 0 and _port_of(sock) in self._factories

    def stop(self, sock: socket.socket) -> None:
        if sock.fileno() >= 0:
            self._factories.pop(_port_of(sock), None)
            sock.close()

    async def connect(
        self, factory: Factory, address: str, there: Peer
    ) -> tuple[asyncio.Transport, asyncio.BaseProtocol]:
        if there[1] not in self._factories:
            raise ConnectionRefusedError
        here = address, next(self._ports)
        client, server = End(here, there), End(there, here)
        for end, other, made in (
            (server, client, self._factories[there[1]]),
            (client, server, factory),
        ):
            end.other, end.protocol = other, _protocol(made)
        server.protocol.connection_made(server)
        client.protocol.connection_made(client)
        return client, client.protocol


def _protocol(factory: Factory) -> asyncio.Protocol:
    made = factory()
    assert isinstance(made, asyncio.Protocol)
    return made


def _port_of(sock: Any) -> int:
    port: int = sock.getsockname()[1]
    return port
