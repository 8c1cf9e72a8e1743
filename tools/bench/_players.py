"""Players at a table who choose their moves by what they see, as people do, and take their time."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import msgpack

from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from tools.bench._line import Line

PLAYERS = 4
VIEW = b"\xa4type\xa4view"
ACCEPTED = b"\xa4type\xa8accepted"
SETUP = Setup("diamoniak", rounds=20)
GAME = GAMES[SETUP.game]


class Group:
    """Four players at a table. Each move is made when everybody has seen the one before."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.latencies: list[float] = []
        self._due = 0
        self._all_seen: asyncio.Future[None] | None = None
        self.last = b""
        self._id = 10**6
        self._zombie = GAME.bots["zombie"](Chance(b"bench"))

    async def sit_down(self) -> None:
        maker, *others = self.lines
        for line in self.lines:
            line.hear = line.frames.put_nowait
        maker.command(protocol.Make, SETUP)
        table = (await view_of(maker, lambda view: view["entry"] == 1))["table"]
        for line in others:
            line.command(protocol.Join, table)
            await view_of(line, lambda view: view["table"] == table)
            line.command(protocol.Sit)
            await view_of(line, lambda view: view["seat"] is not None)
        for line in self.lines[:-1]:
            await view_of(line, lambda view: view["entry"] == PLAYERS)
        for line in self.lines:
            line.hear = self._hear
        await self._seen_by_all(maker, protocol.pack(protocol.Start(self._id)))

    async def play(self, until: float, pause: float = 0.0) -> None:
        clock = time.perf_counter
        while (started := clock()) < until:
            self._id += 1
            line, command = self._next(msgpack.unpackb(self.last), self._id)
            if command is None:
                await self.sit_down()
                continue
            await self._seen_by_all(line, command)
            self.latencies.append(clock() - started)
            if pause:
                await asyncio.sleep(pause)

    def _next(self, view: dict[str, Any], id_: int) -> tuple[Line, bytes | None]:
        public = view["public"]
        if public["phase"] == "playing":
            seat = public["actors"][0]
            move = self._zombie.choose(GAME.read_view(seat, public["game"], None))
            return self.lines[seat], protocol.pack(protocol.Play(id_, GAME.notate(move)))
        over = public["phase"] == "over"
        return self.lines[0], None if over else protocol.pack(protocol.Start(id_))

    async def _seen_by_all(self, line: Line, frame: bytes) -> None:
        self._due = PLAYERS
        self._all_seen = asyncio.get_running_loop().create_future()
        line.send(frame)
        await self._all_seen

    def _hear(self, frame: bytes) -> None:
        if frame.startswith(VIEW, 1):
            self.last = frame
            self._count()
        else:
            assert frame.startswith(ACCEPTED, 1), msgpack.unpackb(frame)

    def _count(self) -> None:
        self._due -= 1
        if self._due == 0 and self._all_seen:
            self._all_seen.set_result(None)


async def view_of(line: Line, as_wished: Any = bool) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = msgpack.unpackb(await line.frames.get())
        if message["type"] == "view" and as_wished(message):
            return message
