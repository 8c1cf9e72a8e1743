"""Clients in virtual time, which check every answer and view against the protocol's promises."""

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from diadem_shared import protocol
from diadem_shared.game import AnyGame
from diadem_shared.games import GAMES
from diadem_shared.protocol import Answer, Bye, Command, FromServer, TableView, Welcome
from tests.rig.shuffling import added_by, is_sealed
from tests.rig.virtual_network import End
from tests.rig.wire import Player

DONE_AGAIN = (
    protocol.Check,
    protocol.Commit,
    protocol.GetHistory,
    protocol.GetReplay,
    protocol.GetStandings,
    protocol.GetStatistics,
    protocol.Join,
    protocol.ListReplays,
    protocol.Open,
    protocol.Ping,
    protocol.SetPause,
    protocol.WatchLobby,
)
"""Commands that only ask, or are about the connection."""


class Person(Player):
    def __init__(self, name: str, address: str) -> None:
        super().__init__(0, name)
        self.local_address = address, 0
        self.is_here = False
        self.asked: Counter[int] = Counter()
        """How often each command was sent on this connection."""
        self.answered: Counter[int] = Counter()
        self.commands: dict[int, Command] = {}
        """All that were ever sent."""
        self.repeatable: list[Command] = []
        """Those whose answers the server remembers, if it is asked for them again."""
        self._new: dict[int, Command] = {}
        """Those that were never answered: to repeat one changes nothing, but for going to a table."""
        self._first: dict[int, Answer] = {}
        """What each command was answered first."""
        self.faults: list[str] = []
        self._parted: str | None = None
        """The table they went away from last; a view of it may still be on its way."""
        self.opens = True
        """Whether their client opens what it has committed to."""
        self._opening: asyncio.Task[None] | None = None
        self._entries: dict[str, int] = {}
        """By table, the newest entry that was shown."""

    async def come(self, port: int) -> None:
        """Be here, if the server lets them in."""
        self.url = f"ws://127.0.0.1:{port}"
        self.view = None
        self.asked.clear()
        self.answered.clear()
        with suppress(OSError, InvalidHandshake, ConnectionClosed):
            welcome = await self.connect()
            self.is_here = isinstance(welcome, Welcome)
            if isinstance(welcome, Welcome):
                self._expect_answers_again(welcome)

    def _expect_answers_again(self, welcome: Welcome) -> None:
        """What was refused is judged anew, and of who holds no seat nothing is remembered."""
        if welcome.table is None:
            self.repeatable.clear()
        self._first = {
            id_: answer
            for id_, answer in self._first.items()
            if welcome.table is not None and not isinstance(answer, protocol.Refused)
        }

    async def send(self, *commands: Command) -> None:
        assert self.socket is not None
        for command in commands:
            self.asked[command.id] += 1
            if command.id not in self.commands or isinstance(command, protocol.Join):
                self.commands[command.id] = self._new[command.id] = command
                self.repeatable.append(command)
            with suppress(ConnectionClosed):
                await self.socket.send(protocol.pack(command))

    def new_id(self) -> int:
        return next(self.ids)

    async def leave(self, *, politely: bool) -> None:
        self.is_here = False
        if politely:
            await self.disconnect()
        else:
            self.cut()
        self.view = None

    def vanish(self) -> None:
        """The connection is half open: the server is not told that it is dead."""
        assert self.socket is not None
        assert isinstance(self.socket.transport, End)
        self.socket.transport.unplug()
        self.socket.transport.abort()
        self.is_here = False
        self.view = None

    async def _take(self, message: FromServer) -> None:
        await super()._take(message)
        match message:
            case Bye():
                self.is_here = False
            case TableView(table=table, entry=entry):
                if entry < self._entries.get(table, 0):
                    self.faults.append(f"a view of {table} goes back to {entry}")
                self._entries[table] = entry
                if table == self._parted:
                    self.view = None
                elif self.opens and message.seat is not None and is_sealed(message):
                    opening = protocol.Open(self.new_id(), added_by(self).hex())
                    self._opening = asyncio.create_task(self.send(opening))
            case Answer(id_) if id_:
                self.answered[id_] += 1
                self._compare(message)
                self._follow(self._new.pop(id_, None), message)
            case _:
                pass

    def _compare(self, answer: Answer) -> None:
        """A command is answered as it was before, also by a server that was killed meanwhile."""
        command = self.commands.get(answer.id)
        if command is None or isinstance(command, DONE_AGAIN):
            return
        before = self._first.setdefault(answer.id, answer)
        if isinstance(before, protocol.Refused) and before.why.code == "too_fast":
            self._first[answer.id] = answer
        elif before != answer:
            self.faults.append(f"to {command} first {before}, then {answer}")

    def _follow(self, command: Command | None, answer: Answer) -> None:
        """Where they are by now."""
        if isinstance(answer, protocol.Refused):
            return
        if isinstance(command, protocol.Part):
            self._parted = self.view.table if self.view else None
            self.view = None
        elif isinstance(command, protocol.Join | protocol.Make):
            self._parted = None


def legal_moves(person: Person) -> tuple[AnyGame, Any] | None:
    """The game and what this person sees of it, if it is their turn."""
    view = person.view
    if view is None or view.seat is None or view.seat not in view.public["actors"]:
        return None
    game = GAMES[view.public["setup"]["game"]]
    return game, game.read_view(view.seat, view.public["game"], view.private)
