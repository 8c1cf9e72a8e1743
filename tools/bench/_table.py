"""A server with one table in the middle of a round, for a client that is measured.

    python -m tools.bench._table GAME SEATS DIRECTORY

prints port and code of the table; once somebody has come to it, plays on until it is their turn and
prints what they hold. For each line of its input a move is made, whoever is on. It ends when its input does.
"""

import asyncio
import secrets
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

from diadem_server.table.table import Table
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved, Sat, Setup, Started
from diadem_shared.game import View
from diadem_shared.refusals import Refusal
from tests.rig.wire import Player, server

GUEST = 1
"""Seat of the client that is measured."""
TURNS = 6
OTHERS = ("Cem", "Dee", "Eva", "Fay", "Gil", "Hal")


async def main(game: str, seats: int, folder: Path) -> None:
    async with server(folder) as app, Player(app.port, "Bob") as bob:
        with patch.object(secrets, "token_bytes", lambda size: (b"amber" * size)[:size]):
            await bob.ask(protocol.Make, Setup(game, patience=None))
        table = next(iter(app.lobby.tables.values()))
        print(app.port, table.code, flush=True)
        await bob.until(lambda: len(table.match.players) > GUEST)
        for name in OTHERS[: seats - 2]:
            await _enter(table, Sat(name))
        await _enter(table, Started())
        chooser = Chance(b"board", "moves")
        while table.match.entries < seats + TURNS or GUEST not in table.match.actors:
            await _move(table, chooser)
        print(getattr(_view(table, GUEST).private, "tiles", ""), flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            await _move(table, chooser)


async def _move(table: Table, chooser: Chance) -> None:
    if table.match.actors:
        seat = table.match.actors[0]
        move = table.match.game.any_move(_view(table, seat), chooser)
        await _enter(table, Moved(seat, table.match.game.notate(move)))


def _view(table: Table, seat: int) -> View[Any, Any]:
    return table.match.game.view(table.match.state, seat)


async def _enter(table: Table, entry: Entry) -> None:
    entered: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()

    async def enter() -> None:
        entered.set_result(await table.enter(entry))

    table.post(enter)
    if refusal := await entered:
        raise AssertionError(refusal)


if __name__ == "__main__":
    what, count, data = sys.argv[1:]
    asyncio.run(main(what, int(count), Path(data)))
