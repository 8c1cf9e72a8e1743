"""A match of two clients to its end, on a real server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from diadem_client.net.shuffle_contribution import Memories
from diadem_client.state.client_state import ClientState, TableState
from diadem_client.state.shuffle_check import ShuffleCheck
from diadem_server.app import App
from diadem_server.table import commit_reveal
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from tests.client.net.clients import Running, running
from tests.rig.wire import server

SETUP = Setup("diamoniak")


class Pair(NamedTuple):
    app: App
    ana: Running
    bob: Running

    async def begin(self, setup: Setup = SETUP, *, is_dealt: bool = True) -> str:
        """Both sit down and are ready, and a round is dealt if the server does so; the code of their table."""
        await self.ana.ask(protocol.Make, setup)
        table = (await self.ana.until(lambda client_state: client_state.table)).table
        assert table is not None
        await self.bob.ask(protocol.Join, table.code)
        await self.bob.ask(protocol.Sit)
        await self.bob.until(
            lambda client_state: client_state.table and client_state.table.seat == 1
        )
        await self.ready(is_dealt=is_dealt)
        return table.code

    async def ready(self, *, is_dealt: bool = True) -> None:
        for each in (self.ana, self.bob):
            await each.until(_is_added)
        for each in (self.ana, self.bob):
            await each.ask(protocol.Ready, ready=True)
        for each in (self.ana, self.bob) if is_dealt else ():
            await each.until(lambda client_state: client_state.table and client_state.table.view)

    async def play_on(self, most: int = 10_000) -> None:
        """To the end of the round, or so many moves."""
        chance = Chance(b"moves")
        for _ in range(most):
            table = _table(await self.ana.until(lambda client_state: client_state.table))
            if table.public.phase is not Phase.PLAYING:
                return
            mover = (self.ana, self.bob)[table.public.actors[0]]
            table = await _after(mover, table.entry - 1)
            assert table.view is not None
            move = table.game.bots["zombie"](chance).choose(table.view)
            await mover.ask(protocol.Play, table.game.notate(move))
            await _after(self.ana, table.entry)

    async def checks(self) -> list[ShuffleCheck]:
        """What both have found out when the match is over."""
        found = []
        for each in (self.ana, self.bob):
            await each.until(lambda client_state: _is_checked(_table(client_state).shuffle))
            found.append(_table(each.client_state).shuffle)
        return found


@asynccontextmanager
async def pair(folder: Path, memories: Memories | None = None) -> AsyncIterator[Pair]:
    """On a server that waits for its players however slow this machine is. `memories`: of Ana's client."""
    with patch.object(commit_reveal, "WAITS_SECONDS", 15.0):
        async with (
            server(folder) as app,
            running(app.port, memories=memories) as ana,
            running(app.port, "Bob") as bob,
        ):
            yield Pair(app, ana, bob)


async def _after(who: Running, entry: int) -> TableState:
    """The table as they see it once there are more entries than that."""
    return _table(await who.until(lambda client_state: _table(client_state).entry > entry))


def _table(client_state: ClientState) -> TableState:
    assert client_state.table is not None
    return client_state.table


def _is_added(client_state: ClientState) -> bool:
    """Whether the server has what this client adds; it says so with the next view, of whatever."""
    table = client_state.table
    return table is not None and table.seat is not None and table.public.shuffle is not None


def _is_checked(check: ShuffleCheck) -> bool:
    return check.is_verified or check.fault is not None
