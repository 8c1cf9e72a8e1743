"""A web gate in virtual time: browsers at any address, and hosted clients that are no processes.

What the gate promises of its bookkeeping is checked by `check`, and by `check_end` once all have gone.
"""

import asyncio
import logging
import random
import secrets
from collections import Counter
from collections.abc import Coroutine
from contextlib import ExitStack, suppress
from pathlib import Path
from signal import SIGKILL, Signals
from typing import Any, Self, TypeVar, cast
from unittest.mock import patch
from weakref import WeakValueDictionary

from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.uri import parse_uri

from diadem_server.config import WebConfig
from diadem_server.gates import terminal_session
from diadem_server.gates.client_line import HostedPlayer
from diadem_server.gates.client_pool import LOST, ClientPool, HostedClient
from diadem_server.gates.messages import FromGate, SessionCount, WebSettings
from diadem_server.gates.server_link import ServerLink
from diadem_server.gates.terminal import Channel
from diadem_server.gates.web import listener, session
from diadem_server.gates.web.listener import WebListener
from diadem_shared.forkserver_protocol import FileName, LaunchRequest
from tests.rig import require
from tests.rig.virtual_clock import VirtualLoop
from tests.rig.virtual_network import End
from tests.rig.virtual_world import MOMENT, ErrorHandler
from tests.web.rig import hello

R = TypeVar("R")

LIMITS: dict[str, Any] = {"most": 6, "most_per_address": 4, "sessions_a_second": 0.5}
"""So low that they are met."""
SPAWNING = 0.05
ENDING = 0.1
"""Seconds that a client takes to start, and to end."""
LONGEST = 180.0
"""Seconds in which all that is left of a window has ended: its line is found to be dead, nobody is expected
back, and its client has to be killed."""


class VirtualTerminal:
    """As a session uses a terminal; what its client says is heard at once."""

    def __init__(self, channel: Channel, size: tuple[int, int]) -> None:
        self.channel = channel
        self.size = size
        self.typed = b""
        self.is_reading = True
        self.is_handed_over = False
        self.is_hung_up = False
        self.is_drained = asyncio.Event()
        self.is_drained.set()

    @property
    def theirs(self) -> "VirtualTerminal":
        return self

    def hand_over(self) -> None:
        self.is_handed_over = True

    def hang_up(self) -> None:
        self.is_hung_up = True

    def feed(self, typed: bytes) -> None:
        self.typed += typed

    def resize(self, width: int, height: int) -> None:
        self.size = width, height

    def pause(self) -> None:
        self.is_reading = False

    def resume(self) -> None:
        self.is_reading = True


class VirtualLine:
    """As a client's line is used; nothing is asked for over it."""

    def __init__(self, _server: object, player: HostedPlayer) -> None:
        self.player = player
        self.theirs = self
        LINES[id(self)] = self

    def fileno(self) -> int:
        return id(self)

    def hand_over(self) -> None:
        """There is nothing to close."""

    def serve(self, orders: LaunchRequest) -> None:
        """Nobody reads them."""

    async def close(self) -> None:
        """There is nothing to close."""


LINES: WeakValueDictionary[int, VirtualLine] = WeakValueDictionary()


class VirtualServer:
    """As a gate uses its link to the server; nothing is kept for anybody."""

    def __init__(self, *_: object) -> None:
        """It is told nothing."""

    async def files(self, _player: str) -> dict[FileName, bytes]:
        return {}


class VirtualPool(ClientPool):
    """Clients that are no processes: each paints its number."""

    def __init__(self, server: ServerLink) -> None:
        super().__init__("web", server)
        self.running: dict[HostedClient, VirtualTerminal] = {}
        self.players: dict[HostedClient, HostedPlayer] = {}
        self.begun = 0
        self.are_stubborn = False
        """Clients that begin now end by SIGKILL alone."""
        self.has_room = True
        """Whether another client can be made."""
        self._stubborn: set[HostedClient] = set()

    async def start(self) -> None:
        """There is no fork server."""

    async def close(self) -> None:
        for client in list(self.running):
            self.ended(client, LOST)

    async def spawn(self, terminal: Any, line: int) -> HostedClient:
        player = LINES[line].player
        await asyncio.sleep(SPAWNING)
        if not self.has_room:
            raise OSError("no room")
        self.begun += 1
        client = HostedClient(self, self.begun)
        self.running[client], self.players[client] = terminal, player
        if self.are_stubborn:
            self._stubborn.add(client)
        self._paint(client)
        return client

    def _paint(self, client: HostedClient) -> None:
        self.running[client].channel.write(b"%d." % client.number)

    def signal(self, client: HostedClient, number: Signals) -> None:
        if client not in self.running:
            return
        if number == session.REPAINT:
            self._paint(client)
        elif number == SIGKILL or client not in self._stubborn:
            asyncio.get_running_loop().call_later(ENDING, self.ended, client, -number)

    def ended(self, client: HostedClient, status: int) -> None:
        if self.running.pop(client, None) is not None:
            del self.players[client]
            self._stubborn.discard(client)
            client.ended.set_result(status)


