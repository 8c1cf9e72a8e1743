"""Listens for browsers, and knows who of them has a client."""

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from threading import Thread
from typing import NamedTuple

from websockets.http11 import Request

from diadem_server.app import tls
from diadem_server.gates.admission import GateAdmission
from diadem_server.gates.client_pool import ClientPool
from diadem_server.gates.messages import Listening, SessionCount, WebSettings
from diadem_server.gates.players import Players
from diadem_server.gates.privileges import drop
from diadem_server.gates.process import Tell
from diadem_server.gates.server_link import ServerLink, inherited
from diadem_server.gates.web import page_files
from diadem_server.gates.web.connection import WebConnection
from diadem_server.gates.web.messages import Close, Hello
from diadem_server.gates.web.requests import WebRequests
from diadem_server.gates.web.session import WebSession
from diadem_server.limits.rate_limits import Bucket
from diadem_server.net.http import HttpAnswer
from diadem_server.net.listener import Listener, Peer, connect, open_sockets, port_of
from diadem_server.net.websocket import HANDSHAKE_SECONDS, Options, WebSocket

log = logging.getLogger(__name__)

FOLDER = "web"
OPTIONS = Options(
    subprotocols=None,
    max_size=16 * 1024,
    high_water=4 * 1024,  # what waits is shown late
    close_seconds=30.0,  # a slow line takes some to bring the page
)
FRAMES_A_SECOND, FRAMES_AT_ONCE = 120.0, 600
"""The rate limit of what a browser sends, and its burst; reads of as much as one read takes come to 100."""

LAST_WORDS_SECONDS = 5.0
"""Seconds that the last bytes for a browser may take as the gate closes."""


class PendingHandshake:
    """A connection in its handshake of TLS, of which nothing can be read yet."""

    has_session = False
    is_silent = True

    def __init__(self, accepted: socket.socket) -> None:
        self._accepted = accepted

    def evict(self) -> None:
        with suppress(OSError):  # it is closed already
            self._accepted.shutdown(socket.SHUT_RDWR)


class PendingWindow(NamedTuple):
    """A connection of a browser, which may be evicted as long as it shows no session."""

    websocket: WebSocket
    shows_session: Callable[[WebSocket], bool]

    @property
    def has_session(self) -> bool:
        return self.shows_session(self.websocket)

    @property
    def is_silent(self) -> bool:
        return self.websocket.is_silent

    def evict(self) -> None:
        self.websocket.abort()


