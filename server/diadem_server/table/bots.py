"""The bots at one table: each sees what its seat sees. Those that think for long do so elsewhere."""

import asyncio
import logging
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import forkserver, get_context
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, ParamSpec, TypeVar

from diadem_server.table.views import Logged
from diadem_shared.advice import Evaluation, Reason
from diadem_shared.chance import SEED_BYTES, Chance
from diadem_shared.entries import MOST_REASONS, Moved
from diadem_shared.game import AnyAdviser, AnyBot, Seat, View
from diadem_shared.games import GAMES
from diadem_shared.match import Match
from diadem_shared.refusals import RefusalError

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

STAND_IN = "zombie"
SAFE_PATH = "PYTHONSAFEPATH"
THINKING_TIMEOUT = 60.0
"""Seconds after which a bot is taken to be stuck, its process with it."""


class Chosen(NamedTuple):
    """What a bot does: the move in notation, and why."""

    move: str
    why: tuple[Reason, ...] = ()


def _start_fork_server() -> None:
    """Have multiprocessing start it now. It does so by `python -c`, which looks for modules in the working directory first,
    unless the environment says otherwise; what else is started from here is not to be told that."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        forkserver.ensure_running()
    finally:
        del os.environ[SAFE_PATH]
        if before is not None:
            os.environ[SAFE_PATH] = before


class BotWorkers:
    """The processes for bots that think for long; new ones should they break."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._free = asyncio.Semaphore(processes)
        self._advising = asyncio.Semaphore(1)
        self._slow = asyncio.Semaphore(1)
        self._pipe: tuple[Connection, Connection] | None = None
        """The processes read from the one end, and exit when the other is closed."""

    async def think(self, game: str, mind: AnyBot, view: View[Any, Any]) -> Chosen:
        """What a copy of this bot does. Of those that are slow one at a time: nobody waits for more than one of them."""
        if not mind.slow:
            return await self._work(think, game, mind, view)
        async with self._slow:
            return await self._work(think, game, mind, view)

    async def advise(
        self, adviser: AnyAdviser, view: View[Any, Any], most: int
    ) -> Sequence[Evaluation[Any]]:
        """What a copy of this adviser says. One at a time: a bot, for which a table waits, never waits for more than one."""
        async with self._advising:
            return await self._work(advise, adviser, view, most)

    async def _work(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """A pool is given no more than it can begin at once: what waits for others is not taken to be stuck."""
        async with self._free:
            return await self._begin(partial(work, *given, **named))

    async def _begin(self, work: Callable[[], T]) -> T:
        if self._pool is None:
            _start_fork_server()
            context = get_context("forkserver")
            self._pipe = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                self._processes, context, initializer=_exit_with, initargs=(self._pipe[0],)
            )
        pool = self._pool
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(THINKING_TIMEOUT):
                return await loop.run_in_executor(pool, work)
        except (BrokenExecutor, TimeoutError):
            if self._pool is pool:
                self.close()
            raise

    def close(self) -> None:
        """End the processes, whatever they think about: nobody waits for them any more."""
        if self._pool is None or self._pipe is None:
            return
        self._pool.shutdown(wait=False, cancel_futures=True)
        for end in self._pipe:
            end.close()
        self._pool = self._pipe = None


class Bots:
    def __init__(self, workers: BotWorkers, script: Sequence[str] = ()) -> None:
        """With the moves that a bot begins with."""
        self._workers = workers
        self._script = tuple(script)
        self._minds: dict[Seat, tuple[str, AnyBot]] = {}

    def see(self, logged: Logged) -> None:
        if not self._minds:
            return
        for seat, (level, mind) in list(self._minds.items()):
            try:
                tell(mind, seat, logged)
            except Exception:
                log.exception("the bot %s could not take in what happened", level)
                del self._minds[seat]

    async def choose(self, match: Match, seat: Seat, level: str, log_: Iterable[Logged]) -> Chosen:
        """What a bot of this level does in this seat."""
        view = match.game.view(match.state, seat)
        is_given = bool(self._script) and match.players[seat].bot is not None
        if is_given and (move := self._scripted(match, view, log_)):
            return Chosen(move)
        mind = self._mind(match, seat, level, log_)
        if mind.heavy:
            return await self._workers.think(match.setup.game, mind, view)
        return think(match.setup.game, mind, view)

    def _scripted(self, match: Match, view: View[Any, Any], log_: Iterable[Logged]) -> str:
        """The first of them that is not made yet; "" if there is none, or it is not allowed now. Between them the bot may
        have moved by itself."""
        move, *rest = (*self._script, "")
        for logged in log_:
            made = logged.entry
            if rest and isinstance(made, Moved) and (made.seat, made.move) == (view.seat, move):
                move, *rest = rest
        if not move:
            return ""
        try:
            return "" if match.game.explain(view, match.game.parse(move)) else move
        except RefusalError:
            return ""

    def _mind(self, match: Match, seat: Seat, level: str, log_: Iterable[Logged]) -> AnyBot:
        """The mind in this seat; a new one is told all that the seat has been told."""
        known, mind = self._minds.get(seat, (None, None))
        if mind is None or known != level:
            mind = match.game.bots[level](Chance(secrets.token_bytes(SEED_BYTES)))
            for logged in log_:
                tell(mind, seat, logged)
            self._minds[seat] = level, mind
        return mind


def tell(mind: AnyBot, seat: Seat, logged: Logged) -> None:
    for happening in logged.told:
        mind.see(happening.told(seat))


def _exit_with(server: Connection) -> None:
    """Let this process exit when the server closes its end of the pipe, or is gone."""

    def wait() -> None:
        with suppress(EOFError):
            server.recv_bytes()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def think(game: str, mind: AnyBot, view: View[Any, Any]) -> Chosen:
    """Runs in a process of its own where the bot thinks for long."""
    decision = mind.decide(view)
    return Chosen(GAMES[game].notate(decision.move), decision.reasons[:MOST_REASONS])


def advise(adviser: AnyAdviser, view: View[Any, Any], most: int) -> Sequence[Evaluation[Any]]:
    """The same."""
    return adviser.evaluate(view, most)
