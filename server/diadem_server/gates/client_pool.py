"""The gate's side of the fork server of hosted clients.

It is spawned when it is needed, and again should it die. Its clients end with it: their terminals
are hung up as soon as that is noticed.
"""

import asyncio
import itertools
import logging
import signal
import socket
import sys
from contextlib import suppress

from diadem_server.gates.server_link import ServerLink
from diadem_shared.forkserver_protocol import ASKED, CONFINED, LAYER_NAMES, TOLD, Layer, Request

log = logging.getLogger(__name__)

LOST = -1
"""The exit status of a client whose fork server died."""
ENDING = ((signal.SIGHUP, 2.0), (signal.SIGTERM, 2.0), (signal.SIGKILL, 10.0))
"""The signals that end a client, each with its grace period in seconds."""
CLOSING_SECONDS = 10.0


class HostedClient:
    """One client process."""

    def __init__(self, pool: "ClientPool", number: int) -> None:
        self._pool = pool
        self.number = number
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Its exit status, negative where a signal ended it."""

    def send(self, number: signal.Signals) -> None:
        self._pool.signal(self, number)

    async def gone_within(self, seconds: float) -> bool:
        done, _ = await asyncio.wait([self.ended], timeout=seconds)
        return bool(done)

    async def end(self) -> None:
        """Send one signal after the other until the client has ended; its terminal is hung up already."""
        for number, seconds in ENDING:
            if self.ended.done():
                return
            self.send(number)
            await self.gone_within(seconds)
        if not self.ended.done():
            log.error("the hosted client %d cannot be killed", self.number)


class ClientPool:
    def __init__(self, gate: str, server: ServerLink) -> None:
        """The gate's name, and the server that its clients play on."""
        self._gate = gate
        self.server = server
        self._numbers = itertools.count(1)
        self._process: asyncio.subprocess.Process | None = None
        self._socket: socket.socket | None = None
        self._clients: dict[int, HostedClient] = {}
        self._listening: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        async with self._starting:
            if self._socket is not None:
                return
            if self._listening is not None:
                await self._listening
            ours, theirs = socket.socketpair()
            with theirs:
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-P", "-m", "diadem_client.hosted.forkserver"),
                    stdin=theirs.fileno(),
                    stdout=asyncio.subprocess.DEVNULL,
                )
            ours.setblocking(False)  # noqa: FBT003
            self._socket = ours
            self._listening = asyncio.create_task(self._listen(ours, self._process))

    async def spawn(self, terminal: int, line: int) -> HostedClient:
        """Spawn a client on this terminal, and at this end of its line; it gets duplicates of the open files."""
        await self.start()
        client = HostedClient(self, next(self._numbers))
        try:
            self._clients[client.number] = client
            self._ask(ASKED.pack(Request.SPAWN, client.number, 0), terminal, line)
        except OSError as error:
            log.error("no client can be made: %s", error)
            self._ended(client.number, LOST)
        return client

    def signal(self, client: HostedClient, number: signal.Signals) -> None:
        with suppress(OSError):  # it has ended already
            self._ask(ASKED.pack(Request.SIGNAL, client.number, number))

    def _ask(self, frame: bytes, *files: int) -> None:
        """Send a frame, which is small enough to be written whole."""
        if self._socket is None:
            raise BrokenPipeError
        socket.send_fds(self._socket, [frame], files)

    async def _listen(self, connection: socket.socket, process: asyncio.subprocess.Process) -> None:
        loop = asyncio.get_running_loop()
        heard = b""
        with suppress(OSError):
            while some := await loop.sock_recv(connection, 4096):
                heard += some
                while len(heard) >= TOLD.size:
                    self._heed(*TOLD.unpack(heard[: TOLD.size]))
                    heard = heard[TOLD.size :]
        self._socket = None
        connection.close()
        if self._clients:
            log.error("the process that makes clients has died, %d with it", len(self._clients))
        for number in list(self._clients):
            self._ended(number, LOST)
        await process.wait()

    def _heed(self, number: int, status: int) -> None:
        if number == CONFINED:
            log_layers(self._gate, Layer(status))
        else:
            self._ended(number, status)

    def _ended(self, number: int, status: int) -> None:
        client = self._clients.pop(number, None)
        if client is not None and not client.ended.done():
            client.ended.set_result(status)

    async def close(self) -> None:
        """Close the fork server, which ends its clients and itself."""
        if self._socket is None or self._process is None or self._listening is None:
            return
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        try:
            await asyncio.wait_for(asyncio.shield(self._listening), CLOSING_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._listening


def log_layers(gate: str, layers: Layer) -> None:
    """Say what hosted clients are confined by, and what this system has not got."""
    there, missing = (
        ", ".join(name for layer, name in LAYER_NAMES.items() if bool(layer & layers) is wanted)
        for wanted in (True, False)
    )
    if missing:
        log.warning(
            "%s: hosted clients are confined by %s; this system has not: %s",
            *(gate, there or "nothing", missing),
        )
    else:
        log.info("%s: hosted clients are confined by %s", gate, there)
