"""The crash sweep for what makes no entry: chat, readiness, a match played again.

Commands are idempotent over a crash: what was accepted before the server was killed is answered the same
when it is repeated, and is not done again. Refusals are in memory alone, and so repeated by nobody here.
"""

import asyncio
from pathlib import Path

from diadem_server.app import App
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import Accepted, Answer, TableView
from tests.rig import Broken, require
from tests.rig.crashes import Players, RecordingPlayer, killed
from tests.rig.wire import play_to_the_end, server
from tests.sample_game import Numbers

SETUP = Setup(Numbers.name)


async def check_answers(folder: Path, what: str, step: str, nth: int, plant: str = "") -> None:
    players = await killed(_play, folder, what, step, nth, plant)
    before = [dict(player.answers) for player in players]
    async with server(folder) as app:
        for player in players:
            await _come_back(player, app.port)
        for player, answers in zip(players, before, strict=True):
            await _repeat(player, answers)
        await asyncio.gather(*(player.ask(protocol.Ping) for player in players))
        await _check_nothing_is_twice(app, players)
        await _check_play_goes_on(players)
        for player in players:
            await player.disconnect()


async def _play(players: Players) -> None:
    """All commands that make no entry, and a match to its end in between."""
    ana, bob = players
    for player in players:
        await player.connect()
    await ana.ask(protocol.Make, SETUP)
    table = (await ana.seen(lambda view: view.seat is not None)).table
    await bob.ask(protocol.Join, table)
    await bob.ask(protocol.Resign)  # too early
    await bob.ask(protocol.Part)
    await bob.ask(protocol.Join, table)
    await bob.ask(protocol.Sit)
    await bob.ask(protocol.Say, "good luck")
    for player in players:
        await player.ask(protocol.Ready, ready=True)
    for player in players:
        await player.seen(_is_playing)
    seat = ana.view.public["actors"][0] if ana.view else 0
    await players[1 - seat].ask(protocol.Play, "guess 5")  # out of turn
    await players[seat].ask(protocol.Say, "wait for it")
    await play_to_the_end(*players)
    await bob.ask(protocol.React, "good_game")
    await bob.ask(protocol.Say, "well played")
    await ana.ask(protocol.Again)
    await bob.ask(protocol.Again)
    await bob.seen(lambda view: view.table != table)
    await bob.ask(protocol.Ready, ready=True)
    raise Broken("the server dies before all is done")


def _is_playing(view: TableView) -> bool:
    return bool(view.public["phase"] != Phase.GATHERING)


async def _come_back(player: RecordingPlayer, port: int) -> None:
    """To the table of the seat, or where they were last."""
    player.url = f"ws://127.0.0.1:{port}"
    last = player.view
    welcome = await player.connect()
    held = getattr(welcome, "table", None) or (last.table if last else None)
    player.view = None
    if held:
        await player.ask(protocol.Join, held)


async def _repeat(player: RecordingPlayer, before: dict[int, Answer]) -> None:
    for command in [each for each in player.sent if not isinstance(each, protocol.Join)]:
        if isinstance(before.get(command.id), protocol.Refused):
            continue
        answer = await player.ask_again(command)
        if known := before.get(command.id):
            require(answer == known, "what was answered is answered the same", command, answer)
        if isinstance(command, protocol.Part | protocol.Again) and player.view:
            await player.ask(protocol.Join, player.view.table)


async def _check_nothing_is_twice(app: App, players: Players) -> None:
    done = [
        command
        for player in players
        for command in player.sent
        if isinstance(player.answers.get(command.id), Accepted)
    ]
    tables = await app.lobby.journal.codes()
    made = sum(isinstance(each, protocol.Make) for each in done)
    made += sum(isinstance(each, protocol.Again) for each in done) == len(players)
    require(len(tables) == made, "every table is made once", made, tables)
    if made > 1:
        return  # the chat of the first table is gone with it
    said = [line.said.text for table in app.lobby.tables.values() for line in table.chat.lines]
    told = [each.text for each in done if isinstance(each, protocol.Say)]
    require(sorted(said) == sorted(told), "what was said is there once", said, told)


async def _check_play_goes_on(players: Players) -> None:
    ana, bob = players
    table = (await ana.seen(lambda view: view.seat is not None)).table
    if (bob.view.table if bob.view else None) != table:
        await bob.ask(protocol.Join, table)
    if (await bob.seen(lambda view: view.table == table)).seat is None:
        await bob.ask(protocol.Sit)
    for player in players:
        await player.ask(protocol.Ready, ready=True)
    for player in players:
        await player.seen(_is_playing)
    await play_to_the_end(*players)