class Line(asyncio.Protocol):
    """A connection, byte by byte."""

    transport: End

    def __init__(self) -> None:
        self.heard = b""
        self.is_lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("End", transport)

    def send(self, data: bytes) -> None:
        self.transport.write(data)

    def data_received(self, data: bytes) -> None:
        self.heard += data

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True

    @property
    def status(self) -> int:
        """Of the answer over HTTP; 0 for none."""
        return int(self.heard[9:12] or b"0")


class Browser(Line):
    """A window of a browser."""

    def __init__(self, port: int, cookie: str, headers: dict[str, str]) -> None:
        super().__init__()
        self.cookie = cookie
        self._client = ClientProtocol(parse_uri(f"ws://127.0.0.1:{port}/ws"))
        self._headers = {
            "Origin": f"http://127.0.0.1:{port}",
            "Cookie": f"diadem={cookie}",
        } | headers
        self.is_welcome = False
        self.painted = b""
        self.close_code: int | None = None

    def ask(self) -> None:
        request = self._client.connect()
        for name, value in self._headers.items():
            request.headers[name] = value
        self._client.send_request(request)
        self.flush()

    def say(self, text: str) -> None:
        with suppress(Exception):  # it is closed already
            self._client.send_text(text.encode())
        self.flush()

    def type(self, keys: bytes) -> None:
        with suppress(Exception):
            self._client.send_binary(keys)
        self.flush()

    def flush(self) -> None:
        for piece in self._client.data_to_send():
            if piece:
                self.send(piece)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._client.receive_data(data)
        for event in self._client.events_received():
            if isinstance(event, Frame):
                self._hear(event)
        self.flush()

    def _hear(self, frame: Frame) -> None:
        if frame.opcode is Opcode.TEXT:
            self.is_welcome = True
        elif frame.opcode is Opcode.BINARY:
            self.painted += bytes(frame.data)
        elif frame.opcode is Opcode.CLOSE:
            self.close_code = Close.parse(bytes(frame.data)).code

    @property
    def is_open(self) -> bool:
        return not self.is_lost and not self.transport.is_unplugged and self.close_code is None

    @property
    def client(self) -> int | None:
        """Whom it shows, by number."""
        shown = self.painted.replace(session.MODES, b"").split(b".")[:-1]
        return int(shown[-1]) if shown else None


