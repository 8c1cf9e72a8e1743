"""A gate's link to its server, and what the server gets of it."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from diadem_server.gates.messages import LONGEST_HANDED, FromGate, Handed, read_handed
from diadem_server.gates.server_link import ServerLink


class Handover:
    """The server's end: what is handed over, and what it is told."""

    def __init__(self) -> None:
        self.handed, handing = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.told: list[FromGate] = []
        self.link = ServerLink(handing, self.told.append)

    def take(self) -> tuple[Handed, socket.socket]:
        """The next connection, and whose it is."""
        said, (end,), _flags, _from = socket.recv_fds(self.handed, LONGEST_HANDED, 1)
        return read_handed(said), socket.socket(fileno=end)


@contextmanager
def handover() -> Iterator[Handover]:
    made = Handover()
    with made.handed:
        yield made
        made.link.close()
