"""Time, put forward by hand: clocks, patience, and who plays on for whom (C-2)."""

from dataclasses import replace
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.lobby import table_limits
from diadem_server.table import seating
from diadem_shared import protocol
from diadem_shared.clock_budget import RETURN_GRACE
from diadem_shared.entries import GameClock, Setup, TurnClock
from tests.rig.wire import Player, play_to_the_end, server
from tests.sample_game import Guess, Numbers, PublicState, Zombie
from tests.server import Time, code, done, guess_wrong, mover, seat_is, started


def _seat(player: Player) -> int:
    assert player.view is not None
    assert player.view.seat is not None
    return player.view.seat


async def test_without_a_clock_nobody_is_hurried(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    await started(ana, bob)
    assert ana.view is not None
    assert ana.view.public["deadline"] is None
    time.goes_on(100_000)
    await guess_wrong(await mover([ana, bob]), app)
    assert not ana.events("timed_out")


async def test_a_turn_that_takes_too_long_is_played_by_the_stand_in(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    setup = Setup("numbers", clock=TurnClock(60), absent="halver", rounds=20)
    await started(ana, bob, setup=setup)
    late = await mover([ana, bob])
    seat = _seat(late)
    assert late.view is not None
    assert 59_000 < late.view.public["deadline"] <= 60_000
    time.goes_on(59)
    await guess_wrong(late, app)
    other = await mover([ana, bob])
    time.goes_on(59)
    await other.ask(protocol.Ping)
    assert not other.events("timed_out")
    time.goes_on(1)
    await other.until(lambda: other.events("timed_out"))
    await late.seen(seat_is(_seat(other), bot="halver", away=True))
    await late.until(lambda: _last_guess(late) == 1 - seat)
    await done(other, protocol.TakeBack)
    await late.seen(seat_is(_seat(other), bot=None, away=False))


def _last_guess(player: Player) -> int:
    seat: int = player.events("answered")[-1]["seat"]
    return seat


async def test_a_clock_for_the_game_runs_down_and_is_incremented(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    await started(ana, bob, setup=Setup("numbers", clock=GameClock(100, increment=5)))
    first = await mover([ana, bob])
    time.goes_on(30)
    await guess_wrong(first, app)
    second = await mover([ana, bob])
    assert second.view is not None
    left = second.view.public["left"]
    assert left[_seat(second)] == 100_000
    assert 74_000 < left[_seat(first)] <= 75_000
    assert 99_000 < second.view.public["deadline"] <= 100_000
    time.goes_on(100)
    await first.until(lambda: first.events("timed_out"))


async def test_handing_a_seat_to_and_fro_gains_no_time(
    app: App, time: Time, ana: Player, bob: Player
) -> None:
    await started(ana, bob, setup=Setup("numbers", clock=TurnClock(60)))
    sly = await mover([ana, bob])
    app.lobby.config = replace(app.lobby.config, bot_pause=1_000.0)
    time.goes_on(50)
    await done(sly, protocol.HandOver, "zombie")
    await done(sly, protocol.TakeBack)
    view = await sly.seen(seat_is(_seat(sly), away=False))
    assert view.public["deadline"] <= 10_000


async def test_bots_never_time_out(app: App, time: Time, ana: Player) -> None:
    app.lobby.config = replace(app.lobby.config, bot_pause=500.0)
    await ana.make(Setup("numbers", clock=TurnClock(60), rounds=20))
    await done(ana, protocol.AddBot, "halver")
    await done(ana, protocol.Start)
    await done(ana, protocol.HandOver, "halver")
    await ana.seen(lambda view: view.public["deadline"] is None)
    time.goes_on(999)
    await ana.ask(protocol.Ping)
    assert not ana.events("timed_out")
    time.goes_on(2)
    await ana.until(lambda: ana.events("answered"))


async def test_who_is_gone_for_long_is_stood_in_for_until_she_returns(
    app: App, time: Time, ana: Player
) -> None:
    bob = Player(app.port, "Bob")
    await bob.connect()
    setup = Setup("numbers", patience=60, absent="halver", rounds=20)
    table = await started(ana, bob, setup=setup)
    await bob.disconnect()
    await ana.seen(seat_is(1, present=False, away=False))
    time.goes_on(59)
    await ana.ask(protocol.Ping)
    assert not ana.events("lost")
    time.goes_on(2)
    await ana.seen(seat_is(1, bot="halver", away=True))
    await bob.connect()
    await done(bob, protocol.Join, table)
    await ana.seen(seat_is(1, bot=None, away=False, present=True))
    assert [event["seat"] for event in ana.events("returned")] == [1]
    await bob.disconnect()


async def test_a_bot_one_chose_oneself_plays_on_until_it_is_sent_away(
    app: App, ana: Player
) -> None:
    bob = Player(app.port, "Bob")
    await bob.connect()
    table = await started(ana, bob, setup=Setup("numbers", rounds=20))
    await done(bob, protocol.HandOver, "halver")
    await bob.disconnect()
    await bob.connect()
    await done(bob, protocol.Join, table)
    await bob.seen(seat_is(1, bot="halver", away=True))
    await done(bob, protocol.TakeBack)
    await ana.seen(seat_is(1, bot=None))
    assert code(await bob.ask(protocol.TakeBack)) == "already_back"
    await bob.disconnect()


async def test_a_table_may_wait_for_ever(app: App, time: Time, ana: Player) -> None:
    bob = Player(app.port, "Bob")
    await bob.connect()
    await started(ana, bob, setup=Setup("numbers", patience=None))
    await bob.disconnect()
    await ana.seen(seat_is(1, present=False))
    time.goes_on(1_000_000)
    await ana.ask(protocol.Ping)
    await ana.seen(seat_is(1, away=False))


@pytest.mark.parametrize("patience", [60, None])
async def test_a_seat_is_freed_before_the_start(
    app: App, time: Time, patience: int | None, ana: Player
) -> None:
    bob = Player(app.port, "Bob")
    await bob.connect()
    table = await ana.make(Setup("numbers", patience=patience))
    await bob.join(table)
    await done(ana, protocol.Ready, ready=True)
    await bob.disconnect()
    await ana.seen(seat_is(1, present=False))
    time.goes_on(patience or 120)
    # Nobody else was not ready.
    view = await ana.seen(lambda view: view.public["phase"] == "playing")
    assert len(view.public["players"]) == 1


async def test_the_rules_may_have_everybody_hurry(
    app: App, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game's own patience: the zombie makes that one move, and the seat stays its player's."""

    def until_half_is_known(_: Numbers, table: PublicState) -> int | None:
        return 30 if table.high - table.low == 8 else None

    monkeypatch.setattr(Numbers, "patience", until_half_is_known)
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        await started(ana, bob, setup=Setup("numbers", rounds=20))
        late = await mover([ana, bob])
        assert late.view is not None
        assert 29_000 < late.view.public["deadline"] <= 30_000
        time.goes_on(30)
        await late.until(lambda: late.events("answered"))
        assert late.events("answered")[0]["seat"] == _seat(late)
        assert not late.events("timed_out")
        await late.seen(seat_is(_seat(late), bot=None))


@pytest.mark.usefixtures("numbers")
async def test_a_restart_is_charged_to_nobody(tmp_path: Path, time: Time) -> None:
    """Time that a server was down counts for nothing, and runs when its player has come back."""
    setup = Setup("numbers", clock=GameClock(100), patience=50)
    async with server(tmp_path) as app:
        ana, bob = Player(app.port, "Ana"), Player(app.port, "Bob")
        await ana.connect()
        await bob.connect()
        table = await started(ana, bob, setup=setup)
        first = await mover([ana, bob])
        time.goes_on(30)
        await guess_wrong(first, app)
        second = await mover([ana, bob])
    for player in (ana, bob):
        await player.disconnect()
    time.goes_on(1_000)
    async with server(tmp_path) as app:
        for player in (ana, bob):
            player.url = f"ws://127.0.0.1:{app.port}"
        await first.connect()
        await done(first, protocol.Join, table)
        view = await first.seen(seat_is(_seat(second), present=False))
        assert view.public["deadline"] is None
        time.goes_on(45)
        await second.connect()
        await done(second, protocol.Join, table)
        view = await first.seen(seat_is(_seat(second), present=True))
        assert 99_000 < view.public["deadline"] <= 100_000
        assert 69_000 < view.public["left"][_seat(first)] <= 70_000
        await second.disconnect()
        await first.seen(seat_is(_seat(second), present=False))
        time.goes_on(51)
        await first.seen(seat_is(_seat(second), bot="zombie"))
        await first.disconnect()


@pytest.mark.usefixtures("numbers")
async def test_whoever_does_not_come_back_to_a_restarted_server_is_stood_in_for(
    tmp_path: Path, time: Time
) -> None:
    async with server(tmp_path) as app:
        ana, bob = Player(app.port, "Ana"), Player(app.port, "Bob")
        await ana.connect()
        await bob.connect()
        table = await started(ana, bob, setup=Setup("numbers", patience=50))
    await ana.disconnect()
    await bob.disconnect()
    async with server(tmp_path) as app:
        ana.url = f"ws://127.0.0.1:{app.port}"
        await ana.connect()
        await done(ana, protocol.Join, table)
        time.goes_on(51)
        await ana.seen(seat_is(1, bot="zombie", away=True))
        await play_to_the_end(ana)
        await ana.disconnect()


async def test_who_comes_back_to_a_clock_run_down_has_time_to_look(
    app: App, time: Time, monkeypatch: pytest.MonkeyPatch, ana: Player, bob: Player
) -> None:
    table = await started(ana, bob, setup=Setup("numbers", clock=GameClock(100)))
    secret = app.lobby.tables[table].match.state.secret
    monkeypatch.setattr(Zombie, "choose", lambda *_: Guess(9 if secret == 1 else 1))
    late = await mover([ana, bob])
    time.goes_on(100)
    await late.until(lambda: late.events("timed_out"))
    await done(late, protocol.TakeBack)
    await late.seen(seat_is(_seat(late), away=False))
    await guess_wrong(await mover([ana, bob]), app)
    view = await late.seen(lambda view: view.public["actors"] == [_seat(late)])
    assert RETURN_GRACE - 1_000 < view.public["deadline"] <= RETURN_GRACE


@pytest.mark.parametrize("how", ["take_back", "join"])
async def test_who_comes_back_at_once_finds_the_late_move_made(
    app: App, time: Time, how: str
) -> None:
    """C-2: a clock hurries also whoever takes the seat back before the bot has moved."""
    app.lobby.config = replace(app.lobby.config, bot_pause=1_000.0)
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        table = await started(ana, bob, setup=Setup("numbers", clock=TurnClock(5), rounds=20))
        late = await mover([ana, bob])
        time.goes_on(5)
        await late.until(lambda: late.events("timed_out"))
        assert not late.events("answered")
        if how == "join":
            await done(late, protocol.Join, table)
        else:
            await done(late, protocol.TakeBack)
        await late.seen(seat_is(_seat(late), away=False))
        assert [event["seat"] for event in late.events("answered")] == [_seat(late)]


async def test_a_line_is_lost_so_often_in_a_match(
    app: App, time: Time, monkeypatch: pytest.MonkeyPatch, ana: Player
) -> None:
    """Every time is kept with the match, which ends all the same."""
    most = 10
    monkeypatch.setattr(seating, "MOST_ABSENCES", most)
    monkeypatch.setattr(table_limits, "MOST_ABSENCES", most)
    bob = Player(app.port, "Bob")
    await bob.connect()
    table = await started(ana, bob, setup=Setup("numbers", patience=5))
    if await mover([ana, bob]) is bob:
        await guess_wrong(bob, app)
    for _ in range(most):
        await bob.disconnect()
        await ana.seen(seat_is(1, present=False, away=False))
        time.goes_on(5)
        await ana.seen(seat_is(1, away=True))
        await bob.connect()
        await done(bob, protocol.Join, table)
        await ana.seen(seat_is(1, present=True, away=False))
    await bob.disconnect()
    await ana.seen(seat_is(1, present=False))
    time.goes_on(5)
    await ana.seen(seat_is(1, away=True))
    await bob.connect()
    await done(bob, protocol.Join, table)
    await bob.seen(seat_is(1, present=True, away=True))
    assert code(await bob.ask(protocol.TakeBack)) == "too_many_changes"
    await play_to_the_end(ana)
    await bob.disconnect()
