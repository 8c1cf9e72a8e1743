"""The gate's end of the line to one hosted client: orders go to it, and what it asks for is done at a bounded rate.

Whoever has taken over a hosted client has this line. Over it they get connections that are this player's, one after another, and
the files of this player replaced; nothing else.
"""

import asyncio
import logging
import socket
from contextlib import suppress

import msgspec
from msgspec import Struct

from diadem_server.gates.server_link import ServerLink
from diadem_server.limits.rate_limits import Bucket
from diadem_shared.forkserver_protocol import (
    CONNECTED,
    LENGTH,
    LONGEST_MESSAGE,
    Connect,
    Keep,
    LaunchRequest,
    framed,
    read_from_client,
)

log = logging.getLogger(__name__)

CONNECTIONS_A_SECOND, CONNECTIONS_AT_ONCE = 0.5, 5
KEPT_BYTES_A_SECOND, KEPT_BYTES_AT_ONCE = 16 * 1024, 1024 * 1024
BYTES_OF_ANY = 1024
"""Bytes that each file counts for besides its content."""
CHUNK = 1 << 16
LAST_SECONDS = 5.0
"""For which what a client has sent is still done once it has ended."""


class HostedPlayer(Struct, frozen=True):
    """Whom a hosted client is for, as the gate knows them."""

    address: str
    """For which their connections count."""
    token: str
    folder: str = ""
    """The name of the folder of what is kept for them; "" if nothing is."""


class ClientLine:
    def __init__(self, server: ServerLink, player: HostedPlayer) -> None:
        self._server = server
        self._player = player
        self._ours, self.theirs = socket.socketpair()
        self._ours.setblocking(False)  # noqa: FBT003
        self._connections = Bucket(CONNECTIONS_A_SECOND, CONNECTIONS_AT_ONCE)
        self._kept = Bucket(KEPT_BYTES_A_SECOND, KEPT_BYTES_AT_ONCE)
        self._received = b""
        self._serving: asyncio.Task[None] | None = None

    def hand_over(self) -> None:
        """Close our descriptor of the client's end, once the client has its own."""
        self.theirs.close()

    def serve(self, orders: LaunchRequest) -> None:
        """Send the orders, and then do what the client asks for until it has ended."""
        self._serving = asyncio.create_task(self._serve(orders))

    async def close(self) -> None:
        """End once what a client that has ended has asked for is done."""
        if self._serving is not None:
            await asyncio.wait([self._serving], timeout=LAST_SECONDS)
            self._serving.cancel()
            await asyncio.wait([self._serving])
        self._ours.close()

    async def _serve(self, orders: LaunchRequest) -> None:
        with suppress(OSError):  # the client has ended
            await asyncio.get_running_loop().sock_sendall(self._ours, framed(orders))
            while (message := await self._message()) is not None:
                try:
                    await self._do(read_from_client(message))
                except msgspec.MsgspecError as error:
                    log.error("a hosted client asks for what is not understood: %s", error)
                    return

    async def _do(self, asked: Connect | Keep) -> None:
        match asked:
            case Connect():
                await asyncio.sleep(self._connections.spend(1))
                connection = await self._server.connection(self._player.address, self._player.token)
                with connection:
                    socket.send_fds(self._ours, [CONNECTED], [connection.fileno()])
            case Keep(name, content) if self._player.folder:
                await asyncio.sleep(self._kept.spend(len(content) + BYTES_OF_ANY))
                self._server.keep(self._player.folder, name, content)
            case Keep():
                pass

    async def _message(self) -> bytes | None:
        """None once the client has ended, or sends what is too long."""
        head = await self._read(LENGTH.size)
        if head is None:
            return None
        (length,) = LENGTH.unpack(head)
        return await self._read(length) if length <= LONGEST_MESSAGE else None

    async def _read(self, length: int) -> bytes | None:
        loop = asyncio.get_running_loop()
        while len(self._received) < length:
            some = await loop.sock_recv(self._ours, CHUNK)
            if not some:
                return None
            self._received += some
        content, self._received = self._received[:length], self._received[length:]
        return content
