"""Older clients: what two of them sent in a match of each game, recorded, and sent again to the server of today.

    PYTHONPATH=OLD/shared:OLD/server:OLD/client:OLD python -m tests.rig.older_client > tests/corpus/older_client.jsonl

records it with the client of a tree OLD that has this file. A line is a frame: the game, who sent it, the frame, and how it was
answered. The deal is the same when it is sent again, as server and clients add the same to it.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import msgpack

from diadem_client.net.session import ClientSession
from diadem_client.state.client_state import ClientState
from diadem_server.lobby import lobby
from diadem_server.table import commit_reveal
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import GameClock, Setup, TurnClock
from diadem_shared.game import Seat
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from tests.client.net.clients import Running, running
from tests.rig.wire import server

LEVELS = {"diamino-rummy": "easy", "diamino-bonus": "strong"}
"""Of the bots that move for the players; zombies elsewhere."""


@contextmanager
def same_secret(game: str) -> Iterator[None]:
    """The server's part of the deal is the same each time, and its players are waited for."""
    secret = game.encode().ljust(32, b".")
    with (
        patch.object(lobby, "secrets", SimpleNamespace(token_bytes=lambda _count: secret)),
        patch.object(commit_reveal, "WAITS_SECONDS", 15.0),
    ):
        yield


class Recorder:
    """Notes all frames that sessions send, in order, and how each was answered."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._by_id: dict[tuple[str, int], dict[str, Any]] = {}

    def sent(self, name: str, frame: bytes) -> None:
        line: dict[str, Any] = {"by": name, "frame": frame.hex()}
        self.lines.append(line)
        if id_ := msgpack.unpackb(frame).get("id"):
            self._by_id[name, id_] = line

    def received(self, name: str, frame: bytes) -> None:
        message = msgpack.unpackb(frame)
        if line := self._by_id.get((name, message.get("id", 0))):
            why = message["why"]["code"] if message["type"] == "refused" else ""
            line["answer"] = why or message["type"]


@contextmanager
def recording() -> Iterator[Recorder]:
    notes = Recorder()
    next_frame, receive = ClientSession.next_frame, ClientSession.receive

    def noted(session: ClientSession) -> bytes | None:
        if frame := next_frame(session):
            notes.sent(session.name, frame)
        return frame

    def heard(session: ClientSession, frame: bytes | str) -> Any:
        assert isinstance(frame, bytes)
        notes.received(session.name, frame)
        return receive(session, frame)

    with (
        patch.object(ClientSession, "next_frame", noted),
        patch.object(ClientSession, "receive", heard),
    ):
        yield notes


async def play(game: str, folder: Path) -> list[dict[str, Any]]:
    """A match of two clients, who send each kind of command that concerns one."""
    async with server(folder) as app:
        with recording() as notes:
            async with running(app.port) as ana, running(app.port, "Bob") as bob:
                await _sit_down(ana, bob, game)
                await _talk(ana, bob)
                await _play_on(ana, bob, LEVELS.get(game, "zombie"))
                await _look_back(ana, bob, game)
            return [{"game": game, **line} for line in notes.lines]


async def _sit_down(ana: Running, bob: Running, game: str) -> None:
    await ana.ask(protocol.WatchLobby, on=True)
    await ana.ask(protocol.Make, Setup(game, rounds=2, clock=TurnClock(600)))
    table = (await ana.until(lambda client_state: client_state.table)).table
    assert table is not None
    await ana.ask(protocol.Change, Setup(game, clock=GameClock(6_000, 5), patience=None))
    await ana.ask(protocol.AddBot, "zombie")
    await ana.ask(protocol.Remove, 1)
    await bob.ask(protocol.Join, table.code.lower())
    for kind, seat in ((protocol.Sit, 1), (protocol.Stand, None), (protocol.Sit, 1)):
        await bob.ask(kind)
        await bob.until(partial(_sits_at, seat))
        for each in (ana, bob):  # what they add to the shuffle, they have sent before that
            await each.ask(protocol.Ping)


async def _talk(ana: Running, bob: Running) -> None:
    await ana.ask(protocol.Say, "Good luck!")
    await bob.ask(protocol.React, "good_luck")
    for on in (True, False):
        await ana.ask(protocol.Mute, "Bob", on=on)
        await ana.ask(protocol.Ban, "Cem", on=on)
    await ana.ask(protocol.Kick, "Cem")
    await ana.ask(protocol.Start)
    for each in (ana, bob):
        await each.ask(protocol.Ready, ready=False)
        await each.ask(protocol.Ready, ready=True)
    for each in (ana, bob):
        await each.until(lambda it: it.table and it.table.view)


async def _play_on(ana: Running, bob: Running, level: str) -> None:
    chance, moves = Chance(b"moves"), 0
    while (table := ana.client_state.table) and table.public.phase is Phase.PLAYING:
        moves += 1
        seat = table.public.actors[0]
        mover, other = (ana, bob)[seat], (bob, ana)[seat]
        entry = table.entry
        table = (await mover.until(partial(_has_seen, entry))).table
        assert table is not None
        if moves == 3:
            await _do_other_things(mover, other)
            entry = (mover.client_state.table or table).entry
        assert table.view is not None
        move = table.game.bots[level](chance).choose(table.view)
        await mover.ask(protocol.Play, table.game.notate(move), mover.client_state.decided_on)
        await ana.until(partial(_has_seen, entry + 1))


async def _do_other_things(mover: Running, other: Running) -> None:
    """While it is another's turn a seat is handed over and taken back."""
    other.client.wish_pause(0.0)
    await other.ask(protocol.HandOver, "zombie")
    await other.ask(protocol.TakeBack)
    await other.ask(protocol.Play, "take C4")
    for kind, *given in (
        *((protocol.Check, {"H8": "A"}), (protocol.LookUp, "Haus"), (protocol.GetMoves,)),
        *((protocol.GetHistory,), (protocol.Ping,), (protocol.Describe,)),
    ):
        await mover.ask(kind, *given)


async def _look_back(ana: Running, bob: Running, game: str) -> None:
    table = ana.client_state.table
    assert table is not None
    await ana.until(_is_verified)
    for kind, *given in (
        *((protocol.ListReplays,), (protocol.GetReplay, table.code), (protocol.GetStatistics,)),
        *((protocol.GetStandings, game), (protocol.SetListed, True), (protocol.Again, False)),
        *((protocol.Resign,), (protocol.Part,), (protocol.WatchLobby, False)),
    ):
        await ana.ask(kind, *given)
    await bob.ask(protocol.Part)


def _sits_at(seat: Seat | None, client_state: ClientState) -> bool:
    return client_state.table is not None and client_state.table.seat == seat


def _has_seen(entry: int, client_state: ClientState) -> bool:
    return client_state.table is not None and client_state.table.entry >= entry


def _is_verified(client_state: ClientState) -> bool:
    return client_state.table is not None and client_state.table.shuffle.is_verified


def main() -> None:
    for game in GAMES:
        with same_secret(game), TemporaryDirectory() as folder:
            for line in asyncio.run(play(game, Path(folder))):
                sys.stdout.write(f"{json.dumps(line)}\n")


if __name__ == "__main__":
    main()
