"""The server, module by module, by what players on real sockets see of it."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.frames import Frame, Opcode

from diadem_server.app import App
from diadem_server.net.outbox import Outbox
from diadem_server.net.websocket import WebSocket
from diadem_server.storage import schema
from diadem_server.storage import sqlite as sqlite_journal
from diadem_server.storage.schema import FILE
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.game import Happening, Seat
from diadem_shared.match import Phase
from diadem_shared.protocol import Accepted, Bye, Gone, Refused, TableView
from tests.rig.wire import Player
from tests.sample_game import Answered, Numbers, Options, State

NUMBERS = Setup("numbers")
PONGS = 64 * Frame(Opcode.PONG, bytes(125)).serialize(mask=False)
FILLED = 32 * 1024
"""Bytes that wait for room in the system."""


class Calendar:
    """A server's time for what is written down (`Config.now`), that can be put forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


class Time:
    """The loop's own clock, that can be put forward; nothing waits by the wall clock."""

    def __init__(self, loop: asyncio.AbstractEventLoop, patch: pytest.MonkeyPatch) -> None:
        self._ahead = 0.0
        real = loop.time
        patch.setattr(loop, "time", lambda: real() + self._ahead)

    def goes_on(self, seconds: float) -> None:
        self._ahead += seconds


def code(answer: Any) -> str:
    """What a refusal says; anything else is no refusal."""
    assert isinstance(answer, Refused | Gone | Bye), answer
    return answer.why.code


async def done(player: Player, kind: Any, *given: Any, **named: Any) -> Accepted:
    answer = await player.ask(kind, *given, **named)
    assert isinstance(answer, Accepted), answer
    return answer


async def started(*players: Player, setup: Setup = NUMBERS) -> str:
    """A table where all of them have begun to play, and see it; its code."""
    first, *others = players
    table = await first.make(setup)
    for other in others:
        await other.join(table)
    await done(first, protocol.Start)
    for player in players:
        await player.seen(is_in(Phase.PLAYING))
    return table


def names(view: TableView) -> list[str]:
    """Of those who sit there."""
    return [line["name"] for line in view.public["players"]]


@asynccontextmanager
async def players(app: App, *names: str) -> AsyncIterator[list[Player]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Player(app.port, name)) for name in names]


async def gone(player: Player) -> str:
    """Why this player is at the table no longer."""
    found = await player.until(
        lambda: next((each for each in player.messages if isinstance(each, Gone)), None)
    )
    return code(found)


async def looks_on(player: Player, table: str) -> None:
    await done(player, protocol.Join, table)
    await player.seen(lambda view: view.table == table)


def names_onlookers(*names: str) -> Any:
    return lambda view: tuple(view.public["onlookers"]) == names


def is_in(phase: Phase) -> Any:
    return lambda view: view.public["phase"] == phase


def seat_is(seat: int, **wanted: Any) -> Any:
    """A view in which somebody sits there, and the line of this seat says so."""

    def so(view: TableView) -> bool:
        lines = view.public["players"]
        return len(lines) > seat and wanted.items() <= lines[seat].items()

    return so


async def mover(players: Sequence[Player]) -> Player:
    """Whose turn it is, once everybody has seen it."""
    newest = max(player.view.entry for player in players if player.view)
    views = [await player.seen(lambda view: view.entry >= newest) for player in players]
    seat: int = views[0].public["actors"][0]
    return players[seat]


class Far(Numbers):
    """The number is the highest: who asks for the lowest is wrong for long."""

    def start(
        self, options: Options, seats: int, opener: Seat | None, chance: Chance
    ) -> tuple[State, Sequence[Happening[Answered]]]:
        state, told = super().start(options, seats, opener, chance)
        return msgspec.structs.replace(state, secret=options.highest), told


async def guess_wrong(player: Player, app: App) -> Any:
    """A move after which the round goes on."""
    assert player.view is not None
    secret = app.lobby.tables[player.view.table].match.state.secret
    low, high = player.view.public["game"]["low"], player.view.public["game"]["high"]
    return await player.play(f"guess {low if low != secret else high}")


async def guess_right(player: Player, app: App) -> Any:
    assert player.view is not None
    return await player.play(f"guess {app.lobby.tables[player.view.table].match.state.secret}")


def transport_of(app: App, player: Player) -> asyncio.Transport:
    """The server's side of this player's connection."""
    session = app.lobby.sessions.known(player.token)
    assert session is not None
    assert isinstance(session.outbox, Outbox)
    assert isinstance(session.outbox.stream, WebSocket)
    return session.outbox.stream.transport


async def fill(transport: asyncio.Transport, other: Player) -> None:
    """A connection whose client does not read, with pongs that nobody has asked for, until the system takes no more of
    them, and much is left: where it has put together many small pieces, it takes some more a moment later."""
    while transport.get_write_buffer_size() < FILLED:
        while transport.get_write_buffer_size() < FILLED:
            transport.write(PONGS)
        for _ in range(5):
            await other.ask(protocol.Ping)


def fill_disk(app: App) -> None:
    """SQLite refuses whatever the journal would write."""
    connection_of(app).execute("PRAGMA query_only = ON")


def make_room(app: App) -> None:
    connection_of(app).execute("PRAGMA query_only = OFF")


CONNECTIONS: dict[Path, sqlite3.Connection] = {}
"""Those of the journals that a test has opened, by their files; kept by a fixture."""


def remember_connections(patch: pytest.MonkeyPatch) -> None:
    """From now on each connection that a journal opens, for tests of what SQLite may refuse."""

    def open_file(path: Path) -> sqlite3.Connection:
        CONNECTIONS[path] = schema.open_file(path)
        return CONNECTIONS[path]

    patch.setattr(sqlite_journal, "open_file", open_file)


def connection_of(app: App) -> sqlite3.Connection:
    return CONNECTIONS[app.config.data / FILE]
