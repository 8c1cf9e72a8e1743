"""Whoever resigned takes the seat back by asking, until the match is over (C-2)."""

from dataclasses import replace
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.lobby import prune
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import NUMBERS, Calendar, code, done, guess_right, is_in, mover, seat_is, started

LONG = Setup("numbers", rounds=20)
CLOSED = Setup("numbers", rounds=20, spectators=False)


@pytest.mark.parametrize("setup", [LONG, CLOSED], ids=["open", "closed"])
async def test_the_seat_is_taken_back_by_asking(setup: Setup, ana: Player, bob: Player) -> None:
    await started(ana, bob, setup=setup)
    await done(ana, protocol.Resign)
    view = await ana.seen(lambda view: view.seat is None)
    assert view.resigned == 0
    await bob.seen(seat_is(0, bot="zombie", away=True))
    assert bob.view is not None
    assert bob.view.resigned is None
    await done(ana, protocol.TakeBack)
    view = await ana.seen(lambda view: view.seat == 0)
    assert view.resigned is None
    await bob.seen(seat_is(0, bot=None, away=False, present=True))
    assert code(await ana.ask(protocol.TakeBack)) == "already_back"


@pytest.mark.parametrize("setup", [LONG, CLOSED], ids=["open", "closed"])
async def test_it_is_taken_back_after_coming_again(
    app: App, setup: Setup, bob: Player, cem: Player
) -> None:
    ana = Player(app.port, "Ana")
    await ana.connect()
    table = await started(ana, bob, setup=setup)
    await done(ana, protocol.Resign)
    await done(ana, protocol.Part)
    await ana.disconnect()
    await ana.connect()
    await done(ana, protocol.Join, table)
    await done(ana, protocol.TakeBack)
    await bob.seen(seat_is(0, bot=None, away=False))
    await cem.ask(protocol.Join, table)
    assert code(await cem.ask(protocol.TakeBack)) in {"no_seat", "at_no_table"}
    await ana.disconnect()


@pytest.mark.usefixtures("numbers")
async def test_it_is_taken_back_after_a_restart_and_days(
    tmp_path: Path, calendar: Calendar
) -> None:
    ana, bob = Player(0, "Ana"), Player(0, "Bob")
    async with server(tmp_path, now=calendar) as app:
        await _connect(app, ana, bob)
        table = await started(ana, bob, setup=LONG)
        await done(ana, protocol.Resign)
    calendar.ahead += prune.DAY
    async with server(tmp_path, now=calendar) as app:
        await _connect(app, bob)
        await done(bob, protocol.Join, table)
        await prune.tidy(app.lobby)
        await _connect(app, ana)
        await done(ana, protocol.Join, table)
        await ana.seen(lambda view: view.resigned == 0)
        await done(ana, protocol.TakeBack)
        await bob.seen(seat_is(0, bot=None, away=False))
    async with server(tmp_path, now=calendar) as app:
        await _connect(app, ana)
        await done(ana, protocol.Join, table)
        await ana.seen(lambda view: view.seat == 0)
    for player in (ana, bob):
        await player.disconnect()


async def _connect(app: App, *players: Player) -> None:
    for player in players:
        player.url = f"ws://127.0.0.1:{app.port}"
        await player.connect()


async def test_it_is_not_taken_back_while_one_sits_elsewhere(ana: Player, bob: Player) -> None:
    table = await started(ana, bob, setup=LONG)
    await done(ana, protocol.Resign)
    other = await ana.make(NUMBERS)
    await done(ana, protocol.Join, table)
    refused = await ana.ask(protocol.TakeBack)
    assert code(refused) == "seated_elsewhere"
    assert refused.why.about == {"table": other}
    await done(ana, protocol.Join, other)
    await done(ana, protocol.Part)
    await done(ana, protocol.Join, table)
    await done(ana, protocol.TakeBack)


async def test_it_is_not_taken_back_once_the_match_is_over(ana: Player, bob: Player) -> None:
    await started(ana, bob)
    await done(ana, protocol.Resign)
    await play_to_the_end(bob)
    view = await ana.seen(is_in(Phase.OVER))
    assert view.resigned is None
    assert code(await ana.ask(protocol.TakeBack)) in {"no_seat", "match_over"}


async def test_whoever_takes_it_back_is_waited_for_between_rounds(
    app: App, ana: Player, bob: Player
) -> None:
    await started(ana, bob, setup=LONG)
    app.lobby.config = replace(app.lobby.config, bot_pause=1_000.0)
    await done(ana, protocol.Resign)
    await done(ana, protocol.TakeBack)
    await guess_right(await mover([ana, bob]), app)
    await bob.seen(is_in(Phase.BETWEEN))
    await done(bob, protocol.Ready, ready=True)
    await ana.seen(seat_is(1, ready=True))
    assert ana.view is not None
    assert ana.view.public["phase"] == Phase.BETWEEN
    await done(ana, protocol.Ready, ready=True)
    await ana.seen(is_in(Phase.PLAYING))