class VirtualGate:
    def __init__(self, folder: Path, seed: int = 0, *, proxy: str = "", **limits: Any) -> None:
        self.loop = VirtualLoop(seed)
        self.chance = random.Random(seed)
        self.windows: list[Browser] = []
        """In the order in which they said who they are."""
        self.counts: list[int] = [0]
        self.alarm = ErrorHandler()
        self.terminals: list[VirtualTerminal] = []
        self.port = 0
        self._troubles: list[dict[str, Any]] = []
        self._settings = WebSettings(
            0,
            folder,
            "127.0.0.1",
            web=WebConfig(0, **(LIMITS | limits)),
            name="The kitchen",
            behind_proxy=proxy,
        )
        self._stack = ExitStack()
        self.listener: WebListener
        self.pool: VirtualPool

    def __enter__(self) -> Self:
        self._stack.callback(self.loop.close)
        self._stack.enter_context(patch.object(terminal_session, "Terminal", self._terminal))
        self._stack.enter_context(patch.object(terminal_session, "ClientLine", VirtualLine))
        self._stack.enter_context(patch.object(listener, "ServerLink", VirtualServer))
        self._stack.enter_context(patch.object(listener, "inherited"))
        self._stack.enter_context(patch.object(secrets, "token_bytes", self.chance.randbytes))
        logging.getLogger().addHandler(self.alarm)
        self._stack.callback(logging.getLogger().removeHandler, self.alarm)
        self.loop.set_exception_handler(lambda _, context: self._troubles.append(context))
        self.run(self._open())
        return self

    async def _open(self) -> None:
        self.listener = WebListener(self._settings, self._told)
        self.pool = self.listener.clients = VirtualPool(self.listener.server)
        self.port = (await self.listener.__aenter__()).port

    def __exit__(self, *_: object) -> None:
        with self._stack:
            self.run(self.close())

    async def close(self) -> None:
        await self.listener.__aexit__()

    def run(self, work: Coroutine[Any, Any, R]) -> R:
        return self.loop.run_until_complete(work)

    def _terminal(self, channel: Channel, size: tuple[int, int]) -> VirtualTerminal:
        self.terminals = [each for each in self.terminals if not each.is_hung_up]
        self.terminals.append(VirtualTerminal(channel, size))
        return self.terminals[-1]

    def _told(self, message: FromGate) -> None:
        if isinstance(message, SessionCount):
            self.counts = [message.count]

    # Browsers

    async def connect(
        self, cookie: str, address: str = "192.0.2.1", headers: dict[str, str] | None = None
    ) -> Browser:
        """A window that has not asked for its websocket yet."""
        browser = Browser(self.port, cookie, headers or {})
        await self._dial(browser, address)
        return browser

    async def line(self, address: str = "192.0.2.1") -> Line:
        """A connection that has said nothing yet."""
        line = Line()
        await self._dial(line, address)
        return line

    async def _dial(self, line: Line, address: str) -> None:
        here = (address, 0)
        await self.loop.create_connection(lambda: line, "127.0.0.1", self.port, local_addr=here)

    async def window(
        self,
        cookie: str,
        address: str = "192.0.2.1",
        headers: dict[str, str] | None = None,
        *,
        resume: bool = False,
    ) -> Browser:
        """A window that has said who it is; there may be no room for it."""
        browser = await self.connect(cookie, address, headers)
        self.windows = [*(each for each in self.windows if each.is_open), browser]
        browser.ask()
        await asyncio.sleep(0.001)
        browser.say(hello(resume=resume))
        return browser

    async def settle(self) -> None:
        await self.pass_time(MOMENT)

    async def pass_time(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    # Promises

    def check(self) -> None:
        """After a moment in which nothing was begun."""
        require(not self.alarm.heard, "nothing goes wrong", *self.alarm.heard)
        require(not self._troubles, "no task dies", *self._troubles)
        web, players = self.listener.config, self.pool.players.values()
        require(self.counts[-1] == len(players), "sessions are counted", self.counts, len(players))
        require(len(players) <= web.most, "there are so many sessions at the most", len(players))
        for what, most in (("address", web.most_per_address), ("token", web.most_per_player)):
            having = Counter(getattr(each, what) for each in players)
            require(all(number <= most for number in having.values()), f"by {what} too", having)
        used = [each for each in self.terminals if not each.is_hung_up]
        require(len(used) <= len(players), "no terminal is left", len(used), len(players))
        running = {each.number for each in self.pool.running}
        shown = [each for each in self.windows if each.is_open and each.is_welcome]
        for each in shown:  # or waits for clients of windows before it to end
            require(each.client in {*running, None}, "who is shown runs", each.painted)
        cookies = Counter(each.cookie for each in shown)
        require(all(number == 1 for number in cookies.values()), "one window a browser", cookies)
        clients = Counter(each.client for each in shown if each.client)
        require(all(number == 1 for number in clients.values()), "one window a client", clients)

    async def leave(self) -> None:
        """All of them, without a word, and none comes back."""
        for each in self.windows:
            each.transport.abort()
        self.windows.clear()
        await asyncio.sleep(LONGEST)

    def check_end(self) -> None:
        """Everybody has gone: nothing is counted of them any more."""
        self.check()
        require(not self.pool.running, "every client ends", *self.pool.running)
        require(all(each.is_hung_up for each in self.terminals), "every terminal is hung up")
        require(
            all(each.is_handed_over for each in self.terminals), "and no descriptor of it is left"
        )
        tasks = [str(task.get_coro()) for task in asyncio.all_tasks(self.loop)]
        require(len(tasks) <= 2, "no task is left but who accepts", *tasks)

    async def check_room(self, addresses: tuple[str, ...]) -> None:
        """As many may come from each address as if nobody had ever been there."""
        web = self.listener.config
        for address in addresses:
            await asyncio.sleep(3600)
            room = min(web.most, web.most_per_address)
            cookies = [secrets.token_urlsafe(32) for _ in range(room)]
            windows = [await self.window(cookie, address) for cookie in cookies]
            await self.settle()
            welcome = sum(each.client is not None for each in windows)
            require(welcome == room, "nothing is counted for ever", address, welcome, room)
            await self.leave()