class WebListener:
    """`async with WebListener(settings, tell) as listening:` runs it."""

    def __init__(self, settings: WebSettings, tell: Tell) -> None:
        self.settings = settings
        self.config = settings.web
        self.players = Players(settings.data / FOLDER)
        self.admission = GateAdmission(self.config, lambda count: tell(SessionCount(count)))
        self.server = ServerLink(inherited(settings.handing), tell)
        self.clients = ClientPool("web", self.server)
        self._tls = tls(settings.tls_cert, settings.tls_key)
        self._requests = WebRequests(settings, page_files.load())
        self._listeners: list[Listener] = []
        self._websockets: dict[WebSocket, WebConnection | None] = {}
        """With what became of each; None before its request."""
        self._are_lost: asyncio.Event | None = None
        """Set once the last connection is lost; None while others may come."""
        self._sessions: dict[str, WebSession] = {}
        """By identity: one browser has one window."""
        self._running: dict[asyncio.Task[None], WebSession] = {}
        """Also those that another window took over from, until they have ended."""
        self._exits = AsyncExitStack()

    async def __aenter__(self) -> Listening:
        async with self._exits as exits:
            sockets = await open_sockets(self.settings.host, self.config.port)
            drop(self.settings.user, self.settings.most_processes)
            exits.push_async_callback(self.clients.close)
            await self.clients.start()
            for each in sockets:
                self._listeners.append(Listener(each, self._begin, self._connect))
            exits.push_async_callback(self._leave)
            self._exits = exits.pop_all()
        # A thread that nobody waits for: a network without DNS answers after many seconds.
        Thread(target=self._requests.browsers.learn_own_name, name="own name", daemon=True).start()
        return Listening(port_of(sockets[0]))

    async def __aexit__(self, *_: object) -> None:
        await self._exits.aclose()

    def player(self, identity: str) -> str:
        """What admission counts a player by, which is not what they prove it with."""
        return self.players.folder(identity)

    # Connections

    def _begin(self, peer: Peer) -> bool:
        return self.admission.begin(peer, is_proxy=self._requests.is_from_proxy(peer[0]))

    async def _connect(self, accepted: socket.socket, peer: Peer | None) -> None:
        assert peer is not None  # noqa: S101, this is TCP
        self.admission.can_evict(peer, PendingHandshake(accepted))
        limit = Bucket(FRAMES_A_SECOND, FRAMES_AT_ONCE)
        try:
            make = partial(WebSocket, self, peer, limit, OPTIONS)
            await connect(accepted, make, self._tls, HANDSHAKE_SECONDS)
        except OSError as error:  # in the handshake of TLS
            log.debug("a connection was not made: %s", error)
            self.admission.end(peer)
        except BaseException:
            self.admission.end(peer)
            raise

    def made(self, websocket: WebSocket) -> None:
        self._websockets[websocket] = None
        self.admission.can_evict(_peer(websocket), PendingWindow(websocket, self.has_session))

    def has_session(self, websocket: WebSocket) -> bool:
        """Whether it shows a session that admission has counted."""
        connection = self._websockets.get(websocket)
        session = None if connection is None else connection.session
        return session is not None and session.is_counted

    def answer(self, websocket: WebSocket, request: Request) -> HttpAnswer | None:
        peer = _peer(websocket)
        if self._requests.is_from_proxy(peer[0]):
            address = self._requests.address_of(request, peer[0])
            if not self.admission.count_for(peer, address):
                return self._requests.crowded()
        return self._requests.answer(request, peer[0])

    def opened(self, websocket: WebSocket, request: Request) -> WebConnection:
        peer = _peer(websocket)
        visitor = self._requests.visitor(request, peer[0])
        connection = self._websockets[websocket] = WebConnection(self, websocket, visitor)
        if why := self.admission.refusal(visitor.address):
            connection.refuse(Close.BUSY, why)
        elif visitor.identity is None:
            connection.refuse(Close.NOT_LET_IN, "this browser keeps no cookies")
        return connection

    def lost(self, websocket: WebSocket) -> None:
        del self._websockets[websocket]
        self.admission.end(_peer(websocket))
        if self._are_lost is not None and not self._websockets:
            self._are_lost.set()

    # Sessions

    def enter(self, connection: WebConnection, hello: Hello) -> None:
        """Show a browser its client: the one it had, if its line broke just now, or else another."""
        if self._are_lost is not None:
            connection.close(Close.RESTARTING, "the host restarts")
            return
        identity = connection.visitor.identity
        assert identity is not None  # noqa: S101, others were sent away
        before = self._sessions.get(identity)
        if before is not None:
            if hello.resume and before.can_resume():
                before.resume_on(connection, hello.size)
                return
            before.replace()
        try:
            session = WebSession(self, connection, identity, hello)
        except OSError as error:
            log.error("web: no room for another session: %s", error)
            connection.close(Close.BUSY, "there is no room just now")
            return
        self._sessions[identity] = session
        task = asyncio.create_task(session.run())
        self._running[task] = session
        task.add_done_callback(partial(self._let_go, identity))

    def _let_go(self, identity: str, task: asyncio.Task[None]) -> None:
        session = self._running.pop(task)
        if self._sessions.get(identity) is session:
            del self._sessions[identity]
        if not task.cancelled() and task.exception() is not None:
            log.error("a session in a browser broke down", exc_info=task.exception())

    def replaced(self, session: WebSession) -> list[asyncio.Task[None]]:
        """The sessions of windows before this one, of the same browser, that have not ended yet."""
        return [
            task
            for task, other in self._running.items()
            if other is not session and other.identity == session.identity and not task.done()
        ]

    async def _leave(self) -> None:
        """Close the listening sockets and end the sessions, which tell their players."""
        self._are_lost = asyncio.Event()
        for listener in self._listeners:
            await listener.close()
            for task in listener.connecting:
                task.cancel()
        running = list(self._running.items())
        await asyncio.gather(*(session.close() for _, session in running))
        await asyncio.gather(*(task for task, _ in running), return_exceptions=True)
        for websocket in list(self._websockets):
            websocket.close(Close.RESTARTING)
        if self._websockets:
            with suppress(TimeoutError):
                async with asyncio.timeout(LAST_WORDS_SECONDS):
                    await self._are_lost.wait()
        for websocket in list(self._websockets):
            websocket.abort()


def _peer(websocket: WebSocket) -> Peer:
    assert websocket.peer is not None  # noqa: S101, this is TCP
    return websocket.peer
