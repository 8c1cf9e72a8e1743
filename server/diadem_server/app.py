"""The server as a whole: it listens, lets in, and ends politely."""

import asyncio
import logging
import signal
import ssl
from collections import Counter
from contextlib import suppress
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from diadem.protocol import MAX_FRAME, SUBPROTOCOL
from diadem_server.config import Config
from diadem_server.connection import Connection
from diadem_server.hall import Hall
from diadem_server.journal import Journal

log = logging.getLogger(__name__)

BACKLOG = 2048
"""With the usual 100, a thousand clients at once wait ten times as long."""
PING_SECONDS = 20.0


class App:
    """One server. `async with App(config) as app:` runs it; `app.port` says where."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._journal = Journal(config.data)
        self.hall = Hall(config, self._journal)
        self._addresses: Counter[str] = Counter()
        self._server: Server | None = None

    async def __aenter__(self) -> "App":
        self._journal.start()
        try:
            self._server = await serve(
                self._handle,
                self.config.host,
                self.config.port,
                ssl=tls(self.config),
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                process_request=self._answer_plainly,
                compression="deflate" if self.config.compress else None,
                max_size=MAX_FRAME,
                max_queue=8,
                ping_interval=PING_SECONDS,
                ping_timeout=PING_SECONDS,
                backlog=BACKLOG,
                server_header=None,
            )
        except BaseException:
            self._journal.close()
            raise
        self.hall.restore_tables()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server:
            self._server.close(close_connections=False)
        await self.hall.close()
        if self._server:
            self._server.close()
            await self._server.wait_closed()
        self._journal.close()

    @property
    def port(self) -> int:
        if self._server is None:
            return self.config.port
        port: int = next(iter(self._server.sockets)).getsockname()[1]
        return port

    async def run_until_told(self) -> None:
        """Until SIGTERM or SIGINT."""
        told = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(NotImplementedError):
                loop.add_signal_handler(number, told.set)
        await told.wait()

    async def _handle(self, websocket: ServerConnection) -> None:
        address = address_of(websocket)
        self._addresses[address] += 1
        self.hall.metrics.connections += 1
        try:
            await Connection(self.hall, websocket).serve()
        finally:
            self.hall.metrics.connections -= 1
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    def _answer_plainly(self, websocket: ServerConnection, request: Request) -> Response | None:
        """What a browser or a monitor asks for; None lets a player in."""
        path = request.path.partition("?")[0]
        if path == "/healthz":
            return websocket.respond(HTTPStatus.OK, "ok\n")
        if path == "/metrics":
            self.hall.metrics.tables = len(self.hall.tables)
            return websocket.respond(HTTPStatus.OK, str(self.hall.metrics))
        if "Upgrade" not in request.headers:
            return websocket.respond(
                HTTPStatus.UPGRADE_REQUIRED,
                "This is a Diadem server. Play with: game-client --host HOST\n",
            )
        full = self.hall.metrics.connections >= self.config.max_connections
        if full or self._addresses[address_of(websocket)] >= self.config.max_per_address:
            self.hall.metrics.turned_away += 1
            return websocket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        return None


def address_of(websocket: ServerConnection) -> str:
    address = websocket.remote_address
    return str(address[0]) if address else ""


def tls(config: Config) -> ssl.SSLContext | None:
    if config.tls_cert is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(config.tls_cert, config.tls_key)
    return context
