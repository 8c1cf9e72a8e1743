"""The crash sweep: a server is killed in the midst of making an entry, and started again.

All that was acknowledged or shown is kept, all that is kept was sent, in that order, and players
resume by their tokens alone, repeating unanswered commands.
"""

import asyncio
import multiprocessing
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from websockets.exceptions import ConnectionClosed

from diadem_server.sessions.sessions import Sessions
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import MAX_ROUNDS, Moved, Setup
from diadem_shared.game import AnyGame
from diadem_shared.match import Phase
from diadem_shared.protocol import Accepted, Answer, Command, Join, Play, TableView, Welcome
from tests.rig import Broken, crashing_server, require
from tests.rig.wire import Player, server

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["pytest", crashing_server.__name__])
AFTERWARDS = 6
"""How many moves are made after the restart."""


class RecordingPlayer(Player):
    """A player who records what they have sent."""

    def __init__(self, port: int, name: str) -> None:
        super().__init__(port, name)
        self.sent: list[Command] = []

    async def ask_again(self, command: Command) -> Any:
        if command not in self.sent:
            self.sent.append(command)
        return await super().ask_again(command)

    @property
    def answers(self) -> dict[int, Answer]:
        return {each.id: each for each in self.messages if isinstance(each, Answer)}

    @property
    def unanswered(self) -> list[Command]:
        return [command for command in self.sent if command.id not in self.answers]


Players: TypeAlias = tuple[RecordingPlayer, RecordingPlayer]


async def check_crash(game: AnyGame, folder: Path, step: str, nth: int, plant: str = "") -> None:
    players = await killed(partial(_play, game), folder, "entry", step, nth, plant)
    await _check_journal(folder, players)
    async with server(folder) as app:
        await _resume(game, players, app.port)
        for player in players:
            await player.disconnect()


async def killed(
    play: Callable[[Players], Coroutine[Any, Any, None]], *given: Path | str | int
) -> Players:
    """Two players at a server that kills itself as `crashing_server.run` says; returns their state."""
    told, ready = FORKS.Pipe(duplex=False)
    victim = FORKS.Process(target=crashing_server.run, args=(ready, *given))
    victim.start()
    ready.close()
    try:
        await _readable(told.fileno())
        port = told.recv()
        players = RecordingPlayer(port, "Ana"), RecordingPlayer(port, "Bob")
        await _until_dead(victim.sentinel, asyncio.create_task(play(players)))
    finally:
        victim.kill()
        victim.join()
        victim.close()
        told.close()
    for player in players:
        await player.disconnect()
    return players


async def _readable(file: int) -> None:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(file, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(file)


async def _until_dead(sentinel: int, playing: asyncio.Task[None]) -> None:
    dead = asyncio.create_task(_readable(sentinel))
    await asyncio.wait({dead, playing}, return_when=asyncio.FIRST_COMPLETED)
    if not dead.done():
        with suppress(ConnectionClosed):
            await playing
    await dead
    playing.cancel()
    with suppress(asyncio.CancelledError, ConnectionClosed):
        await playing


async def _check_journal(folder: Path, players: Sequence[RecordingPlayer]) -> None:
    journal = SqliteJournal(folder)
    await journal.start()
    sessions = Sessions(journal, time.time)
    await sessions.load()
    rows = [
        row
        for table in await journal.tables(0.0)
        for row in (await journal.load(table.code)).entries
    ]
    await journal.close()
    numbers = [row.number for row in rows]
    require(numbers == list(range(1, len(rows) + 1)), "entries have no gap", numbers)
    for player in players:
        session = sessions.known(player.token)
        made = {row.command: row for row in rows if session and row.session == session.id}
        sent = [each for each in player.sent if not isinstance(each, Join)]
        commands = [command.id for command in sent]
        require(list(made) == commands[: len(made)], "entries are what was sent, in order", made)
        for command in sent:
            row, answer = made.get(command.id), player.answers.get(command.id)
            if isinstance(answer, Accepted):
                require(row is not None, "what was acknowledged is there", command, answer)
            if row is not None and isinstance(command, Play):
                as_sent = isinstance(row.entry, Moved) and row.entry.move == command.move
                require(as_sent, "a move is the one that was sent", command, row)
        shown = [each.entry for each in player.messages if isinstance(each, TableView)]
        require(max(shown, default=0) <= len(rows), "what was shown is there", shown, len(rows))


async def _play(game: AnyGame, players: Sequence[RecordingPlayer]) -> None:
    """A match from the first hello until the connection breaks."""
    ana, _ = players
    for player in players:
        await player.connect()
    await ana.ask(protocol.Make, Setup(game.name, rounds=MAX_ROUNDS))
    await _go_on(game, players, sys.maxsize)
    raise Broken("the server dies before the match is over")


async def _resume(game: AnyGame, players: Sequence[RecordingPlayer], port: int) -> None:
    """Everybody reconnects: token, table, and unanswered commands again."""
    for player in players:
        player.url = f"ws://127.0.0.1:{port}"
        known = bool(player.token)
        welcome = await player.connect()
        require(isinstance(welcome, Welcome), "a token lets in again", player.name, welcome)
        held = welcome.table if isinstance(welcome, Welcome) else None
        if player.view is not None and player.view.seat is not None:
            require(known and held == player.view.table, "a seat is kept", player.name, held)
        player.view = None
        if held:
            await player.ask(protocol.Join, held)
        for command in player.unanswered:
            await player.ask_again(command)
    ana, _ = players
    if ana.view is None and not any(isinstance(each, protocol.Make) for each in ana.sent):
        await ana.ask(protocol.Make, Setup(game.name, rounds=MAX_ROUNDS))
    await _go_on(game, players, AFTERWARDS)


async def _go_on(game: AnyGame, players: Sequence[RecordingPlayer], moves: int) -> None:
    """The next command, whatever the state of the match."""
    ana, bob = players
    table = (await ana.seen(lambda view: view.seat is not None)).table
    if bob.view is None or bob.view.table != table:
        await bob.ask(protocol.Join, table)
    if (await bob.seen(lambda view: view.table == table)).seat is None:
        await bob.ask(protocol.Sit)
    view = await ana.seen(lambda view: len(view.public["players"]) == len(players))
    if view.public["phase"] == Phase.GATHERING:
        await ana.ask(protocol.Start)
    for player in players:
        await player.seen(lambda view: view.public["phase"] != Phase.GATHERING)
    for number in range(moves):
        newest = max(player.view.entry for player in players if player.view)
        views = [await each.seen(partial(_is_from, newest)) for each in players]
        if views[0].public["phase"] == Phase.BETWEEN:
            mover, answer = ana, await ana.ask(protocol.Start)
        else:
            seat = views[0].public["actors"][0]
            mover, view = players[seat], views[seat]
            seen = game.read_view(seat, view.public["game"], view.private)
            move = game.any_move(seen, Chance(b"crash", str(number)))
            answer = await mover.play(game.notate(move))
        require(isinstance(answer, Accepted), "play goes on", answer)
        await mover.seen(partial(_is_from, answer.entry))


def _is_from(entry: int, view: TableView) -> bool:
    return view.entry >= entry
