"""Bots see what their seats see, from whenever they play; those that think for long do so elsewhere."""

import asyncio
import multiprocessing
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from diadem_server.table import bots
from diadem_server.table.bots import Bots, BotWorkers, Chosen
from diadem_server.table.views import Logged
from diadem_shared.advice import Decision
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved, Sat, Setup, Started
from diadem_shared.game import Event, View
from diadem_shared.games import GAMES
from diadem_shared.match import Match, apply, open_match
from tests.patience import PATIENCE
from tests.sample_game import Guess, NumberBot, Numbers, NumberView

SEED = b"seed"
SLOW_SECONDS = 0.4


class Listens(NumberBot):
    """Guesses how often it was told something."""

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.heard = 0

    def see(self, event: Event) -> None:
        self.heard += 1

    def choose(self, view: NumberView) -> Guess:
        return Guess(self.heard)


class IsDeaf(Listens):
    def see(self, event: Event) -> None:
        super().see(event)
        if self.heard == 2:
            raise RuntimeError("planted")


class Heavy(Listens):
    heavy = True


class Elsewhere(BotWorkers):
    """Asks nobody, and says what it was asked."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[tuple[str, Any]] = []

    async def think(self, game: str, mind: Any, view: View[Any, Any]) -> Chosen:
        self.asked.append((game, mind))
        return Chosen("guess 7")


class Played:
    """A match at which Ana and Bob guess, and its log."""

    def __init__(self, numbers: Numbers) -> None:
        numbers.bots = {**numbers.bots, "listens": Listens, "deaf": IsDeaf, "heavy": Heavy}
        self.match: Match = open_match(Setup(numbers.name))
        self.log: list[Logged] = []
        for entry in (Sat("Ana"), Sat("Bob"), Started()):
            self.enter(entry)

    def enter(self, entry: Entry) -> Logged:
        self.match, told = apply(self.match, entry, SEED)
        self.log.append(Logged(self.match.entries, entry, told))
        return self.log[-1]

    def guess_wrong(self) -> Logged:
        (seat,) = self.match.actors
        table = self.match.game.view(self.match.state, seat).public
        return self.enter(Moved(seat, f"guess {table.low}"))


@pytest.fixture
def played(numbers: Numbers) -> Played:
    assert numbers.name in GAMES
    return Played(numbers)


async def test_a_bot_is_told_what_happened_before_it_came_and_what_happens_then(
    played: Played,
) -> None:
    minds = Bots(Elsewhere())
    played.guess_wrong()
    assert (await minds.choose(played.match, 0, "listens", played.log)).move == "guess 1"
    minds.see(played.guess_wrong())
    assert (await minds.choose(played.match, 0, "listens", played.log)).move == "guess 2"


async def test_another_level_is_another_bot_and_is_told_all_of_it(played: Played) -> None:
    minds = Bots(Elsewhere())
    assert (await minds.choose(played.match, 0, "listens", played.log)).move == "guess 0"
    minds.see(played.guess_wrong())
    halver = await minds.choose(played.match, 0, "halver", played.log)
    assert halver.move != "guess 1"
    assert (await minds.choose(played.match, 0, "listens", played.log)).move == "guess 1"


async def test_each_seat_has_a_bot_of_its_own(played: Played) -> None:
    minds = Bots(Elsewhere())
    await minds.choose(played.match, 0, "listens", played.log)
    minds.see(played.guess_wrong())
    assert (await minds.choose(played.match, 1, "listens", [])).move == "guess 0"
    assert (await minds.choose(played.match, 0, "listens", [])).move == "guess 1"


async def test_one_that_cannot_take_in_what_happened_is_replaced(
    played: Played, caplog: pytest.LogCaptureFixture
) -> None:
    minds = Bots(Elsewhere())
    await minds.choose(played.match, 0, "deaf", [])
    for _ in range(2):
        minds.see(played.guess_wrong())
    assert "the bot deaf could not take in what happened" in caplog.text
    assert (await minds.choose(played.match, 0, "deaf", [])).move == "guess 0"


async def test_one_that_thinks_for_long_thinks_elsewhere(played: Played) -> None:
    elsewhere = Elsewhere()
    minds = Bots(elsewhere)
    played.guess_wrong()
    assert (await minds.choose(played.match, 0, "heavy", played.log)).move == "guess 7"
    ((game, mind),) = elsewhere.asked
    assert game == "numbers"
    assert mind.heard == 1
    await minds.choose(played.match, 0, "listens", played.log)
    assert len(elsewhere.asked) == 1


# Processes


@pytest.fixture
async def workers() -> AsyncIterator[BotWorkers]:
    workers = BotWorkers(1)
    yield workers
    workers.close()


def thought() -> tuple[str, Any, View[Any, Any]]:
    """What a bot of a real game is asked, for other processes know no other."""
    match = open_match(Setup("diadingo"))
    for entry in (Sat("Ana"), Sat("Bob"), Started()):
        match, _ = apply(match, entry, SEED)
    (seat,) = match.actors
    mind = match.game.bots["zombie"](Chance(b"mind"))
    return "diadingo", mind, match.game.view(match.state, seat)


THINKS = """\
import asyncio
from tests.server.table.test_bots import BotWorkers, thought
if __name__ == "__main__":
    workers = BotWorkers(1)
    asyncio.run(workers.think(*thought()))
    workers.close()
