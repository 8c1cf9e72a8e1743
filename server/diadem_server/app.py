"""The server as a whole: it listens, lets in, and ends politely."""

import asyncio
import logging
import ssl
from http import HTTPStatus
from pathlib import Path
from threading import Thread
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve, unix_serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from diadem.protocol import MAX_FRAME, SUBPROTOCOL
from diadem_server.config import Config
from diadem_server.lobby.lobby import Lobby
from diadem_server.lobby.prune import keep_tidy
from diadem_server.lobby.restore import restore
from diadem_server.net.addresses import (
    forwarded_for,
    is_from,
    is_own_user,
    origin_of,
    peer_of,
    prefix_of,
)
from diadem_server.net.admission import HOSTED, Admission
from diadem_server.net.connection import Connection
from diadem_server.net.entrance import LET_IN_AT_ONCE, Entrance, open_entrances
from diadem_server.net.line import Line
from diadem_server.net.mdns import Announcer, Place
from diadem_server.net.origin import BrowserRules
from diadem_server.net.rate_limits import whole_seconds
from diadem_server.storage.journal import Journal
from diadem_server.storage.sqlite import SqliteJournal

log = logging.getLogger(__name__)

PING_SECONDS = 20.0
CLOSING_SECONDS = 5.0
"""For which the server waits for the other side to hang up."""
MOST_READ = 256 * 1024
"""Bytes for which asyncio makes room at each read."""


