"""Resume equivalence: whatever happens to the connections, everything ends as without faults."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from diadem import protocol
from diadem.chance import Chance
from diadem.entries import Setup
from diadem.games import GAMES
from diadem.match import Told
from diadem.protocol import Accepted, TableView
from diadem_server.app import App
from diadem_server.lobby import codes as codes_module
from diadem_server.lobby import lobby as lobby_module
from diadem_server.sessions.answers import Answers
from diadem_server.storage.records import EntryRow
from diadem_server.table.table import Table
from diadem_server.table.views import Logged
from tests.rig.faults import proxy
from tests.rig.resuming import Fault, Resuming
from tests.rig.wire import server
from tests.rig.wire_interference import without_time
from tests.thoroughness import times

PEOPLE = ("Ana", "Bob")
MOVES = 10


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


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_any_failures_of_the_lines_end_as_none_do(name: str) -> None:
    quiet = asyncio.run(play(name, []))

    @settings(max_examples=times(15, 150))
    @given(TROUBLES)
    def check(troubles: Sequence[Trouble]) -> None:
        assert asyncio.run(play(name, troubles)) == quiet

    check()


@pytest.mark.slow
@pytest.mark.parametrize("fault", Fault)
def test_each_failure_again_and_again(fault: Fault) -> None:
    always = [Trouble(fault, waiting_is_cut=True)] * MOVES
    assert asyncio.run(play("diamoniak", always)) == asyncio.run(play("diamoniak", []))


def test_a_command_played_twice_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not know a command again would do it again."""
    monkeypatch.setattr(Answers, "begin", forgetting_answers(Answers.begin))
    monkeypatch.setattr(Table, "keep", forgetting_commands(Table.keep))
    with pytest.raises(AssertionError, match="done once"):
        asyncio.run(play("diamoniak", [Trouble(Fault.ANSWER_LOST)] * MOVES))


def forgetting_commands(keep: Callable[..., Logged]) -> Callable[..., Logged]:
    def forgetful(table: Table, row: EntryRow, told: Told) -> Logged:
        return keep(table, row._replace(command=None), told)

    return forgetful


def forgetting_answers(begin: Callable[..., bool]) -> Callable[..., bool]:
    def forgetful(answers: Answers, *given: Any, **named: Any) -> bool:
        answers.forget()
        answers.is_recalled = True
        return begin(answers, *given, **named)

    return forgetful


async def play(name: str, troubles: Sequence[Trouble]) -> Ending:
    """Moves of a round between two players, each over a faulty connection."""
    async with AsyncExitStack() as stack:
        stack.enter_context(without_time())
        folder = stack.enter_context(TemporaryDirectory())
        app = await stack.enter_async_context(
            server(Path(folder), commands_a_second=1e6, burst=10**6)
        )
        players = []
        for each in PEOPLE:
            line = await stack.enter_async_context(proxy(app.port))
            players.append(await stack.enter_async_context(Resuming(line, each)))
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
            [lasting(view) for view in everybody], await lasting_rows(app, players[0].table)
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
