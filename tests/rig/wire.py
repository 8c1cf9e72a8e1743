"""A server in this process, and players on real sockets who speak the protocol by hand."""

import asyncio
import itertools
import random
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from diadem_server.app import App
from diadem_server.config import Config
from diadem_server.storage.schema import FILE, open_file
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.frames import as_json
from diadem_shared.games import GAMES
from diadem_shared.protocol import (
    SUBPROTOCOL,
    Answer,
    Bye,
    Command,
    FromServer,
    Gone,
    Hello,
    LobbyView,
    Said,
    TableView,
    Welcome,
)
from tests.patience import PATIENCE

UPGRADE = f"""\
GET / HTTP/1.1\r
Host: diadem\r
Upgrade: websocket\r
Connection: Upgrade\r
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
Sec-WebSocket-Version: 13\r
Sec-WebSocket-Protocol: {SUBPROTOCOL}\r
\r
""".encode()
"""A websocket handshake as bytes, for tests without a library."""

M = TypeVar("M")


@asynccontextmanager
async def server(data: Path, **settings: Any) -> AsyncIterator[App]:
    """A server on a free port of this machine, with fast bots and no limit of commands."""
    given: dict[str, Any] = {"host": "127.0.0.1", "port": 0, "bot_pause": 0.0}
    given |= {"tables_a_minute": 10**6, "max_tables_per_address": 10**6}
    given |= {"newcomers_an_hour": 10**6, "written_an_hour": 10**12}
    given |= {"commands_a_second": 1e6, "burst": 10**6, "connections_a_second": 1e6} | settings
    config = Config(data=data, **given)
    if not (data / FILE).exists():
        (data / FILE).write_bytes(_empty_journal())
    async with App(config) as app:
        yield app


@cache
def _empty_journal() -> bytes:
    """Made once: to create the tables is a third of what it costs to start a server."""
    with TemporaryDirectory() as folder:
        open_file(Path(folder) / FILE).close()
        return (Path(folder) / FILE).read_bytes()


def lasting_port() -> int:
    """One for a server that is started again: the system gives none of these away by itself."""
    for port in random.sample(range(20_000, 30_000), 100):
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("there is no free port")


