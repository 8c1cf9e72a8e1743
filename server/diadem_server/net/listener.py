"""Sockets that listen, and who is accepted there.

To make a connection's transport costs far more than to end it. So a connection that admission does not let begin
is reset as it is accepted, before anything is made for it; and others are served between any two.
"""

import asyncio
import errno
import logging
import socket
import ssl
import struct
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from typing import Any, TypeAlias

from diadem_shared.protocol import MAX_FRAME

log = logging.getLogger(__name__)

BACKLOG = 2048
"""Connections that the system keeps until they are accepted. With the usual 100, a thousand clients at once
wait ten times as long."""
RETRY_SECONDS = 1.0
"""After which connections are accepted again where the system had no room for another."""
SHUTDOWN_SECONDS = 5.0
"""For which the other side may answer that it ends TLS."""
RESET = struct.pack("ii", 1, 0)
"""Linger for no time: no end is sent that would have to be answered."""
NOT_SPOKEN_HERE = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL}
"""On a machine without IPv6, of its addresses."""

Peer: TypeAlias = tuple[str, int]
"""The other end of a connection: address and port."""
Begin: TypeAlias = Callable[[Peer], bool]
"""Whether a connection may begin."""
Connect: TypeAlias = Callable[[socket.socket, Peer | None], Coroutine[Any, Any, None]]
"""Makes something of a connection. It has no peer over a Unix socket."""


class Listener:
    """Accepts connections at one socket until it is closed."""

    def __init__(self, listening: socket.socket, begin: Begin, connect: Connect) -> None:
        self._socket = listening
        self._begin = begin
        self._connect = connect
        self.connecting: set[asyncio.Task[None]] = set()
        """One for each connection of which something is being made."""
        self._accepting = asyncio.create_task(self._accept_for_ever())

    async def _accept_for_ever(self) -> None:
        while True:
            try:
                await self._accept()
            except ConnectionError:
                continue  # it is gone already
            except OSError as error:
                log.error("no connection can be accepted: %s", error)
                await asyncio.sleep(RETRY_SECONDS)
            await asyncio.sleep(0)  # those who are connected have their turn

    async def _accept(self) -> None:
        accepted, address = await asyncio.get_running_loop().sock_accept(self._socket)
        peer = address[:2] if isinstance(address, tuple) else None
        if peer is None or self._begin(peer):
            task = asyncio.create_task(self._connect(accepted, peer))
            self.connecting.add(task)
            task.add_done_callback(self.connecting.discard)
        else:
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            accepted.close()

    async def close(self) -> None:
        """Accept nobody any more."""
        self._accepting.cancel()
        await asyncio.wait({self._accepting})
        self._socket.close()


async def connect(
    accepted: socket.socket,
    make: Callable[[], asyncio.BaseProtocol],
    tls: ssl.SSLContext | None,
    handshake_seconds: float,
) -> None:
    """Make a connection of what was accepted; raises OSError if the handshake of TLS fails."""
    loop = asyncio.get_running_loop()
    if tls is None:
        await loop.connect_accepted_socket(make, accepted)
    else:
        await loop.connect_accepted_socket(
            make,
            accepted,
            ssl=tls,
            ssl_handshake_timeout=handshake_seconds,
            ssl_shutdown_timeout=SHUTDOWN_SECONDS,
        )


async def open_sockets(host: str | None, port: int) -> list[socket.socket]:
    """A socket for each address that the host's name stands for; None stands for all of this machine's."""
    found = await asyncio.get_running_loop().getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    opened: list[socket.socket] = []
    trouble: OSError | None = None
    with ExitStack() as unless_all_went_well:
        for family, address in dict.fromkeys((each[0], each[4]) for each in found):
            # All have one port, even if the system chooses it.
            port = port_of(opened[0]) if opened else port
            try:
                one = _opened(family, (address[0], port, *address[2:]))
            except OSError as error:
                if error.errno not in NOT_SPOKEN_HERE:
                    raise
                trouble = error
            else:
                opened.append(unless_all_went_well.enter_context(one))
        unless_all_went_well.pop_all()
    if not opened and trouble is not None:
        raise trouble
    return opened


def _opened(family: int, address: tuple[Any, ...]) -> socket.socket:
    # TCP is named, or else asyncio does not know that what is sent must not be kept back.
    one = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # No connection brings more than a frame at once.
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, MAX_FRAME)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.bind(address)
        _listen(one)
    except BaseException:
        one.close()
        raise
    return one


def _listen(one: socket.socket) -> None:
    one.setblocking(False)  # noqa: FBT003, a flag of its own
    one.listen(BACKLOG)


def port_of(opened: socket.socket) -> int:
    port: int = opened.getsockname()[1]
    return port
