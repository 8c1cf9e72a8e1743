"""Every table ends: what nobody plays at or looks at any more does not go on for ever."""

from dataclasses import replace
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.lobby import prune
from diadem_server.table.grace_periods import BEFORE_THE_START
from diadem_server.table.lifetime import ABANDONED_SECONDS, DEAL_ON_SECONDS, EXPIRY_SECONDS
from diadem_server.table.table import Table
from diadem_shared import protocol
from diadem_shared.entries import Setup, TurnClock
from diadem_shared.match import Phase
from tests.rig.wire import Player, server
from tests.server import Calendar, Time, done, guess_right, is_in, mover, seat_is, started

LONG = Setup("numbers", rounds=20)
FOR_EVER = Setup("numbers", rounds=20, patience=None)
HOUR = 60 * 60.0


def bots_pause(app: App) -> None:
    """No bot moves for now."""
    app.lobby.config = replace(app.lobby.config, bot_pause=100_000.0)


async def ended(app: App, table: Table) -> bool:
    """Wait until nothing goes on there any more."""
    assert table.task is not None
    await table.task
    return table.code not in app.lobby.tables


async def is_still_there(app: App, table: Table, by: Player) -> bool:
    """After whatever its timers had to do was done."""
    done_so_far: list[None] = []

    async def look() -> None:
        done_so_far.append(None)

    for _ in range(3):
        await by.ask(protocol.Ping)
    table.post(look)
    while not done_so_far:
        await by.ask(protocol.Ping)
    return table.code in app.lobby.tables


@pytest.mark.parametrize("setup", [LONG, FOR_EVER], ids=["patient", "for ever"])
@pytest.mark.parametrize("between", [False, True], ids=["in a round", "between rounds"])
async def test_a_match_that_all_have_resigned_from_ends_once_nobody_looks_on(
    app: App, time: Time, setup: Setup, *, between: bool, ana: Player, bob: Player
) -> None:
    code = await started(ana, bob, setup=setup)
    table = app.lobby.tables[code]
    bots_pause(app)
    if between:
        await guess_right(await mover([ana, bob]), app)
        await bob.seen(is_in(Phase.BETWEEN))
    for player in (ana, bob):
        await done(player, protocol.Resign)
    await done(ana, protocol.Part)
    time.goes_on(ABANDONED_SECONDS / 2)
    if not between:
        assert await is_still_there(app, table, ana), "somebody looks on"
    await done(bob, protocol.Part)
    time.goes_on(ABANDONED_SECONDS - 10)
    assert await is_still_there(app, table, ana)
    time.goes_on(10)
    assert await ended(app, table)
    assert len((await ana.ask(protocol.ListReplays)).replays) == 1


async def test_whoever_takes_a_seat_back_in_time_plays_on(
    app: App, time: Time, ana: Player
) -> None:
    code = await started(ana, setup=LONG)
    bots_pause(app)
    await done(ana, protocol.Resign)
    await done(ana, protocol.Part)
    time.goes_on(ABANDONED_SECONDS - 10)
    await done(ana, protocol.Join, code)
    await done(ana, protocol.TakeBack)
    time.goes_on(ABANDONED_SECONDS)
    assert await is_still_there(app, app.lobby.tables[code], ana)
    await guess_right(ana, app)


