"""Where clients come in: the connections of one kind, by a listening socket or handed over by a gate."""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import NamedTuple, Protocol

from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import CloseCode
from websockets.http11 import Request

from diadem_server.limits.rate_limits import Bucket
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.addresses import prefix_of
from diadem_server.net.admission import HOSTED, Admission
from diadem_server.net.connection import MOST_TOO_FAST, Connection
from diadem_server.net.handover import Handover
from diadem_server.net.http import ClientOrigin, HttpAnswer, Requests, unless_admitted
from diadem_server.net.listener import Listener, Peer, connect
from diadem_server.net.outbox import Flusher
from diadem_server.net.websocket import HANDSHAKE_SECONDS, Options, WebSocket

log = logging.getLogger(__name__)

SPARE = 40
"""Frames beyond those of commands: whoever hurries is heard long enough to be told so."""


class ClientSocket(NamedTuple):
    """The line to a client, whose conversation may be held at another node."""

    websocket: WebSocket
    client: ClientOrigin
    hold_here: Callable[[], Connection]
    """Makes a connection that can take the conversation over."""


class Forwarding(Protocol):
    def forward(
        self, front: ClientSocket, connection: Connection, handover: Handover, node: int
    ) -> None: ...


class Endpoint:
    def __init__(
        self,
        lobby: Lobby,
        admission: Admission,
        requests: Requests | None = None,
        *,
        tls: ssl.SSLContext | None = None,
        compresses: bool = False,
        forwarding: Forwarding | None = None,
    ) -> None:
        """`requests` says what is answered to those who come by a listening socket; `forwarding` to other nodes, if there
        are any."""
        self._lobby = lobby
        self._admission = admission
        self._requests = requests
        self._forwarding = forwarding
        self._tls = tls
        self._options = Options(extensions=[ServerPerMessageDeflateFactory()] if compresses else [])
        self._flusher = Flusher()
        self._listeners: list[Listener] = []
        self._handed: dict[WebSocket, ClientOrigin] = {}
        """Connections that a gate has handed over, and for whom."""
        self._counts_for: dict[WebSocket, str | None] = {}
        """Every connection, and the prefix it was admitted for; None before that."""
        self._are_lost: asyncio.Event | None = None
        """Set once the last connection is lost; None while nobody waits for that."""
        self._work: set[asyncio.Task[None]] = set()
        """What connections have begun, and what takes a while."""

    def accept(self, sockets: Iterable[socket.socket]) -> None:
        for each in sockets:
            self._listeners.append(Listener(each, self._admission.begin, self._connect))

    def take(self, handed: socket.socket, address: str, token: str) -> None:
        """Go on with a connection that a gate of this server hands over: the player is there at this address, and has this
        token, whatever is said over it."""
        client = ClientOrigin(prefix_of(address), counts_for=HOSTED, token=token)
        task = asyncio.create_task(self._adopt(handed, client))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _adopt(self, handed: socket.socket, client: ClientOrigin) -> None:
        websocket = self._websocket(None)
        self._handed[websocket] = client
        try:
            handed.setblocking(False)  # noqa: FBT003
            await connect(handed, lambda: websocket, None, HANDSHAKE_SECONDS)
        except (OSError, ValueError) as error:
            log.error("what a gate has handed over is no connection: %s", error)
            del self._handed[websocket]
            handed.close()

    async def _connect(self, accepted: socket.socket, peer: Peer | None) -> None:
        make = partial(self._websocket, peer)
        try:
            await connect(accepted, make, self._tls, HANDSHAKE_SECONDS)
        except OSError as error:  # in the handshake of TLS
            log.debug("a connection was not made: %s", error)
            self._end_handshake(peer)
        except BaseException:
            self._end_handshake(peer)
            raise

    def _websocket(self, peer: Peer | None) -> WebSocket:
        config = self._lobby.config
        limit = Bucket(2 * config.commands_a_second, 2 * (config.burst + MOST_TOO_FAST) + SPARE)
        return WebSocket(self, peer, limit, self._options)

    def _end_handshake(self, peer: Peer | None) -> None:
        if peer is not None:
            self._admission.end(peer)

    # What connections tell

    def made(self, websocket: WebSocket) -> None:
        self._counts_for[websocket] = None

    def answer(self, websocket: WebSocket, request: Request) -> HttpAnswer | None:
        self._end_handshake(websocket.peer)
        if client := self._handed.get(websocket):
            return unless_admitted(self._admission, client)
        assert self._requests is not None  # noqa: S101, it listens
        return self._requests.answer(request, websocket.transport)

    def opened(self, websocket: WebSocket, request: Request) -> Connection:
        client = self._handed.get(websocket) or self._requester(websocket, request)
        self._admission.enter(client.counts_for)
        self._counts_for[websocket] = client.counts_for
        return self._hold(websocket, client)

    def _requester(self, websocket: WebSocket, request: Request) -> ClientOrigin:
        assert self._requests is not None  # noqa: S101, it listens
        return self._requests.client(request, websocket.transport)

    def _hold(self, websocket: WebSocket, client: ClientOrigin) -> Connection:
        move = None
        if self._forwarding is not None:
            front = ClientSocket(websocket, client, partial(self._hold, websocket, client))
            move = partial(self._forwarding.forward, front)
        return Connection(self._lobby, websocket, client, self._flusher, self._work, move)

    def lost(self, websocket: WebSocket) -> None:
        self._end_handshake(websocket.peer)
        self._handed.pop(websocket, None)
        prefix = self._counts_for.pop(websocket)
        if prefix is not None:
            self._admission.leave(prefix)
        if self._are_lost is not None and not self._counts_for:
            self._are_lost.set()

    async def close_lines(self, code: CloseCode, seconds: float) -> None:
        """Disconnect everybody, spread over so many seconds. Returns as soon as nobody is left."""
        are_lost = self._are_lost = asyncio.Event()
        websockets = list(self._counts_for)
        for websocket in websockets:
            if websocket in self._counts_for:
                websocket.close(code)
            if seconds and self._counts_for:
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds / len(websockets)):
                        await are_lost.wait()

    async def close(self) -> None:
        """Nobody comes in any more, and whoever is in is disconnected; what they have begun is done."""
        for listener in self._listeners:
            await listener.close()
            for task in listener.connecting:
                task.cancel()
        self._are_lost = asyncio.Event()
        for websocket in list(self._counts_for):
            websocket.close(CloseCode.GOING_AWAY)
        if self._counts_for:
            await self._are_lost.wait()
        if self._work:
            await asyncio.wait(self._work)
