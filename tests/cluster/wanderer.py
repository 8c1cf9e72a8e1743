"""Players who go on with their match whatever becomes of nodes: by another one, with the commands that were not
acknowledged."""

import asyncio
import itertools
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.protocol import (
    SUBPROTOCOL,
    Accepted,
    Bye,
    Command,
    Gone,
    Hello,
    Refused,
    TableView,
    Welcome,
    pack,
)
from diadem_shared.refusals import Code
from tests.cluster.history import History, Promised, Seen

SETUP = Setup("diamoniak", rounds=20)
SILENCE = 2.0
"""Seconds without a message after which a node is asked whether it is there, and after as many more left."""
PAUSE = 0.05
SEATS = 2
OPEN_SECONDS = 3.0
"""After which a player tries another node: a load balancer finds out by then that one is frozen."""
LONGEST_WAIT = 5.0
"""Seconds without an answer after which a player tries another node, as a load balancer would have them do: one that
has lost the database answers, but not what it cannot write."""
THINKING = 0.04
LATER = {Code.JOURNAL_UNAVAILABLE, Code.TOO_FAST}
"""Refusals after which the same is asked again."""


class _Left(Exception):
    """This conversation is over; another one may begin."""


class Wanderer:
    def __init__(self, name: str, ports: Sequence[int], history: History, first: int) -> None:
        """`first`: by which of these ports they come first; then by the next ones. `ports` may change at any time; while
        there are none, nobody connects."""
        self.name = name
        self.ports = ports
        self.table = ""
        self.moves = 0
        """That were acknowledged."""
        self.refused: list[Refused] = []
        """What should not have been."""
        self.told = deque[str](maxlen=5)
        self._history = history
        self._tries = first
        self._token: str | None = None
        self._ids = itertools.count(1)
        self._pending: tuple[Command, float] | None = None
        """What was asked and is not acknowledged, and when it was sent first."""
        self._acknowledged: dict[int, float] = {}
        """By their ids, when they were sent first."""
        self._promises: list[Promised] = []
        self._socket: ClientConnection | None = None
        self._sent = 0.0
        """When it was sent last."""
        self._view: TableView | None = None
        self._decided_at = 0
        self._bot: Any = None
        self._progress = asyncio.Event()

    def __str__(self) -> str:
        view = self._view
        where = (
            "nowhere" if view is None else f"at {view.table}, {view.entry}: {view.public['phase']}"
        )
        return f"{self.name}, {where}, {self._pending}, {self.moves} moves, {self.refused}, {[*self.told]}"

    def begin_with(self, command: Command) -> None:
        """Its number is ours to give."""
        self._pending = replace(command, id=next(self._ids)), time.monotonic()

    async def go_on(self) -> None:
        """Until it is cancelled."""
        while True:
            if not self.ports:
                await asyncio.sleep(PAUSE)
                continue
            url = f"ws://127.0.0.1:{self.ports[self._tries % len(self.ports)]}"
            self._tries += 1  # another one the next time, as a load balancer would have it
            with suppress(OSError, WebSocketException, TimeoutError, _Left):
                async with connect(
                    url,
                    subprotocols=[Subprotocol(SUBPROTOCOL)],
                    compression=None,
                    max_size=None,
                    open_timeout=OPEN_SECONDS,
                    close_timeout=PAUSE,
                ) as socket:
                    self._socket = socket
                    await self._talk(socket)
            self._view = None
            await asyncio.sleep(PAUSE)

    def leave(self) -> None:
        """For another node, if there is one."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def has_moved(self, times: int = 1) -> None:
        """Returns after so many more moves of this player."""
        wanted = self.moves + times
        while self.moves < wanted and not self.is_over:
            self._progress.clear()
            await self._progress.wait()

    @property
    def is_over(self) -> bool:
        return self._view is not None and self._view.public["phase"] == "over"

    async def _talk(self, socket: ClientConnection) -> None:
        await socket.send(pack(Hello(self.name, "test", token=self._token)))
        while True:
            try:
                async with asyncio.timeout(SILENCE):
                    frame = await socket.recv()
            except TimeoutError:
                if self._pending and time.monotonic() - self._sent > LONGEST_WAIT:
                    raise _Left from None
                await socket.send(pack(protocol.Ping(next(self._ids))))
                async with asyncio.timeout(SILENCE):
                    frame = await socket.recv()
            assert isinstance(frame, bytes)
            await self._take(socket, protocol.read_message(frame))

    async def _take(self, socket: ClientConnection, message: Any) -> None:
        self.told.append(type(message).__name__ + str(getattr(message, "why", "")))
        match message:
            case Welcome(token=token, table=table):
                self._token = token
                self.table = table or self.table
                if self.table:
                    await socket.send(pack(protocol.Join(next(self._ids), self.table)))
                elif self._pending is not None:
                    await self._send(socket, self._pending[0])
            case Bye() | Gone():
                raise _Left
            case TableView():
                self.table = message.table
                self._keep_promises()
                self._history.seen.append(Seen(message.table, self.name, message.entry))
                came, self._view = self._view is None, message
                self._progress.set()
                if came and self._pending is not None:
                    await self._send(socket, self._pending[0])
                await self._act(socket)
            case Accepted(id_, entry):
                await self._promised(socket, id_, entry)
            case Refused():
                await self._refused(socket, message)
            case _:
                pass

    async def _promised(self, socket: ClientConnection, id_: int, entry: int | None) -> None:
        if self._pending is not None and self._pending[0].id == id_:
            command, self._acknowledged[id_] = self._pending
            self._pending = None
            self.moves += isinstance(command, protocol.Play)
            self._progress.set()
        if entry is not None and id_ in self._acknowledged:
            sent, now = self._acknowledged[id_], time.monotonic()
            self._promises.append(Promised(self.table, self.name, id_, entry, sent, now))
            self._keep_promises()
        await self._act(socket)

    def _keep_promises(self) -> None:
        """Once the table is known: that it is made may be acknowledged before it is shown."""
        if self.table:
            self._history.promised += [each._replace(table=self.table) for each in self._promises]
            self._promises.clear()

    async def _refused(self, socket: ClientConnection, refused: Refused) -> None:
        if self._pending is None or self._pending[0].id != refused.id:
            raise _Left  # the table cannot be come to now
        if refused.why.code in LATER:
            await asyncio.sleep(PAUSE)
            await self._send(socket, self._pending[0])
            return
        if not isinstance(self._pending[0], protocol.Ready):
            self.refused.append(refused)
        self._pending = None

    async def ask(self, socket: ClientConnection, command: Command) -> None:
        await asyncio.sleep(THINKING)
        self._pending = command, time.monotonic()
        await self._send(socket, command)

    async def _send(self, socket: ClientConnection, command: Command) -> None:
        self._sent = time.monotonic()
        await socket.send(pack(command))

    async def _act(self, socket: ClientConnection) -> None:
        view = self._view
        if view is None or self._pending is not None or view.entry <= self._decided_at:
            return
        public = view.public
        if public["phase"] == "gathering":
            await self._gather(socket, view)
        elif public["phase"] == "between" and not public["players"][view.seat]["ready"]:
            self._decided_at = view.entry
            await self.ask(socket, protocol.Ready(next(self._ids), ready=True))
        elif public["phase"] == "playing" and view.seat in public["actors"]:
            self._decided_at = view.entry
            game = GAMES[public["setup"]["game"]]
            if self._bot is None:
                self._bot = game.bots["zombie"](Chance(self.name.encode()))
            move = self._bot.choose(game.read_view(view.seat, public["game"], view.private))
            await self.ask(socket, protocol.Play(next(self._ids), game.notate(move)))

    async def _gather(self, socket: ClientConnection, view: TableView) -> None:
        players = view.public["players"]
        if view.seat is None or (view.seat == 0 and len(players) == SEATS):
            self._decided_at = view.entry
            command = protocol.Sit if view.seat is None else protocol.Start
            await self.ask(socket, command(next(self._ids)))
