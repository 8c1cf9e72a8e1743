"""Resume equivalence: whatever happens to the connections, a match ends as without faults."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias
from unittest.mock import patch

from hypothesis import strategies as st
from msgspec.structs import replace

from diadem_server.app import App
from diadem_server.lobby import codes as codes_module
from diadem_server.lobby import lobby as lobby_module
from diadem_server.storage.records import EntryRow
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.protocol import Accepted, TableView
from tests.rig.faults import proxy
from tests.rig.resuming import Fault, Resuming
from tests.rig.wire import server
from tests.rig.wire_interference import without_time

PEOPLE = ("Ana", "Bob")
MOVES = 10

Serving: TypeAlias = Callable[[], AbstractAsyncContextManager[Sequence[App]]]
"""Runs servers that are one: the first player comes to the first of them, and each time to the next one."""


class Trouble(NamedTuple):
    """What goes wrong around one move."""

    for_mover: Fault = Fault.NONE
    waiting_is_cut: bool = False


class Ending(NamedTuple):
    views: Sequence[TableView]
    journal: Sequence[EntryRow]


TROUBLES = st.lists(
    st.builds(Trouble, st.sampled_from(Fault), st.booleans()), min_size=1, max_size=MOVES
)


@asynccontextmanager
async def alone() -> AsyncIterator[Sequence[App]]:
    with TemporaryDirectory() as folder:
        async with server(Path(folder)) as app:
            yield [app]


async def play(name: str, troubles: Sequence[Trouble], serving: Serving = alone) -> Ending:
    """Moves of a round between two players, each over a faulty connection."""
    async with AsyncExitStack() as stack:
        stack.enter_context(without_time())
        apps = await stack.enter_async_context(serving())
        players = []
        for number, each in enumerate(PEOPLE):
            order = [apps[(number + place) % len(apps)] for place in range(len(apps))]
            lines = [await stack.enter_async_context(proxy(app.port)) for app in order]
            players.append(await stack.enter_async_context(Resuming(lines, each)))
        with (
            patch.object(lobby_module, "secrets", FixedChance),
            patch.object(codes_module, "secrets", FixedChance),
        ):
            players[0].table = await players[0].make(Setup(name))
        await players[1].come(players[0].table)
        await players[1].ask(protocol.Sit)
        await players[0].ask(protocol.Start)
        for number in range(MOVES):
            await one_move(players, troubles[number] if number < len(troubles) else Trouble())
        everybody = [await player.seen(all_present) for player in players]
        return Ending(
            [lasting(view) for view in everybody], await lasting_rows(apps[0], players[0].table)
        )


class FixedChance:
    """The same seeds in every run, so that the same is dealt at the same table."""

    choice = staticmethod(min)
    token_bytes = bytes


async def one_move(players: Sequence[Resuming], trouble: Trouble) -> None:
    view = await players[0].seen(lambda view: bool(view.public["actors"]))
    seat = view.public["actors"][0]
    mover, waiting = players[seat], players[1 - seat]
    before = view.entry
    if trouble.waiting_is_cut:
        waiting.proxy.line.cut()
    command = mover.next_command(choice(await mover.seen(lambda view: view.entry == before)))
    answer = await mover.insist_despite(trouble.for_mover, command)
    assert answer == Accepted(command.id, before + 1), "done once, and known by its number"
    if trouble.waiting_is_cut:
        await waiting.resume()
    for player in players:
        await player.seen(lambda view: view.entry == before + 1)


def choice(view: TableView) -> str:
    """The same move for the same view, in every run."""
    game = GAMES[view.public["setup"]["game"]]
    seen = game.read_view(view.seat, view.public["game"], view.private)
    return game.notate(game.any_move(seen, Chance(b"moves", str(view.entry))))


def all_present(view: TableView) -> bool:
    return all(player["present"] for player in view.public["players"])


def lasting(view: TableView) -> Any:
    """The part of the outcome that does not depend on how often the connection was down."""
    return replace(view, number=0, happened=[])


async def lasting_rows(app: App, code: str) -> Sequence[EntryRow]:
    rows = (await app.lobby.journal.load(code)).entries
    return [row._replace(command=None, content=None) for row in rows]
