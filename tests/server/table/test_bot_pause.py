"""How long bots hold those who play: no longer than the host wants, and no longer than they wish themselves."""

from dataclasses import replace

import pytest

from diadem_server.app import App
from diadem_server.table import bot_pause
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from tests.rig.wire import Player
from tests.sample_game import Numbers
from tests.server import Far, Time, done, guess_wrong, is_in, looks_on, mover

HOST = 1_000
"""Seconds that the host wants."""
LONG = Setup("numbers", options={"highest": 99}, rounds=20)


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> Numbers:
    game = Far()
    monkeypatch.setitem(GAMES, game.name, game)
    return game


@pytest.fixture
async def slow(app: App, time: Time) -> Time:
    app.lobby.config = replace(app.lobby.config, bot_pause=float(HOST))
    return time


def moves(player: Player) -> int:
    return len(player.events("answered"))


async def bots_turn(app: App, *players: Player) -> int:
    """A table at which a bot is on; how many moves were made there."""
    first, *others = players
    table = await first.make(LONG)
    for other in others:
        await other.join(table)
    await done(first, protocol.AddBot, "zombie")
    await done(first, protocol.Start)
    return await until_bots_turn(app, *players)


async def until_bots_turn(app: App, *players: Player) -> int:
    for player in players:
        await player.seen(is_in(Phase.PLAYING))
    while (view := players[0].view) and view.public["actors"][0] < len(players):
        answer = await guess_wrong(await mover(players), app)
        for player in players:
            await player.seen(lambda view: view.entry >= answer.entry)  # noqa: B023
    return moves(players[0])


async def moved(player: Player, before: int) -> None:
    await player.until(lambda: moves(player) > before)


async def not_moved(player: Player, before: int) -> None:
    await player.ask(protocol.Ping)
    await player.ask(protocol.Say, "so far")
    assert moves(player) == before


async def test_the_welcome_tells_what_the_host_wants(app: App) -> None:
    app.lobby.config = replace(app.lobby.config, bot_pause=0.4)
    ana = Player(app.port, "Ana")
    welcome = await ana.connect()
    assert isinstance(welcome, protocol.Welcome)
    assert welcome.bot_pause == 400
    await ana.disconnect()


async def test_who_plays_alone_is_held_for_no_longer_than_they_wish(
    app: App, slow: Time, ana: Player
) -> None:
    await done(ana, protocol.SetPause, 20_000)
    before = await bots_turn(app, ana)
    slow.goes_on(19)
    await not_moved(ana, before)
    slow.goes_on(2)
    await moved(ana, before)


@pytest.mark.usefixtures("slow")
async def test_a_pause_that_has_begun_is_cut_short(app: App, ana: Player) -> None:
    before = await bots_turn(app, ana)
    await not_moved(ana, before)
    await done(ana, protocol.SetPause, 0)
    await moved(ana, before)


async def test_a_pause_that_has_begun_goes_on_for_who_wishes_for_more_again(
    app: App, slow: Time, ana: Player
) -> None:
    await done(ana, protocol.SetPause, 20_000)
    before = await bots_turn(app, ana)
    await done(ana, protocol.SetPause, 60_000)
    slow.goes_on(21)
    await not_moved(ana, before)
    slow.goes_on(60)
    await moved(ana, before)


async def test_nobody_makes_bots_slower_than_the_host_wants(
    app: App, time: Time, ana: Player
) -> None:
    app.lobby.config = replace(app.lobby.config, bot_pause=30.0)
    await done(ana, protocol.SetPause, 60_000)
    before = await bots_turn(app, ana)
    time.goes_on(31)
    await moved(ana, before)


async def test_of_all_who_play_the_shortest_wish_counts(
    app: App, slow: Time, ana: Player, bob: Player
) -> None:
    await done(ana, protocol.SetPause, 60_000)
    await done(bob, protocol.SetPause, 20_000)
    before = await bots_turn(app, ana, bob)
    slow.goes_on(19)
    await not_moved(ana, before)
    slow.goes_on(2)
    await moved(ana, before)


async def test_a_wish_counts_only_of_who_plays(
    app: App, slow: Time, ana: Player, bob: Player, cem: Player
) -> None:
    """Neither of who looks on, nor of who lets a bot play."""
    await done(bob, protocol.SetPause, 0)
    await done(cem, protocol.SetPause, 0)
    table = await ana.make(LONG)
    await bob.join(table)
    await done(ana, protocol.Start)
    await looks_on(cem, table)
    await done(bob, protocol.HandOver, "zombie")
    before = await until_bots_turn(app, ana)
    await not_moved(ana, before)
    slow.goes_on(HOST + 1)
    await moved(ana, before)


@pytest.mark.usefixtures("slow")
async def test_a_wish_lasts_as_long_as_the_connection(app: App) -> None:
    ana = Player(app.port, "Ana")
    await ana.connect()
    await done(ana, protocol.SetPause, 0)
    table = await ana.make(LONG)
    await ana.disconnect()
    await ana.connect()
    await done(ana, protocol.Join, table)
    await done(ana, protocol.AddBot, "zombie")
    await done(ana, protocol.Start)
    before = await until_bots_turn(app, ana)
    await not_moved(ana, before)
    await ana.disconnect()


async def test_bots_are_hurried_a_few_times_a_second_only(
    app: App, slow: Time, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or who moves at once, time and again, had them take the server from all the others."""
    monkeypatch.setattr(bot_pause, "AT_ONCE", 3)
    monkeypatch.setattr(bot_pause, "A_SECOND", 1 / 100)
    before = await bots_turn(app, ana)
    await done(ana, protocol.SetPause, 0)
    for _ in range(3):
        await moved(ana, before)
        await guess_wrong(ana, app)
        before += 2
    await not_moved(ana, before)
    slow.goes_on(101)
    await moved(ana, before)
