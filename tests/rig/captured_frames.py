"""Frames of a real server: every kind of message, captured while matches are played."""

from pathlib import Path

from diadem_shared import protocol
from diadem_shared.entries import Setup, TurnClock
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from diadem_shared.protocol import TableView
from tests.rig.wire import Player, server


async def frames_of(game: str, data: Path) -> list[bytes]:
    """All frames that a player was sent in a match of two rounds that bots played, oldest first."""
    setup = Setup(game, rounds=2, clock=TurnClock(60))
    async with (
        server(data, bot_pause=0.0) as app,
        Player(app.port, "Ana") as ana,
        Player(app.port, "Bob") as bob,
    ):
        await ana.ask(protocol.WatchLobby, on=True)
        table = await ana.make(setup)
        await bob.join(table, sit=False)
        await bob.ask(protocol.Say, "Good luck!")
        await ana.ask(protocol.AddBot, "zombie")
        await ana.ask(protocol.Play, "too early")
        await ana.ask(protocol.Start)
        await ana.ask(protocol.Check, {"H8": "A"})
        await ana.ask(protocol.HandOver, next(iter(GAMES[game].bots)))
        await ana.seen(lambda view: view.public["phase"] == Phase.BETWEEN)
        await ana.ask(protocol.GetHistory)
        await ana.ask(protocol.Ping)
        await ana.ask(protocol.Resign)
        await ana.ask(protocol.ListReplays)
        await ana.ask(protocol.Join, "NONE")
        await ana.ask(protocol.Part)
        return list(ana.frames)


def views_in(frames: list[bytes]) -> list[bytes]:
    return [each for each in frames if isinstance(protocol.read_message(each), TableView)]
