"""Bots at the table: those that think for long, those that break down, and those that cheat."""

import asyncio
import multiprocessing
import os
import pickle
import signal
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from diadem_server.app import App
from diadem_server.table import bots
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.game import AnyGame, Event
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from diadem_shared.protocol import TableView
from tests.patience import PATIENCE
from tests.rig.wire import Player, play_to_the_end
from tests.sample_game import Guess, NumberBot, Numbers, NumberView
from tests.server import Time, done, guess_right, guess_wrong, is_in, started

LONG = Setup("numbers", rounds=3)


class Breaks(NumberBot):
    def choose(self, view: NumberView) -> Guess:
        raise RuntimeError("planted")


class Cheats(NumberBot):
    def choose(self, view: NumberView) -> Guess:
        return Guess(view.public.high + 1)


class Endless(NumberBot):
    def choose(self, view: NumberView) -> Guess:
        while True:
            pass


class Gawps(NumberBot):
    def see(self, event: Event) -> None:
        raise RuntimeError("planted")

    def choose(self, view: NumberView) -> Guess:
        return Guess(view.public.low)


class Heavy(NumberBot):
    heavy = True

    def choose(self, view: NumberView) -> Guess:
        return Guess(view.public.low)


class Remembers(Heavy):
    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.heard = 0

    def see(self, event: Event) -> None:
        self.heard += 1


@pytest.mark.parametrize(("alone", "seconds"), [(False, 1_000), (True, 2_000)])
async def test_bots_take_longer_where_nobody_else_plays(
    app: App, time: Time, ana: Player, *, alone: bool, seconds: int
) -> None:
    app.lobby.config = replace(app.lobby.config, bot_pause=1_000.0)
    await ana.make(LONG)
    await done(ana, protocol.AddBot, "halver")
    await done(ana, protocol.Start)
    view = await ana.seen(is_in(Phase.PLAYING))
    if alone:
        await done(ana, protocol.HandOver, "halver")
    elif view.public["actors"] == [0]:
        await guess_wrong(ana, app)
    before = len(ana.events("answered"))
    time.goes_on(seconds - 1)
    await ana.ask(protocol.Ping)
    assert len(ana.events("answered")) == before
    time.goes_on(2)
    await ana.until(lambda: len(ana.events("answered")) > before)


@pytest.mark.parametrize("bot", [Breaks, Cheats, Gawps])
async def test_a_broken_bot_is_replaced_by_the_zombie_for_that_move(
    app: App, numbers: Numbers, bot: type[NumberBot], caplog: pytest.LogCaptureFixture
) -> None:
    numbers.bots = {**numbers.bots, "broken": bot}
    async with Player(app.port, "Ana") as ana:
        await ana.make(LONG)
        await done(ana, protocol.AddBot, "broken")
        await done(ana, protocol.Start)
        await _play_every_round(ana)
        assert any(event["seat"] == 1 for event in ana.events("answered"))
        assert "broken" in caplog.text


async def _play_every_round(ana: Player) -> None:
    while True:
        view = await ana.seen(
            lambda view: not view.public["actors"] or view.seat in view.public["actors"]
        )
        if view.public["phase"] == Phase.OVER:
            return
        if view.public["phase"] == Phase.BETWEEN:
            answer = await ana.ask(protocol.Start)
        else:
            answer = await ana.play(f"guess {view.public['game']['low']}")
        await ana.seen(lambda view: view.entry >= answer.entry)  # noqa: B023


async def test_a_zombie_that_breaks_stops_its_table_alone(app: App, numbers: Numbers) -> None:
    numbers.bots = {**numbers.bots, "zombie": Breaks}
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        await started(bob)
        await ana.make(LONG)
        await done(ana, protocol.AddBot, "zombie")
        await done(ana, protocol.Start)
        # Chance says who begins; if it is the zombie, the table is gone before anybody looks.
        now = await ana.until(lambda: _gone(ana) or _due(ana))
        if isinstance(now, TableView):
            await guess_wrong(ana, app)
        gone = await ana.until(lambda: _gone(ana))
        assert gone.why.code == "table_broken"
        await guess_right(bob, app)
        await bob.seen(is_in(Phase.OVER))


def _gone(player: Player) -> protocol.Gone | None:
    return next((each for each in player.messages if isinstance(each, protocol.Gone)), None)


def _due(player: Player) -> TableView | None:
    view = player.view
    return view if view and view.seat in view.public["actors"] else None