class App:
    """One server. `async with App(config) as app:` runs it; `app.port` says where."""

    def __init__(self, config: Config, journal: Journal | None = None) -> None:
        self.config = config
        self._journal = journal or SqliteJournal(config.data)
        self.lobby = Lobby(config, self._journal)
        self.admission = Admission(config, self.lobby.metrics)
        self._browsers = BrowserRules(
            (config.host or "", *config.allow_hosts), config.allow_origins
        )
        self._entrances: list[Entrance] = []
        self._servers: list[Server] = []
        self._local: Server | None = None
        """Where the clients come that gates run for players."""
        self._announcing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "App":
        keep_room_for_reads()
        self._journal.start()
        try:
            certificate = tls(self.config)
            self._entrances = await open_entrances(
                self.config.host, self.config.port, self.admission
            )
            # Before anybody is let in, who may look for hers.
            await restore(self.lobby)
            self._servers = [await self._open(each, certificate) for each in self._entrances]
        except BaseException:
            self._journal.close()
            raise
        self.lobby.spawn(keep_tidy(self.lobby))
        if self.is_seen_from_outside:
            # A thread that nobody waits for: a network without DNS answers after many seconds.
            Thread(target=self._browsers.learn_own_name, name="own name", daemon=True).start()
            if self.config.announce:
                self._announcing = asyncio.create_task(Announcer(self.lobby, self._place()).run())
        return self

    async def _open(self, entrance: Entrance, certificate: ssl.SSLContext | None) -> Server:
        server = await serve(
            self._handle,
            sock=entrance,
            ssl=certificate,
            create_connection=Line.with_limits(self.admission, self.config, self.lobby.crowd),
            compression="deflate" if self.config.compress else None,
            backlog=LET_IN_AT_ONCE,
            **self._manners,
        )
        entrance.listen()  # uvloop has done so in its own way
        return server

    @property
    def _manners(self) -> dict[str, Any]:
        """How every line is held, whichever way it came."""
        return {
            "subprotocols": [Subprotocol(SUBPROTOCOL)],
            "process_request": self._answer_plainly,
            "max_size": MAX_FRAME,
            "max_queue": 8,
            "ping_interval": PING_SECONDS,
            "ping_timeout": PING_SECONDS,
            "close_timeout": CLOSING_SECONDS,
            "server_header": None,
        }

    async def open_local_socket(self, path: Path) -> None:
        """For the clients that a gate of this server runs for players whom it has let in and counted."""
        self._local = await unix_serve(
            self._handle_hosted,
            str(path),
            compression=None,
            **(self._manners | {"process_request": self._answer_hosted}),
        )

    async def close_local_socket(self) -> None:
        if self._local is not None:
            self._local.close()
            await self._local.wait_closed()

    async def __aexit__(self, *_: object) -> None:
        # A second close of the server would do nothing: nobody new is let in, but lines stay open.
        self.admission.is_closed = True
        if self._announcing:
            self._announcing.cancel()
        await self.lobby.close()
        for server in self._servers:
            server.close()
        for server in self._servers:
            await server.wait_closed()
        if self._announcing:
            await asyncio.wait({self._announcing}, timeout=CLOSING_SECONDS)
        self._journal.close()

    @property
    def port(self) -> int:
        return self._entrances[0].port if self._entrances else self.config.port

    @property
    def is_seen_from_outside(self) -> bool:
        """Whether other machines can connect, if no firewall stands between."""
        return self._place().is_seen_from_outside

    def _place(self) -> Place:
        hosts = [entrance.getsockname()[0] for entrance in self._entrances]
        return Place(hosts, self.port, tls=self.config.tls_cert is not None)

    async def _handle(self, websocket: ServerConnection) -> None:
        assert websocket.request is not None  # noqa: S101, the handshake is over
        prefix = self._prefix(websocket, websocket.request)
        await self._serve(Connection(self.lobby, websocket, prefix), prefix)

    async def _handle_hosted(self, websocket: ServerConnection) -> None:
        """The gate says whom it plays for, and brings a token that follows from the player's key."""
        assert websocket.request is not None  # noqa: S101, the handshake is over
        prefix = prefix_of(forwarded_for(websocket.request.headers) or "")
        connection = Connection(self.lobby, websocket, prefix, may_bring_token=True)
        await self._serve(connection, HOSTED)

    async def _serve(self, connection: Connection, prefix: str) -> None:
        self.admission.enter(prefix)
        try:
            await connection.serve()
        finally:
            self.admission.leave(prefix)

    def _answer_plainly(self, websocket: ServerConnection, request: Request) -> Response | None:
        """What a browser or a monitor asks for; None lets a player in."""
        if isinstance(websocket, Line):
            websocket.has_asked()
        if said := self._browsers.refusal(
            request.headers, checks_host=self._checks_host(websocket)
        ):
            return websocket.respond(HTTPStatus.FORBIDDEN, f"{said}\n")
        path = request.path.partition("?")[0]
        if path == "/healthz":
            trouble = self._journal.trouble
            if trouble is None:
                return websocket.respond(HTTPStatus.OK, "ok\n")
            return websocket.respond(
                HTTPStatus.SERVICE_UNAVAILABLE, f"the journal cannot be written: {trouble}\n"
            )
        if path == "/metrics":
            self.lobby.metrics.tables = len(self.lobby.tables)
            self.lobby.metrics.journal_waiting = self._journal.waiting
            return websocket.respond(HTTPStatus.OK, str(self.lobby.metrics))
        if "Upgrade" not in request.headers:
            return websocket.respond(
                HTTPStatus.UPGRADE_REQUIRED,
                "This is a Diadem server. Play with: game-client --host HOST\n",
            )
        return self._turn_away(websocket, self._prefix(websocket, request))

    def _checks_host(self, websocket: ServerConnection) -> bool:
        """A certificate proves the name as well, and a proxy of ours passes on what it was called."""
        is_proxy = is_from(self.config.behind_proxy, peer_of(websocket))
        return self.config.tls_cert is None and not is_proxy

    def _answer_hosted(self, websocket: ServerConnection, _: Request) -> Response | None:
        if not is_own_user(websocket):
            return websocket.respond(HTTPStatus.FORBIDDEN, "this is for the server's own clients\n")
        return self._turn_away(websocket, HOSTED)

    def _turn_away(self, websocket: ServerConnection, prefix: str) -> Response | None:
        wait = self.admission.wait(prefix)
        if wait is None:
            return None
        response = websocket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        response.headers["Retry-After"] = str(whole_seconds(wait))
        return response

    def _prefix(self, websocket: ServerConnection, request: Request) -> str:
        origin = origin_of(peer_of(websocket), request.headers, self.config.behind_proxy)
        return prefix_of(origin)


def keep_room_for_reads() -> None:
    """Until a block of that size was freed once, the C library gets it from the kernel for each read
    and gives it back, page by page, which costs more than the reading."""
    bytes(2 * MOST_READ)


def tls(config: Config) -> ssl.SSLContext | None:
    if config.tls_cert is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # A key that is locked is refused: there is nobody to ask for its password.
    context.load_cert_chain(config.tls_cert, config.tls_key, password="")
    return context
