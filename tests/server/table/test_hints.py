"""Hints: who is given one, what the others learn of it, and that nobody's game waits for it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from diadem_server.app import App
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup, TurnClock
from diadem_shared.game import View
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from diadem_shared.protocol import Advised, Explained, TableView
from tests.rig.wire import Player, server
from tests.server import Time, code, done, is_in, looks_on, mover, started

CASTLES, WORDS = "diamoniak", "diamino-bonus"
AGREED = Setup(CASTLES, hints=True)


async def alone(player: Player, game: str = CASTLES, level: str = "easy") -> str:
    """With one bot, and it is the player's turn."""
    options: dict[str, Any] = {"youngest": 0} if game == CASTLES else {}
    table = await player.make(Setup(game, options))
    await done(player, protocol.AddBot, level)
    await done(player, protocol.Start)
    await player.seen(_waits_for_them)
    return table


def _waits_for_them(view: TableView) -> bool:
    return view.seat in view.public["actors"]


def hints(player: Player) -> list[Advised]:
    return [each for each in player.messages if isinstance(each, Advised)]


async def test_who_plays_against_bots_is_told_moves_and_all_are_told_that_they_asked(
    ana: Player, bob: Player
) -> None:
    await looks_on(bob, await alone(ana))
    assert ana.view is not None
    assert ana.view.hints
    hint = await ana.ask(protocol.GetHint)
    assert isinstance(hint, Advised)
    game, seen = GAMES[CASTLES], ana.view
    view = game.read_view(seen.seat, seen.public["game"], seen.private)
    for line in hint.moves:
        assert game.explain(view, game.parse(line.move)) is None
        assert line.reasons
        assert 0 <= line.value <= 1
        assert line.unit == "chance"
    await bob.until(lambda: bob.events("hinted"))
    assert bob.view is not None
    assert bob.view.public["hints"] == [1, 0]
    assert not bob.view.hints
    assert not hints(bob)


async def test_asked_again_for_the_same_view_it_says_the_same_and_is_told_once(ana: Player) -> None:
    await alone(ana)
    first, second = [await ana.ask(protocol.GetHint) for _ in range(2)]
    assert first.moves == second.moves
    assert len(ana.events("hinted")) == 1
    assert (await ana.ask(protocol.Play, "draw")).entry > first.entry
    await ana.seen(_waits_for_them)
    await ana.ask(protocol.GetHint)
    await ana.seen(lambda view: view.public["hints"] == [2, 0])


@pytest.mark.parametrize("game", [CASTLES, pytest.param(WORDS, marks=pytest.mark.slow)])
async def test_a_server_started_again_says_the_same_and_does_not_tell_it_again(
    tmp_path: Path, game: str
) -> None:
    async with server(tmp_path) as app, Player(app.port, "Ana") as ana:
        await alone(ana, game)
        before = await ana.ask(protocol.GetHint)
    async with server(tmp_path) as app:
        ana.url = f"ws://127.0.0.1:{app.port}"
        async with ana:
            await done_again(ana)
            after = await ana.ask(protocol.GetHint)
            assert after.moves == before.moves
            assert ana.view is not None
            assert sum(ana.view.public["hints"]) == 1


async def done_again(player: Player) -> None:
    view = player.view
    assert view is not None
    player.view = None
    await player.ask(protocol.Join, view.table)
    await player.seen(lambda view: view.public["phase"] == Phase.PLAYING)


async def test_among_people_hints_are_for_who_has_agreed_on_them(ana: Player, bob: Player) -> None:
    await started(ana, bob, setup=Setup(CASTLES))
    first = await mover([ana, bob])
    assert first.view is not None
    assert not first.view.hints
    assert code(await first.ask(protocol.GetHint)) == "no_hints"
    assert not first.events("hinted")


async def test_only_whose_turn_it_is_is_given_one(ana: Player, bob: Player) -> None:
    await started(ana, bob, setup=AGREED)
    first = await mover([ana, bob])
    second = bob if first is ana else ana
    assert code(await second.ask(protocol.GetHint)) == "not_your_turn"
    assert isinstance(await first.ask(protocol.GetHint), Advised)


async def test_who_looks_on_is_given_none(ana: Player, bob: Player) -> None:
    await looks_on(bob, await alone(ana))
    assert code(await bob.ask(protocol.GetHint)) == "no_seat"


async def test_none_is_given_before_a_round(ana: Player) -> None:
    await ana.make(AGREED)
    assert code(await ana.ask(protocol.GetHint)) == "not_playing"


async def test_a_game_for_which_nobody_knows_better_has_none(ana: Player) -> None:
    await started(ana, setup=Setup("numbers", hints=True))
    assert ana.view is not None
    assert not ana.view.hints
    assert code(await ana.ask(protocol.GetHint)) == "no_advice"


async def test_nobody_waits_for_a_hint_that_is_being_found(
    app: App, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves are made meanwhile; a hint for what is over is none."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow(adviser: Any, view: View[Any, Any], most: int) -> Any:
        begun.set()
        await go_on.wait()
        return adviser.evaluate(view, most)

    game = GAMES[CASTLES]
    monkeypatch.setattr(type(game.adviser(Chance(b"any"))), "heavy", True)
    monkeypatch.setattr(app.lobby.bot_workers, "advise", slow)
    await alone(ana)
    asked = [asyncio.create_task(ana.ask(protocol.GetHint)) for _ in range(3)]
    await begun.wait()
    await done(ana, protocol.Play, "draw")
    go_on.set()
    assert [code(each) for each in await asyncio.gather(*asked)] == ["stale"] * 3
    assert not ana.events("hinted")


async def test_a_hint_that_breaks_down_is_refused(
    app: App, ana: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any) -> Any:
        raise RuntimeError("broken")

    monkeypatch.setattr(app.lobby.bot_workers, "advise", broken)
    await alone(ana, WORDS, "zombie")
    assert code(await ana.ask(protocol.GetHint)) == "no_advice"
    assert "no hint was found" in caplog.text
    caplog.clear()


async def test_asking_gains_no_time(time: Time, ana: Player, bob: Player) -> None:
    setup = Setup(CASTLES, clock=TurnClock(60), hints=True)
    await started(ana, bob, setup=setup)
    late = await mover([ana, bob])
    time.goes_on(59)
    assert isinstance(await late.ask(protocol.GetHint), Advised)
    seen = await late.seen(lambda view: view.public.get("hints"))
    assert seen.public["deadline"] <= 1_000


async def test_why_bots_moved_is_told_when_the_round_is_over(ana: Player, bob: Player) -> None:
    await looks_on(bob, await alone(ana))
    assert code(await ana.ask(protocol.Explain)) == "round_runs"
    await done(ana, protocol.HandOver, "bold")
    await ana.seen(is_in(Phase.OVER))
    for viewer in (ana, bob):
        explained = await viewer.ask(protocol.Explain)
        assert isinstance(explained, Explained)
        assert {each.seat for each in explained.moves} == {0, 1}
        codes = {reason.code for each in explained.moves for reason in each.why}
        assert {"draws_on", "draws_once"} <= codes
        assert codes <= {str(each) for each in GAMES[CASTLES].reasons}
    assert all("draws_on" not in repr(each) for each in ana.messages if isinstance(each, TableView))
