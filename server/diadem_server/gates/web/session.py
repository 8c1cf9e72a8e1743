"""One player's hosted client, and the browser that shows it, also after its line broke and came back."""

import asyncio
import logging
import re
import signal
from typing import TYPE_CHECKING, Any

from diadem_server.gates.client_line import HostedPlayer
from diadem_server.gates.client_pool import LOST
from diadem_server.gates.terminal import RESTORE, environment
from diadem_server.gates.terminal_session import TerminalSession, player_name
from diadem_server.gates.web.messages import Close, Hello, Size, bounded, welcome
from diadem_shared.forkserver_protocol import PAGE, TABLE_CODE, LaunchRequest

if TYPE_CHECKING:
    from diadem_server.gates.web.connection import WebConnection
    from diadem_server.gates.web.listener import WebListener

log = logging.getLogger(__name__)

TERM = "xterm-256color"
LANGUAGES = {"de": "de_DE.UTF-8", "fr": "fr_FR.UTF-8"}
"""Locales by the language a browser asks for; English for every other."""
LANGUAGE = re.compile(r"[a-z]{2}")
REPAINT = signal.SIGUSR1
MODES = b"\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h\x1b[?25l\x1b[?1004h\x1b[?2004h\x1b[?7l"
"""The modes that a client sets at its start, for a window that may have missed some of them."""


class WebSession:
    def __init__(
        self, listener: "WebListener", connection: "WebConnection", identity: str, hello: Hello
    ) -> None:
        """Raises OSError where the system has no room for another terminal."""
        self._listener = listener
        self.identity = identity
        self._visitor = connection.visitor
        """Who came first. It counts for their address to its end, wherever they come back from."""
        self._name = player_name(hello.name)
        self._table = hello.table.upper() if TABLE_CODE.fullmatch(hello.table) else ""
        self._lang = hello.lang
        self._hosting = TerminalSession(listener.clients, self, bounded(hello.size))
        self._connection: WebConnection | None = None
        self._is_held = False
        self._over: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Done when nobody is expected back, or another window took over."""
        self._grace: asyncio.TimerHandle | None = None
        self._is_closing = False
        """As the gate closes."""
        self.is_counted = False
        """Whether admission counts it just now."""
        self._attach(connection)

    # The browser

    def can_resume(self) -> bool:
        return self._hosting.is_running and not self._over.done() and not self._is_closing

    def resume_on(self, connection: "WebConnection", size: Size) -> None:
        """Show the client on this line from now on, painted anew."""
        assert self._hosting.client is not None  # noqa: S101, it can be resumed
        self._send_elsewhere()
        self._attach(connection)
        connection.write(MODES)
        self.resize(bounded(size))
        self._hosting.client.send(REPAINT)

    def _attach(self, connection: "WebConnection") -> None:
        self._stop_grace()
        self._connection = connection
        connection.show(self, welcome(self._listener.settings.name, self._table))
        if self._is_held:
            connection.hold()

    def detach(self, connection: "WebConnection") -> None:
        """Its line is lost: whoever comes back in time finds the client as it was."""
        if self._connection is not connection:
            return
        self._connection = None
        if not self._over.done():
            self.resume()  # what is said to nobody is thrown away, and blocks no client
            seconds = self._listener.config.grace_seconds
            self._grace = asyncio.get_running_loop().call_later(seconds, self._end)

    def replace(self) -> None:
        """Another window of this browser is used instead."""
        self._send_elsewhere()
        self._end()

    def _end(self) -> None:
        self._stop_grace()
        if not self._over.done():
            self._over.set_result(0)

    def _stop_grace(self) -> None:
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None

    def _send_elsewhere(self) -> None:
        if self._connection is not None:
            self._connection.close(Close.ELSEWHERE, "another window took over")

    def feed(self, typed: bytes) -> None:
        self._hosting.terminal.feed(typed)

    def resize(self, size: Size) -> None:
        self._hosting.terminal.resize(*size)

    def pause(self) -> None:
        self._hosting.terminal.pause()

    def resume(self) -> None:
        self._hosting.terminal.resume()

    # Called by the terminal

    def write(self, data: bytes) -> None:
        if self._connection is not None and data:
            self._connection.write(data)

    def pause_reading(self) -> None:
        self._is_held = True
        if self._connection is not None:
            self._connection.hold()

    def resume_reading(self) -> None:
        self._is_held = False
        if self._connection is not None:
            self._connection.release()

    # The client

    async def run(self) -> None:
        """Run the whole session; when it returns no process is left."""
        try:
            player = self._listener.player(self.identity)
            if why := await self._enter(player):
                self._hosting.cancel()
                self._dismiss(Close.BUSY, why)
            else:
                await self._stay_counted(player)
        finally:
            self._end()

    async def _stay_counted(self, player: str) -> None:
        self.is_counted = True
        try:
            await self._stay()
        finally:
            self.is_counted = False
            self._listener.admission.leave(player, self._visitor.address)

    async def _enter(self, player: str) -> str | None:
        """Count it; why that cannot be. Where windows before it still have its place, it waits for their end."""
        admission, address = self._listener.admission, self._visitor.address
        while not self._over.done():
            if (why := admission.enter(player, address)) is None:
                return None
            if not (before := self._listener.replaced(self)):
                return why
            awaited: list[asyncio.Future[Any]] = [*before, self._over]
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        return "another window took over"

    async def _stay(self) -> None:
        log.info("web: %s came from %s", self._name, self._visitor.address)
        try:
            status = await self._host()
            if status is not None:
                self._finish(status)
        except OSError as error:
            log.error("web: no room for another session: %s", error)
            self._dismiss(Close.BUSY, "there is no room just now")
        finally:
            log.info("web: %s left", self._name)

    async def _host(self) -> int | None:
        players = self._listener.players
        folder = players.folder(self.identity)
        player = HostedPlayer(self._visitor.address, players.token(self.identity), folder)
        try:
            orders = await self._orders(player)
        except BaseException:
            self._hosting.cancel()
            raise
        return await self._hosting.run(player, orders, self._over)

    async def _orders(self, player: HostedPlayer) -> LaunchRequest:
        listener = self._listener
        language = LANGUAGE.match(self._lang.casefold())
        locale = LANGUAGES.get(language[0] if language else "", "en_GB.UTF-8")
        return LaunchRequest(
            name=self._name,
            environment=environment(TERM, {"COLORTERM": "truecolor", "LANG": locale})
            | {"TERM_PROGRAM": PAGE},
            table=self._table,
            is_known=True,
            files=await listener.server.files(player.folder),
            reached=self._visitor.reached,
            page=self._visitor.page,
            idle=listener.config.idle_seconds,
        )

    def _finish(self, status: int) -> None:
        """Tell the page why its client has ended."""
        if self._is_closing or status == LOST:
            self._dismiss(Close.RESTARTING, "the host restarts")
            return
        if status < 0:
            log.error("web: the client of %s was ended by signal %d", self._name, -status)
            self.write(RESTORE + b"Diadem had to stop. Please come again.\r\n")
        self._dismiss(Close.LEFT)

    def _dismiss(self, code: Close, why: str = "") -> None:
        if self._connection is not None:
            self._connection.close(code, why)

    async def close(self) -> None:
        """End the session as the host closes; the client tells its player."""
        self._is_closing = True
        if await self._hosting.leave():
            return
        self._dismiss(Close.RESTARTING, "the host restarts")
        self._end()
