"""A player on a host of its own: finds the server by itself, and plays a match of each game at once.

    python -m tests.lan.player NAME SERVER PARTNER PACE

With the client's own session and line, and the choices of a bot. Who comes first in the alphabet makes
the tables. PACE is the seconds over a move. A line of JSON tells of each view, the last one what came of it all.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from diadem_client.net.address import Address
from diadem_client.net.client import Client
from diadem_client.net.discovery import DiscoveredServer, ServerBrowser
from diadem_client.net.session import ClientSession
from diadem_client.state import forms
from diadem_client.state.client_state import ClientState, TableState
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from diadem_shared.protocol import Accepted

PACE = 0.08
"""Seconds over a move; who is faster than people are is refused."""
LEVELS = {"easy", "forgetful"}
"""Good enough to come to an end."""

M = TypeVar("M")


def tell(**what: Any) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


async def find(server: str) -> Address:
    found: asyncio.Future[Address] = asyncio.get_running_loop().create_future()

    def hear(heard: tuple[DiscoveredServer, ...]) -> None:
        for each in heard:
            if each.name == server and not found.done():
                found.set_result(each.address)

    looking = asyncio.create_task(ServerBrowser(hear).run())
    address = await found
    looking.cancel()
    await asyncio.wait({looking})
    return address


class Match:
    def __init__(self, address: Address, name: str, partner: str, game: str, pace: float) -> None:
        name, self._partner = f"{name}-{game}", f"{partner}-{game}"
        self.game = game
        self._pace = pace
        self.links: list[str] = []
        self.refused: list[str] = []
        self.accepted: list[int] = []
        self._changed = asyncio.Event()
        self._client = Client(address, ClientSession(name, version="test", first_id=1), self._show)
        self._is_first = name < self._partner
        level = next(each for each in GAMES[game].bots if each in LEVELS)
        self._mind = GAMES[game].bots[level](Chance(name.encode()))

    def _show(self, client_state: ClientState) -> None:
        link = type(client_state.link).__name__
        if self.links[-1:] != [link]:
            self.links.append(link)
        if client_state.table is not None:
            tell(game=self.game, entry=client_state.table.entry, link=link)
        self._changed.set()

    async def _until(self, found: Callable[[ClientState], M | None]) -> M:
        while not (it := found(self._client.client_state)):
            self._changed.clear()
            await self._changed.wait()
        return it

    async def play(self) -> dict[str, Any]:
        line = asyncio.create_task(self._client.run())
        await (self._make() if self._is_first else self._join())
        table = await self._play_on()
        line.cancel()
        await asyncio.wait({line})
        return {
            "table": table.code,
            "entries": table.entry,
            "scores": table.scores,
            "log": [each.text for each in table.log],
            "links": self.links,
            "refused": self.refused,
            "accepted": self.accepted,
        }

    async def _make(self) -> None:
        setup = Setup(self.game, forms.default_answers(self.game))
        await self._do(protocol.Make, setup)
        await self._until(lambda seen: seen.table and self._partner in seen.table.names)
        await self._do(protocol.Start)

    async def _join(self) -> None:
        await self._do(protocol.WatchLobby, on=True)
        code = await self._until(
            lambda seen: next(
                (each.table for each in seen.lobby or () if self._partner in each.names), None
            )
        )
        await self._do(protocol.Join, code)
        await self._do(protocol.Sit)

    async def _play_on(self) -> TableState:
        moved = 0
        while True:
            table = await self._until(partial(_calling, moved))
            if table.public.phase is Phase.OVER:
                return await self._until(
                    lambda seen: seen.table if seen.table and seen.table.log_is_whole else None
                )
            await asyncio.sleep(self._pace)
            assert table.view is not None
            move = table.game.notate(self._mind.choose(table.view))
            moved = table.entry
            if entry := await self._do(protocol.Play, move):
                self.accepted.append(entry)

    async def _do(self, kind: Any, *given: Any, **named: Any) -> int | None:
        while True:
            await self._until(lambda _: self._client.is_connected or None)
            answer = await self._client.ask(kind, *given, **named)
            if not (isinstance(answer, protocol.Refused) and answer.why.code == "not_connected"):
                break  # else the line broke before it was sent, and it never was
        if isinstance(answer, Accepted):
            return answer.entry
        self.refused.append(str(answer))
        return None


def _calling(moved: int, seen: ClientState) -> TableState | None:
    """The table once it calls for a move after that entry, or to see that it is over."""
    table = seen.table
    if table is None:
        return None
    due = table.my_turn and table.entry > moved
    return table if due or table.public.phase is Phase.OVER else None


async def main(name: str, server: str, partner: str, pace: str) -> None:
    address = await find(server)
    tell(found=address.host)
    matches = [Match(address, name, partner, game, float(pace)) for game in GAMES]
    results = await asyncio.gather(*(match.play() for match in matches))
    tell(results={match.game: result for match, result in zip(matches, results, strict=True)})


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
