"""Non-interference on the wire: two servers, two tables that differ only in what a viewer cannot know.

The same commands go to both, and every frame the viewer gets must be the same, byte by byte, until
an event discloses what was hidden. Nothing of a frame is left out: sizes and numbers count too.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import (
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeAlias
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from diadem_server.app import App
from diadem_server.lobby import lobby as lobby_module
from diadem_server.storage.changes import NewTable
from diadem_server.table import chat
from diadem_server.table.clocks import Clocks
from diadem_server.table.table import Table
from diadem_server.table.views import Logged
from diadem_shared import match as rules
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Moved, Setup, Started
from diadem_shared.game import AnyGame, Event, Happening, Viewer, pack
from diadem_shared.match import Match, Phase
from diadem_shared.match import Player as Seated
from diadem_shared.protocol import SUBPROTOCOL, Accepted, History, Refused, Replays
from tests.rig import require
from tests.rig.interference import disclosed
from tests.rig.walk import Step, options_for, walk
from tests.rig.wire import Player, server

PEOPLE = ("Ana", "Bob", "Cem", "Dee")
"""The players' names; the last one watches."""
AHEAD = 8
"""How many moves are played on at both tables."""
STARTS = 3
"""From how many states of a round."""
TRIES = 12
"""How many moves are tried to find one that both tables allow."""
STRANGERS = 3
"""How many moves the viewer may not make are tried each time."""
PAUSE = 0.01
CHAIN = re.compile(rb'\xa5chain\xd9\x40[0-9a-f]{64}|"chain":"[0-9a-f]{64}"')
DRAFTS: Sequence[dict[str, str]] = ({}, {"H8": "E"}, {"H8": "*", "H9": "N"})

Log: TypeAlias = Sequence[Logged]


class Side(NamedTuple):
    """One of the two tables, before anybody has come to it."""

    match: Match
    seed: bytes
    log: Log


class World:
    """One of the two servers, and everybody who plays there."""

    def __init__(self, app: App, players: Sequence[Player], front: App) -> None:
        """`front`: where the players come in, if that is another than the one that has the tables."""
        self.app = app
        self.players = players
        self._front = front

    async def is_listed(self) -> None:
        """Returns once the lobby shows the same everywhere: other nodes are told a little later."""
        shown, told = self.app.lobby.registry, self._front.lobby.registry
        while shown.listed() != told.listed():  # noqa: ASYNC110
            await asyncio.sleep(PAUSE)

    @asynccontextmanager
    async def table(self, code: str, side: Side) -> AsyncIterator[Table]:
        """A table as it would stand after this log, with everybody seated and not there yet."""
        seats = len(side.match.players)
        known = [await self.app.lobby.sessions.find(player.token) for player in self.players]
        table = Table(self.app.lobby, code, side.seed, side.match)
        table.seating.owners = [session.id if session else None for session in known[:seats]]
        for logged in side.log:
            table.history.keep(logged)
        await self._write(table, side)
        self.app.lobby.tables[code] = table
        table.open()
        yield table
        for player in self.players:
            await player.ask(protocol.Part)
        self.app.lobby.drop(table.code)
        table.close()

    async def _write(self, table: Table, side: Side) -> None:
        """As much of the table in the journal as a replay asks for."""
        match = side.match
        row = NewTable(table.code, 0.0, match.setup, side.seed, match.game.version)
        await self.app.lobby.journal.write(row)