class Player:
    """One client, that keeps every frame it was sent."""

    def __init__(
        self,
        port: int,
        name: str = "Ana",
        *,
        address: str = "",
        spoken: str = SUBPROTOCOL,
        **hello: Any,
    ) -> None:
        """With an address it comes from there, to a server that takes us for its proxy."""
        self.spoken = spoken
        self.url = f"ws://127.0.0.1:{port}"
        self.local_address: tuple[str, int] | None = None
        """Where they come from, if that is not for the system to choose."""
        self.name = name
        self.hello = hello
        self.headers = {"X-Forwarded-For": address} if address else {}
        self.frames: list[bytes] = []
        self.messages: list[FromServer] = []
        self.view: TableView | None = None
        self.lobby: LobbyView | None = None
        self.token = ""
        self.ids = itertools.count(1)
        """Of commands; an identity that comes back goes on with its own."""
        self._changed = asyncio.Condition()
        self._reader: asyncio.Task[None] | None = None
        self.socket: ClientConnection | None = None

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.disconnect()

    async def connect(self) -> Welcome | Bye:
        """Say hello, with the token if there is one; the answer."""
        self.socket = await connect(
            self.url,
            subprotocols=[Subprotocol(self.spoken)],
            additional_headers=self.headers,
            compression=None,
            max_size=None,
            local_addr=self.local_address,
        )
        hello = Hello(self.name, "test", token=self.token or None, **self.hello)
        seen = len(self.messages)
        await self.say(hello)
        self._reader = asyncio.create_task(self._read(self.socket))
        welcome: Welcome | Bye = await self.until(lambda: self._greeting(seen))
        if isinstance(welcome, Welcome):
            self.token = welcome.token
        return welcome

    def _greeting(self, seen: int) -> Welcome | Bye | None:
        greetings = (each for each in self.messages[seen:] if isinstance(each, Welcome | Bye))
        return next(greetings, None)

    async def disconnect(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        if self._reader is not None:
            await self._reader

    def cut(self) -> None:
        """Abort the connection without a close frame."""
        if self.socket is not None:
            self.socket.transport.abort()

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for frame in socket:
                self.frames.append(frame if isinstance(frame, bytes) else frame.encode())
                await self._take(self._message_in(frame))
        except Exception as error:  # noqa: BLE001, a lost line is for whoever waits to notice
            self.lost = error

    def _message_in(self, frame: bytes | str) -> FromServer:
        if self.spoken == SUBPROTOCOL:
            return protocol.read_message(frame)
        assert isinstance(frame, str)
        message: FromServer = msgspec.json.decode(frame, type=FromServer)
        return message

    async def say(self, message: Hello | Command) -> None:
        assert self.socket is not None
        packed = protocol.pack(message)
        await self.socket.send(packed if self.spoken == SUBPROTOCOL else as_json(packed).decode())

    async def _take(self, message: FromServer) -> None:
        async with self._changed:
            self.messages.append(message)
            match message:
                case TableView():
                    self.view = message
                case Gone():
                    self.view = None
                case LobbyView():
                    self.lobby = message
                case _:
                    pass
            self._changed.notify_all()

    async def until(self, found: Callable[[], M | None]) -> M:
        """Wait until a condition gives something, and return that."""
        try:
            async with asyncio.timeout(PATIENCE), self._changed:
                while not (it := found()):
                    await self._changed.wait()
                return it
        except TimeoutError:
            last = "\n".join(f"  {each}"[:500] for each in self.messages[-5:])
            raise AssertionError(f"{self.name} waits in vain; the last messages:\n{last}") from None

    async def ask(self, kind: Callable[..., Command], *given: Any, **named: Any) -> Any:
        """Send a command and wait for its answer."""
        id_ = next(self.ids)
        return await self.ask_again(kind(id_, *given, **named))

    async def ask_again(self, command: Command) -> Any:
        seen = len(self.messages)
        await self.say(command)
        return await self.until(
            lambda: next(
                (
                    each
                    for each in self.messages[seen:]
                    if isinstance(each, Answer) and each.id == command.id
                ),
                None,
            )
        )

    # Common actions

    async def make(self, setup: Setup) -> str:
        """Make a table; its code."""
        await self.ask(protocol.Make, setup)
        return (await self.seen(lambda view: view.seat is not None)).table

    async def join(self, table: str, *, sit: bool = True) -> None:
        await self.ask(protocol.Join, table)
        if sit:
            await self.ask(protocol.Sit)

    async def play(self, move: str) -> Any:
        return await self.ask(protocol.Play, move)

    async def seen(self, as_wished: Callable[[TableView], bool]) -> TableView:
        """The first view, from the last one on, that is as wished."""
        return await self.until(
            lambda: self.view if self.view is not None and as_wished(self.view) else None
        )

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Every event of a kind that came with a view."""
        return [
            happened.event
            for message in self.messages
            if isinstance(message, TableView)
            for happened in message.happened
            if happened.event["type"] == kind
        ]

    @property
    def chat(self) -> list[Said]:
        return [message for message in self.messages if isinstance(message, Said)]


async def play_to_the_end(*players: Player, level: str = "zombie") -> None:
    """Everybody moves as a bot of that level would, from what each was sent, until the end."""
    await asyncio.gather(*(_play_on(player, level) for player in players))


async def _play_on(player: Player, level: str) -> None:
    game = None
    moved = 0
    while True:
        view = await player.seen(partial(_calls_for, moved))
        if _is_over(view):
            return
        moved = view.entry
        if game is None:
            game = GAMES[view.public["setup"]["game"]]
            mind = game.bots[level](Chance(player.name.encode()))
        move = mind.choose(game.read_view(view.seat, view.public["game"], view.private))
        await player.play(game.notate(move))


def _is_over(view: TableView) -> bool:
    return bool(view.public["phase"] == "over")


def _calls_for(moved: int, view: TableView) -> bool:
    """Something to do for whoever moved by that entry: another move, or to see that it is over."""
    due = view.seat in view.public["actors"] and view.entry > moved
    return due or _is_over(view)
