"""The sockets that the server listens on.

To make a line for a connection costs far more than to end one. So one that is not admitted is reset
where the loop would accept it, before anything is made for it.
"""

import asyncio
import errno
import socket
import struct
from contextlib import ExitStack
from typing import Any, Protocol

from diadem.protocol import MAX_FRAME
from diadem_server.net.admission import Peer

LET_IN_AT_ONCE = 1
"""Connections taken before those who play are served again."""
BACKLOG = 2048
"""With the usual 100, a thousand clients at once wait ten times as long."""
AT_ONCE = struct.pack("ii", 1, 0)
"""Without a word of good-bye, which would have to be answered."""
NOT_SPOKEN_HERE = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL}
"""On a machine without IPv6, of its addresses."""


class Pending(Protocol):
    """Says which connections may begin."""

    def begin(self, peer: Peer) -> bool: ...
    def end(self, peer: Peer) -> None: ...


class Entrance(socket.socket):
    """Accepts whom admission lets begin. (uvloop accepts by itself: then the line asks.)"""

    def __init__(self, family: int, address: tuple[Any, ...], admission: Pending) -> None:
        # Named, or else asyncio does not know that what is sent must not be kept back.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._admission = admission
        try:
            self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            # No line brings more than a frame at once.
            self.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, MAX_FRAME)
            if family == socket.AF_INET6:
                self.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            self.bind(address)
        except BaseException:
            self.close()
            raise

    def listen(self, _: int = BACKLOG, /) -> None:
        """To asyncio the length of the queue and how many it takes in one go are one number."""
        super().listen(BACKLOG)

    def accept(self) -> tuple[socket.socket, Any]:
        taken, peer = super().accept()
        if self._admission.begin(peer[:2]):
            return _Visitor(taken, peer, self._admission), peer
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        taken.close()
        # As if she had gone already: the loop serves the others before it comes here again.
        raise ConnectionAbortedError

    @property
    def port(self) -> int:
        port: int = self.getsockname()[1]
        return port


class _Visitor(socket.socket):
    """A connection that is pending no longer once it is closed, however that comes about."""

    def __init__(self, taken: socket.socket, peer: tuple[Any, ...], admission: Pending) -> None:
        super().__init__(taken.family, taken.type, taken.proto, taken.detach())
        self._peer = peer
        self._admission = admission

    def close(self) -> None:
        super().close()
        self._admission.end(self._peer[:2])


async def open_entrances(host: str | None, port: int, admission: Pending) -> list[Entrance]:
    """One for each address that the host's name stands for; None stands for all of this machine's."""
    found = await asyncio.get_running_loop().getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    opened: list[Entrance] = []
    trouble: OSError | None = None
    with ExitStack() as unless_all_went_well:
        for family, address in dict.fromkeys((each[0], each[4]) for each in found):
            # All have one port, even if the system chooses it.
            port = opened[0].port if opened else port
            try:
                entrance = Entrance(family, (address[0], port, *address[2:]), admission)
            except OSError as error:
                if error.errno not in NOT_SPOKEN_HERE:
                    raise
                trouble = error
            else:
                opened.append(unless_all_went_well.enter_context(entrance))
        unless_all_went_well.pop_all()
    if not opened and trouble is not None:
        raise trouble
    return opened