"""


@pytest.mark.slow
def test_processes_take_no_module_from_the_working_directory(tmp_path: Path) -> None:
    """The program itself is a file elsewhere, as `game-server` is."""
    here = tmp_path / "here"
    here.mkdir()
    (here / "signal.py").write_text("open('has_run', 'w')")
    program = tmp_path / "program.py"
    program.write_text(THINKS)
    root = str(Path(__file__).parents[3])
    subprocess.run(  # noqa: S603
        [sys.executable, str(program)],
        cwd=here,
        env=os.environ | {"PYTHONPATH": root},
        timeout=PATIENCE,
        check=True,
    )
    assert not (here / "has_run").exists()


@pytest.mark.slow
async def test_what_else_is_started_is_told_nothing_of_that(workers: BotWorkers) -> None:
    before = dict(os.environ)
    game, mind, view = thought()
    await workers.think(game, mind, view)
    assert dict(os.environ) == before


class Dies:
    slow = False

    def decide(self, view: View[Any, Any]) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
async def test_a_process_that_dies_is_followed_by_another(workers: BotWorkers) -> None:
    game, mind, view = thought()
    dying: Any = Dies()
    with pytest.raises(BrokenExecutor):
        await workers.think(game, dying, view)
    assert GAMES[game].parse((await workers.think(game, mind, view)).move)


@pytest.mark.slow
async def test_one_that_is_stuck_is_not_waited_for(
    workers: BotWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, mind, view = thought()
    stuck: Any = Stuck()
    others = {each.pid for each in multiprocessing.active_children()}
    await workers.think(game, mind, view)  # it has started
    (pid,) = {each.pid for each in multiprocessing.active_children()} - others
    assert pid is not None
    process = os.pidfd_open(pid)
    with monkeypatch.context() as impatient:
        impatient.setattr(bots, "THINKING_TIMEOUT", 0.1)
        with pytest.raises(TimeoutError):
            await workers.think(game, stuck, view)
    ended, _, _ = await asyncio.to_thread(select.select, [process], [], [], 30)
    os.close(process)
    assert ended, "its process exits"
    assert GAMES[game].parse((await workers.think(game, mind, view)).move)


class Stuck:
    slow = False

    def decide(self, view: View[Any, Any]) -> Any:
        signal.pause()


class Slow:
    slow = False

    def decide(self, view: View[Any, Any]) -> Any:
        signal.sigtimedwait([], SLOW_SECONDS)
        return Decision(GAMES["diadingo"].parse("take A1"))


@pytest.mark.slow
async def test_one_that_waits_for_others_is_not_stuck(
    workers: BotWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _, view = thought()
    slow: Any = Slow()
    await workers.think(game, slow, view)  # it has started, and loaded all that it thinks with
    monkeypatch.setattr(bots, "THINKING_TIMEOUT", 4 * SLOW_SECONDS)
    moves = await asyncio.gather(*(workers.think(game, slow, view) for _ in range(6)))
    assert [chosen.move for chosen in moves] == ["take A1"] * 6


class WaitsFor:
    """A slow one: it thinks until it is let go."""

    slow = True

    def __init__(self, path: Path) -> None:
        self.path = path

    def decide(self, view: View[Any, Any]) -> Any:
        while not self.path.exists():
            signal.sigtimedwait([], 0.01)
        return Decision(GAMES["diadingo"].parse("take A1"))


@pytest.mark.slow
async def test_nobody_waits_for_more_than_one_that_is_slow(tmp_path: Path) -> None:
    workers = BotWorkers(2)
    game, mind, view = thought()
    slow: Any = WaitsFor(tmp_path / "let go")
    thoughts = [asyncio.create_task(workers.think(game, slow, view)) for _ in range(3)]
    assert GAMES[game].parse((await workers.think(game, mind, view)).move)
    assert not any(each.done() for each in thoughts)
    slow.path.touch()
    assert [chosen.move for chosen in await asyncio.gather(*thoughts)] == ["take A1"] * 3
    workers.close()


class TellsWhoItIs:
    slow = False

    def __init__(self, path: Path) -> None:
        self.path = path

    def decide(self, view: View[Any, Any]) -> Any:
        draft = self.path.with_suffix(".new")
        draft.write_text(str(os.getpid()))
        draft.rename(self.path)
        signal.pause()


@pytest.mark.slow
async def test_a_process_dies_after_somebody_gave_up_waiting_for_it(
    workers: BotWorkers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the server is closed while bots think: no thread complains of thoughts that nobody waits for."""
    complaints: list[object] = []
    monkeypatch.setattr(threading, "excepthook", complaints.append)
    before = set(threading.enumerate())
    game, _, view = thought()
    busy: Any = TellsWhoItIs(tmp_path / "process")
    thoughts = [asyncio.create_task(workers.think(game, busy, view)) for _ in range(6)]
    await until(busy.path.exists)
    for each in thoughts[1:]:
        each.cancel()
    await asyncio.gather(*thoughts[1:], return_exceptions=True)
    os.kill(int(busy.path.read_text()), signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        await thoughts[0]
    await until(lambda: set(threading.enumerate()) <= before)
    assert complaints == []


async def until(has_come: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not has_come():  # noqa: ASYNC110, a process or a thread cannot set an event
            await asyncio.sleep(0.01)


# In a lesson


def on_turn(match: Match) -> tuple[Match, int]:
    """With a bot in the seat whose turn it is."""
    (seat,) = match.actors
    players = [
        replace(each, bot="listens") if at == seat else each
        for at, each in enumerate(match.players)
    ]
    return replace(match, players=tuple(players)), seat


async def test_a_bot_begins_with_the_moves_it_is_given(played: Played) -> None:
    minds, (match, seat) = Bots(Elsewhere(), ["guess 1", "guess 2"]), on_turn(played.match)
    log = list(played.log)
    for made in ("guess 1", "guess 2", "guess 0"):  # the last one is its own
        assert (await minds.choose(match, seat, "listens", log)).move == made
        log.append(Logged(len(log) + 1, Moved(seat, made), ()))


@pytest.mark.parametrize("not_allowed", ["guess 99", "guess nothing"])
async def test_once_a_given_move_is_not_allowed_it_plays_by_itself(
    played: Played, not_allowed: str
) -> None:
    minds, (match, seat) = Bots(Elsewhere(), [not_allowed, "guess 2"]), on_turn(played.match)
    log = list(played.log)
    for _ in range(2):
        assert (await minds.choose(match, seat, "listens", log)).move == "guess 0"
        log.append(Logged(len(log) + 1, Moved(seat, "guess 0"), ()))


async def test_whoever_stands_in_for_a_player_makes_none_of_them(played: Played) -> None:
    minds, (seat,) = Bots(Elsewhere(), ["guess 1"]), played.match.actors
    assert (await minds.choose(played.match, seat, "listens", played.log)).move == "guess 0"