async def test_a_match_handed_over_ends_between_rounds_once_nobody_looks_on(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    table = app.lobby.tables[await started(ana, setup=LONG)]
    await guess_right(ana, app)
    await ana.seen(is_in(Phase.BETWEEN))
    await done(ana, protocol.HandOver, "halver")
    await done(ana, protocol.Part)
    assert await is_still_there(app, table, bob)
    time.goes_on(ABANDONED_SECONDS)
    assert await ended(app, table)


async def test_bots_deal_on_where_somebody_looks_on(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    code = await started(ana, setup=Setup("numbers", rounds=3))
    await done(bob, protocol.Join, code)
    await guess_right(ana, app)
    await bob.seen(is_in(Phase.BETWEEN))
    await done(ana, protocol.Resign)
    await done(ana, protocol.Part)
    for played in (2, 3):
        await bob.seen(lambda view: view.public["players"][0]["away"])
        time.goes_on(DEAL_ON_SECONDS)
        await bob.seen(lambda view: len(view.public["rounds"]) == played)  # noqa: B023
    await bob.seen(is_in(Phase.OVER))


async def test_who_is_away_by_no_choice_of_theirs_is_waited_for_between_rounds(
    app: App, time: Time, bob: Player
) -> None:
    ana = Player(app.port, "Ana")
    await ana.connect()
    table = app.lobby.tables[await started(ana, setup=Setup("numbers", rounds=2, patience=5))]
    await done(bob, protocol.Join, table.code)
    await ana.disconnect()
    await bob.seen(seat_is(0, present=False))
    time.goes_on(6)
    await bob.seen(is_in(Phase.BETWEEN))
    await done(bob, protocol.Part)
    time.goes_on(6 * ABANDONED_SECONDS)
    assert await is_still_there(app, table, bob)
    await ana.connect()
    await done(ana, protocol.Join, table.code)
    await ana.seen(seat_is(0, away=False))
    await ana.disconnect()


async def test_a_match_that_somebody_is_waited_for_in_for_ever_ends_after_a_week(
    app: App, time: Time, bob: Player
) -> None:
    ana = Player(app.port, "Ana")
    await ana.connect()
    table = app.lobby.tables[await started(ana, setup=FOR_EVER)]
    time.goes_on(2 * EXPIRY_SECONDS)
    await prune.tidy(app.lobby)
    await guess_right(ana, app)
    await ana.seen(is_in(Phase.BETWEEN))
    time.goes_on(2 * EXPIRY_SECONDS)
    await ana.disconnect()
    await prune.tidy(app.lobby)
    assert await is_still_there(app, table, bob), "they have only just gone"
    time.goes_on(EXPIRY_SECONDS + HOUR)
    await prune.tidy(app.lobby)
    assert await ended(app, table)


async def test_who_looked_on_for_a_week_in_silence_has_only_just_gone(
    app: App, time: Time, bob: Player
) -> None:
    ana = Player(app.port, "Ana")
    await ana.connect()
    table = app.lobby.tables[await started(ana, setup=FOR_EVER)]
    time.goes_on(2 * EXPIRY_SECONDS)
    ana.cut()
    while table.seating.viewers:
        await bob.ask(protocol.Ping)
    assert not table.lifetime.has_expired(table.match)
    time.goes_on(EXPIRY_SECONDS + HOUR)
    await prune.tidy(app.lobby)
    assert await ended(app, table)


async def test_a_player_on_the_clock_alone_does_not_keep_a_table_for_ever(
    app: App, time: Time, bob: Player
) -> None:
    ana = Player(app.port, "Ana")
    await ana.connect()
    setup = Setup("numbers", rounds=20, patience=None, clock=TurnClock(60))
    table = app.lobby.tables[await started(ana, setup=setup)]
    await ana.disconnect()
    time.goes_on(61)
    assert await is_still_there(app, table, bob)
    time.goes_on(EXPIRY_SECONDS + HOUR)
    await prune.tidy(app.lobby)
    assert await ended(app, table)


# After a restart


@pytest.mark.usefixtures("numbers")
@pytest.mark.parametrize("between", [False, True], ids=["in a round", "between rounds"])
async def test_a_match_that_all_have_resigned_from_ends_after_a_restart_too(
    tmp_path: Path, time: Time, *, between: bool
) -> None:
    async with server(tmp_path) as app, Player(app.port, "Ana") as ana:
        await started(ana, setup=LONG)
        bots_pause(app)
        if between:
            await guess_right(ana, app)
            await ana.seen(is_in(Phase.BETWEEN))
        await done(ana, protocol.Resign)
    async with server(tmp_path, bot_pause=100_000.0) as app, Player(app.port, "Bob") as bob:
        (table,) = app.lobby.tables.values()
        assert await is_still_there(app, table, bob)
        time.goes_on(ABANDONED_SECONDS)
        assert await ended(app, table)


@pytest.mark.usefixtures("numbers")
async def test_a_table_that_was_never_begun_ends_after_a_restart_too(
    tmp_path: Path, time: Time
) -> None:
    async with server(tmp_path) as app, Player(app.port, "Ana") as ana:
        await ana.make(FOR_EVER)
    async with server(tmp_path) as app, Player(app.port, "Bob") as bob:
        (table,) = app.lobby.tables.values()
        assert await is_still_there(app, table, bob)
        time.goes_on(BEFORE_THE_START)
        assert await ended(app, table)
        assert not await app.lobby.registry.codes()


@pytest.mark.usefixtures("numbers")
async def test_restarts_do_not_keep_a_table_that_nobody_comes_to(
    tmp_path: Path, calendar: Calendar, time: Time
) -> None:
    async with server(tmp_path, now=calendar) as app, Player(app.port, "Ana") as ana:
        await started(ana, setup=FOR_EVER)
    for _ in range(7):
        calendar.ahead += prune.DAY
        async with server(tmp_path, now=calendar) as app, Player(app.port, "Bob") as bob:
            (table,) = app.lobby.tables.values()
            await prune.tidy(app.lobby)
            assert await is_still_there(app, table, bob)
    calendar.ahead += prune.DAY
    async with server(tmp_path, now=calendar) as app, Player(app.port, "Bob") as bob:
        (table,) = app.lobby.tables.values()
        await prune.tidy(app.lobby)
        assert await is_still_there(app, table, bob), "there is time to come back"
        time.goes_on(2 * HOUR)
        await prune.tidy(app.lobby)
        assert await ended(app, table)
