"""What a gate asks of its server for the clients it hosts: connections, and the files that are kept for players.

A connection is one end of a socket pair, which the gate hands to the server with whom it is for: the address that it counts for, and the token
that its player has. The other end is for the hosted client. So the server goes by what the gate says, and never by what comes over
the connection; and a hosted client has the one that it was given, and cannot open another.
"""

import asyncio
import os
import socket
from collections.abc import Callable

import msgspec

from diadem_server.gates.messages import FromGate, Handed, KeepFile, PlayerFilesFound, WantFiles
from diadem_shared.forkserver_protocol import FileName

TRIES, BETWEEN_TRIES = 100, 0.05
"""How often, and how many seconds apart, a connection is handed over to a server that does not take it just now."""

AGAIN_SECONDS = 2.0
"""After which files are asked for again: there may have been no room for the question."""


class ServerLink:
    def __init__(self, handing: socket.socket, tell: Callable[[FromGate], object]) -> None:
        """`handing` is where connections go."""
        self._handing = handing
        self._handing.setblocking(False)  # noqa: FBT003
        self._tell = tell
        self._wanted: dict[str, list[asyncio.Future[dict[FileName, bytes]]]] = {}
        """By player."""

    async def connection(self, address: str, token: str) -> socket.socket:
        """A new connection of this player, at the client's end; raises OSError."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                await self._hand_over(msgspec.json.encode(Handed(address, token)), theirs)
            except BaseException:
                ours.close()
                raise
        return ours

    async def _hand_over(self, whose: bytes, end: socket.socket) -> None:
        for _ in range(TRIES):
            try:
                socket.send_fds(self._handing, [whose], [end.fileno()])
            except BlockingIOError:
                await asyncio.sleep(BETWEEN_TRIES)
            else:
                return
        raise TimeoutError

    async def files(self, player: str) -> dict[FileName, bytes]:
        """What is kept for this player."""
        wanted: asyncio.Future[dict[FileName, bytes]] = asyncio.get_running_loop().create_future()
        self._wanted.setdefault(player, []).append(wanted)
        while not wanted.done():
            self._tell(WantFiles(player))
            await asyncio.wait([wanted], timeout=AGAIN_SECONDS)
        return wanted.result()

    def found(self, files: PlayerFilesFound) -> None:
        for wanted in self._wanted.pop(files.player, []):
            if not wanted.done():
                wanted.set_result(files.files)

    def keep(self, player: str, name: FileName, content: bytes) -> None:
        self._tell(KeepFile(player, name, content))

    def close(self) -> None:
        self._handing.close()


def inherited(descriptor: int) -> socket.socket:
    """The socket that the server has left open for this process; its children do not get it."""
    os.set_inheritable(descriptor, False)  # noqa: FBT003
    return socket.socket(fileno=descriptor)