class TwinViewer:
    """The viewer at both tables: each command goes to both, and all frames are compared."""

    def __init__(self, game: AnyGame, worlds: Sequence[World], viewer: Viewer) -> None:
        self.game = game
        self.viewer = viewer
        self.place = len(PEOPLE) - 1 if viewer is None else viewer
        self.worlds = worlds
        self.heard = [len(player.frames) for player in self._players(self.place)]

    def _players(self, place: int) -> list[Player]:
        return [world.players[place] for world in self.worlds]

    async def both(self, place: int, kind: Any, *given: Any) -> Any:
        """Send a command at both tables; returns the answer of the first."""
        first, *_ = [await player.ask(kind, *given) for player in self._players(place)]
        return first

    async def ask(self, kind: Any, *given: Any) -> Any:
        return await self.both(self.place, kind, *given)

    async def ask_everything(
        self, table: str, match: Match, log: Log, strangers: Sequence[str]
    ) -> None:
        """Send every command by which a viewer may learn something without changing anything."""
        for draft in DRAFTS:
            await self.ask(protocol.Check, draft)
        await self.ask(protocol.GetMoves)
        for text in strangers:
            refused = await self.ask(protocol.Play, text)
            require(isinstance(refused, Refused), "a refused move is refused on the wire", text)
        for before in (None, log[len(log) // 2].number):
            past = [each for each in log if before is None or each.number < before]
            history = await self.ask(protocol.GetHistory, before)
            check_history(self.game, match, past, self.viewer, history)
        require(
            isinstance(await self.ask(protocol.GetReplay, table), Refused),
            "nobody is shown the replay of a running match",
            table,
        )
        listed = await self.ask(protocol.ListReplays)
        require(listed == Replays(listed.id, []), "no running match is among the replays", listed)
        await self.ask(protocol.Ping)
        self.compare()

    def compare(self) -> None:
        """All that came since the last time, and nothing that came at one table only."""
        one, other = (
            player.frames[heard:]
            for player, heard in zip(self._players(self.place), self.heard, strict=True)
        )
        for frame, twin in zip(one, other, strict=False):
            require(
                without_chain(frame) == without_chain(twin),
                "what a viewer cannot know changes no byte on the wire",
                self.viewer,
                frame,
                twin,
            )
        require(len(one) == len(other), "as many frames, whatever is hidden", self.viewer)
        self.heard = [heard + len(one) for heard in self.heard]


def without_chain(frame: bytes) -> bytes:
    """The hash chain has a secret key: it tells whoever has not the key nothing, and is another at each table."""
    return CHAIN.sub(b"", frame)


def check_history(game: AnyGame, match: Match, log: Log, viewer: Viewer, history: History) -> None:
    """A page of history says what the game lets be recalled, and no more."""
    public = game.public(match.state)
    recalled = [
        (logged.number, game.recall(public, happening.told(viewer)))
        for logged in log
        for happening in logged.told
    ]
    expected = [
        (number, msgspec.msgpack.decode(pack(event))) for number, event in recalled if event
    ]
    moves = {logged.number for logged in log if logged.told}
    shown = [(each.entry, each.event) for each in history.happened if each.entry in moves]
    require(
        shown == expected[len(expected) - len(shown) :],
        "a history says what may be recalled",
        viewer,
        shown,
    )


async def _alone(folder: Path, stack: AsyncExitStack) -> tuple[App, App]:
    at_once = {"commands_a_second": 1e6, "burst": 10**6}
    app = await stack.enter_async_context(server(folder, **at_once))
    return app, app


Opened: TypeAlias = Callable[[Path, AsyncExitStack], Awaitable[tuple[App, App]]]
"""Runs what has the tables, and where players come in."""


async def check_wire(
    game: AnyGame,
    seed: int,
    folders: Sequence[Path],
    spoken: str = SUBPROTOCOL,
    opened: Opened = _alone,
) -> int:
    """One round from some of its states, all viewers. How many moves both tables were shown."""
    seats = next(each for each in reversed(game.seats) if each < len(PEOPLE))
    key = seed.to_bytes(4, "big")
    options = options_for(game, seed)
    steps = list(walk(game, options, seats, key))
    setup = Setup(game.name, options=msgspec.to_builtins(options), patience=None)
    compared = 0
    async with AsyncExitStack() as stack:
        stack.enter_context(without_time())
        worlds = [
            await stack.enter_async_context(_world(folder, spoken, opened)) for folder in folders
        ]
        codes = (f"T{number}" for number in count(1))
        for start in sorted({number * len(steps) // STARTS for number in range(STARTS)}):
            for viewer in (None, *range(seats)):
                chance = Chance(key, f"{start} {viewer}")
                sides = _sides(game, setup, steps[: start + 1], viewer, chance)
                twins = TwinViewer(game, worlds, viewer)
                compared += await _side_by_side(twins, next(codes), sides, steps, chance)
    return compared


@contextmanager
def without_time() -> Iterator[None]:
    """Deadlines are shown in milliseconds, which two servers would not agree on; nor on haste."""
    with (
        patch.object(Clocks, "now", monotonic()),
        patch.object(lobby_module, "BROADCAST_SECONDS", 0.0),
        patch.object(chat, "PERSON_AT_ONCE", 10**6),
        patch.object(chat, "TABLE_AT_ONCE", 10**6),
    ):
        yield


@asynccontextmanager
async def _world(folder: Path, spoken: str, opened: Opened) -> AsyncIterator[World]:
    async with AsyncExitStack() as stack:
        app, front = await opened(folder, stack)
        wants: dict[str, Any] = {"wants": (protocol.MOVES,), "spoken": spoken}
        players = [
            await stack.enter_async_context(Player(front.port, name, **wants)) for name in PEOPLE
        ]
        yield World(app, players, front)


def _sides(
    game: AnyGame, setup: Setup, steps: Sequence[Step], viewer: Viewer, chance: Chance
) -> tuple[Side, Side]:
    """The state before the last of these steps, and another that the viewer cannot tell from it."""
    *before, last = steps
    started = Logged(last.seats + 1, Started(), ())
    log = [started] + [
        Logged(number, Moved(step.seat, game.notate(step.move)), tuple(step.told))
        for number, step in enumerate(before, start=last.seats + 2)
    ]
    match = Match(
        setup,
        players=tuple(Seated(name) for name in PEOPLE[: last.seats]),
        phase=Phase.PLAYING,
        opener=0,
        state=last.before,
        entries=log[-1].number,
    )
    twin = replace(match, state=game.resample(last.before, viewer, chance))
    return (
        Side(match, b"one", log),
        Side(twin, b"other", [_without_secrets(logged, viewer) for logged in log]),
    )


def _without_secrets(logged: Logged, viewer: Viewer) -> Logged:
    """What others alone were told is not told at all: the viewer must not notice."""
    told = tuple(
        happening if happening.to == viewer else Happening[Event](happening.event)
        for happening in logged.told
    )
    return logged._replace(told=told)


async def _side_by_side(
    twins: TwinViewer, code: str, sides: tuple[Side, Side], steps: Sequence[Step], chance: Chance
) -> int:
    """Everybody comes, the viewer last; then moves are made until they disclose something."""
    match, twin = (side.match for side in sides)
    pool = [twins.game.notate(step.move) for step in steps]
    compared = 0
    async with AsyncExitStack() as stack:
        for world, side in zip(twins.worlds, sides, strict=True):
            await stack.enter_async_context(world.table(code, side))
        for place in range(len(PEOPLE)):
            if place != twins.place:
                await twins.both(place, protocol.Join, code)
        for world in twins.worlds:
            await world.is_listed()
        await twins.ask(protocol.WatchLobby, True)  # noqa: FBT003
        await twins.ask(protocol.Join, code)
        log = list(sides[0].log)
        for _ in range(AHEAD):
            await twins.ask_everything(code, match, log, _strangers(twins, match, pool, chance))
            await twins.both(0, protocol.Say, "well?")
            move = _move_for_both(twins, match, twin, chance)
            if move is None:
                break
            after, told = rules.apply(match, move, sides[0].seed)
            twin_after, twin_told = rules.apply(twin, move, sides[1].seed)
            if disclosed(twins.viewer, move.seat, told, twin_told):
                break
            match, twin = after, twin_after
            log.append(Logged(match.entries, move, told))
            done = await twins.both(move.seat, protocol.Play, move.move)
            require(isinstance(done, Accepted), "an allowed move is accepted", move, done)
            await twins.ask(protocol.Ping)
            twins.compare()
            compared += 1
            if match.phase is not Phase.PLAYING:
                break
        await twins.ask(protocol.WatchLobby, False)  # noqa: FBT003
    await twins.ask(protocol.Ping)
    twins.heard = [len(world.players[twins.place].frames) for world in twins.worlds]
    return compared


def _strangers(twins: TwinViewer, match: Match, pool: Sequence[str], chance: Chance) -> list[str]:
    """Some moves that the viewer may not make."""
    texts = ["castle to e4", *(chance.pick(pool) for _ in range(STRANGERS))]
    if twins.viewer is None:
        return texts
    moves = [Moved(twins.viewer, text) for text in texts]
    return [move.move for move in moves if rules.explain(match, move)]


def _move_for_both(twins: TwinViewer, match: Match, twin: Match, chance: Chance) -> Moved | None:
    """A move that both tables allow; what the viewer may do never differs."""
    game = twins.game
    for _ in range(TRIES):
        seat = chance.pick(match.actors)
        move = Moved(seat, game.notate(game.any_move(game.view(match.state, seat), chance)))
        if rules.explain(twin, move) is None:
            return move
        require(seat != twins.viewer, "a viewer's own moves are allowed by what it sees", move)
    return None