class Held:
    """Stands for the processes: a thought is over when the test says so."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.released = asyncio.Event()

    async def think(self, game: str, level: str, view: NumberView) -> bots.Chosen:
        self.asked.set()
        await self.released.wait()
        return bots.Chosen(f"guess {view.public.low}")

    def close(self) -> None:
        pass


async def test_a_bot_that_thinks_delays_no_other_table(
    app: App, numbers: Numbers, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers.bots = {**numbers.bots, "heavy": Heavy}
    held = Held()
    monkeypatch.setattr(app.lobby, "bot_workers", held)
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        await ana.make(Setup("numbers", rounds=20))
        await done(ana, protocol.AddBot, "heavy")
        await done(ana, protocol.Start)
        await done(ana, protocol.HandOver, "heavy")
        await held.asked.wait()
        await started(bob)
        await play_to_the_end(bob)
        await done(ana, protocol.Say, "take your time")
        await done(ana, protocol.TakeBack)
        guesses = len(ana.events("answered"))
        held.released.set()
        await ana.until(
            lambda: (
                len(ana.events("answered")) > guesses
                or (ana.view and ana.view.seat in ana.view.public["actors"])
            )
        )


async def test_thoughts_are_thought_in_another_process() -> None:
    """With a real game: the process knows only those of the registry."""
    workers = bots.BotWorkers(1)
    game, view = _dealt()
    zombie = game.bots["zombie"](Chance(b"thinks"))
    chosen = await workers.think(game.name, zombie, view)
    assert game.explain(view, game.parse(chosen.move)) is None
    assert chosen.why
    (process,) = multiprocessing.active_children()
    os.kill(process.pid or 0, signal.SIGKILL)
    with suppress(BrokenExecutor):
        while True:
            await workers.think(game.name, zombie, view)
    assert (await workers.think(game.name, zombie, view)).move == chosen.move
    workers.close()


THINKERS = [
    (game.name, level)
    for game in GAMES.values()
    for level, bot in game.bots.items()
    if bot(Chance(b"thinks")).heavy
]


class Recorded:
    """BotWorkers that keep who was asked to think, and have the zombie think instead."""

    def __init__(self) -> None:
        self.minds: list[Any] = []

    async def think(self, game: str, mind: Any, view: Any) -> bots.Chosen:
        self.minds.append(pickle.loads(pickle.dumps(mind)))  # noqa: S301, our own
        return bots.think(game, GAMES[game].bots["zombie"](Chance(b"thinks")), view)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("name", "level"), THINKERS)
async def test_whoever_thinks_for_long_does_so_elsewhere(
    app: App, monkeypatch: pytest.MonkeyPatch, name: str, level: str
) -> None:
    workers = Recorded()
    monkeypatch.setattr(app.lobby, "bot_workers", workers)
    async with Player(app.port, "Ana") as ana:
        await ana.make(Setup(name))
        await done(ana, protocol.AddBot, level)
        await done(ana, protocol.AddBot, level)
        await done(ana, protocol.Start)
        await done(ana, protocol.HandOver, "zombie")
        await ana.until(lambda: len(workers.minds) > 1)
    wanted = type(GAMES[name].bots[level](Chance(b"thinks")))
    assert all(type(mind) is wanted for mind in workers.minds)


async def test_a_copy_that_thinks_remembers_what_the_bot_was_told(
    app: App, numbers: Numbers, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers.bots = {**numbers.bots, "remembers": Remembers}
    workers = Recorded()
    monkeypatch.setattr(app.lobby, "bot_workers", workers)
    async with Player(app.port, "Ana") as ana:
        await ana.make(Setup("numbers", rounds=20))
        await done(ana, protocol.AddBot, "remembers")
        await done(ana, protocol.Start)
        await _play_every_round(ana)
    heard = [mind.heard for mind in workers.minds]
    assert heard[0] < heard[-1]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level"), THINKERS[-1:])
async def test_a_real_thinker_plays(app: App, name: str, level: str) -> None:
    async with Player(app.port, "Ana") as ana:
        await ana.make(Setup(name))
        await done(ana, protocol.AddBot, level)
        await done(ana, protocol.Start)
        await done(ana, protocol.HandOver, level)
        first = await ana.seen(lambda view: view.public["actors"])
        await ana.seen(lambda view: view.entry >= first.entry + 2)


def _dealt() -> tuple[AnyGame, Any]:
    """A round as its opener sees it."""
    game = GAMES["diamoniak"]
    state, _ = game.start(game.read_options({}), 2, None, Chance(b"seed"))
    return game, game.view(state, game.actors(game.public(state))[0])


async def test_a_thought_without_end_is_ended(time: Time) -> None:
    workers = bots.BotWorkers(1)
    game, view = _dealt()
    zombie = game.bots["zombie"](Chance(b"thinks"))
    await workers.think(game.name, zombie, view)
    (process,) = multiprocessing.active_children()
    endless = Endless(Chance(b"thinks"))
    thinking = asyncio.create_task(workers.think(game.name, endless, view))
    await asyncio.sleep(0)
    time.goes_on(bots.THINKING_TIMEOUT)
    with pytest.raises(TimeoutError):
        await thinking
    process.join(PATIENCE)
    assert not process.is_alive()
