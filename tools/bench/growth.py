"""How many bytes strangers of one address have a server keep, within all of its limits, in memory and on disk.

    python -m tools.bench growth [--against CHECKOUT]

`strangers` come under ever new names, look on at a table, are refused 200 times, and go. `league` are four at each of twelve tables
who draw and stop for as long as they are let, and so end no round.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.protocol import Accepted, TableView, Welcome
from tests.rig.journals import bytes_on_disk
from tests.rig.wire import Player
from tools.bench._serving import ROOT, Serving, diadem

SECONDS = 40.0
HERE, ADDRESS = "198.51.100.1", "203.0.113.7"
CROWD = 24
TABLES, SEATS = 12, 4
REFUSALS = 200
AT_ONCE, PAUSE = 50, 0.06
"""Commands without haste, and the seconds after each that follows."""
GAME = GAMES["piratatak"]
DEFAULTS = ("--max-per-address", "50", "--max-arrivals", "5", "--max-commands", "20")
QUOTAS = ("--max-newcomers", "120", "--max-written", "64")
"""Limits by address as they are if nothing is said; a checkout of before has no quotas."""


class Kept(NamedTuple):
    memory: int
    disk: int

    @classmethod
    def by(cls, server: Serving, folder: Path) -> "Kept":
        return cls(server.memory * 1024, bytes_on_disk(folder))


def run(against: Path | None = None) -> Iterator[str]:
    yield f"{'':>28} {'done':>8} {'memory, KB':>12} {'disk, KB':>12} {'bytes on disk each':>20}"
    for checkout in filter(None, (ROOT, against)):
        for attack in (strangers, league):
            with (
                TemporaryDirectory() as name,
                diadem("", Path(name), checkout, *_limits(checkout)) as server,
            ):
                done, grown = asyncio.run(_attack(attack, server, Path(name)))
            what = f"{checkout.name} {attack.__name__}"
            each = grown.disk / max(1, done)
            yield f"{what:>28} {done:8} {grown.memory // 1024:12,} {grown.disk // 1024:12,} {each:20,.0f}"


Attack = Callable[[Serving, float], Awaitable[int]]


def _limits(checkout: Path) -> tuple[str, ...]:
    return DEFAULTS + (QUOTAS if checkout == ROOT else ())


async def _attack(attack: Attack, server: Serving, folder: Path) -> tuple[int, Kept]:
    before = Kept.by(server, folder)
    done = await attack(server, monotonic() + SECONDS)
    after = Kept.by(server, folder)
    return done, Kept(after.memory - before.memory, after.disk - before.disk)


async def strangers(server: Serving, until: float) -> int:
    """Visits."""
    async with Player(server.port, "Ana", address=HERE) as ana:
        table = await ana.make(Setup("diamoniak"))
        numbers = itertools.count()
        visits = await asyncio.gather(
            *(_come_again(server, until, table, numbers) for _ in range(CROWD))
        )
    return sum(visits)


async def _come_again(
    server: Serving, until: float, table: str, numbers: "itertools.count[int]"
) -> int:
    visits = 0
    while monotonic() < until:
        stranger = Player(server.port, f"S {next(numbers)}", address=ADDRESS)
        with suppress(OSError, InvalidHandshake, ConnectionClosed, AssertionError):
            if not isinstance(await stranger.connect(), Welcome):
                await asyncio.sleep(1.0)
                continue
            await stranger.ask(protocol.Join, table)
            refused = 0
            while refused < REFUSALS and monotonic() < until:
                await stranger.ask(protocol.Play, "x" * 600)
                refused += 1
                if refused > AT_ONCE:
                    await asyncio.sleep(PAUSE)
            visits += 1
        with suppress(ConnectionClosed):
            await stranger.disconnect()
    return visits


async def league(server: Serving, until: float) -> int:
    """Moves."""
    crews = [
        [Player(server.port, f"L {table} {seat}", address=ADDRESS) for seat in range(SEATS)]
        for table in range(TABLES)
    ]
    for crew in crews:
        for player in crew:
            await player.connect()
    moves = await asyncio.gather(*(_play(crew, until) for crew in crews))
    return sum(moves)


async def _play(crew: list[Player], until: float) -> int:
    table = await crew[0].make(Setup(GAME.name, rounds=20))
    for player in crew[1:]:
        await player.join(table)
    await crew[0].ask(protocol.Start)
    moves, entry = 0, 0
    while monotonic() < until:
        view = await crew[0].seen(partial(_is_of, entry))
        if not view.public["actors"]:
            await crew[0].ask(protocol.Start)
            entry = view.entry + 1
            continue
        mover = crew[view.public["actors"][0]]
        await mover.seen(partial(_is_of, view.entry))
        for move in ("stop", "draw", _any_move(mover)):
            answer = await mover.play(move)
            if isinstance(answer, Accepted):
                moves, entry = moves + 1, answer.entry or entry
                break
            if answer.why.code in {"too_fast", "too_much_written"}:
                await asyncio.sleep(0.2)
    return moves


def _is_of(entry: int, view: TableView) -> bool:
    return view.entry >= entry


def _any_move(player: Player) -> str:
    """That pays for a danger, where nothing else can be done."""
    assert player.view is not None
    view = GAME.read_view(player.view.seat, player.view.public["game"], player.view.private)
    return GAME.notate(GAME.any_move(view, Chance(bytes(8))))
