"""The bots at one table: each sees what its seat sees. Those that think for long do so elsewhere."""

import asyncio
import secrets
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from typing import Any

from diadem.chance import SEED_BYTES, Chance
from diadem.game import AnyBot, Seat, View
from diadem.games import GAMES
from diadem.match import Match
from diadem_server.showing import Logged


class Minds:
    def __init__(self, thinkers: Callable[[], Executor]) -> None:
        self._thinkers = thinkers
        self._minds: dict[Seat, tuple[str, AnyBot]] = {}

    def see(self, logged: Logged) -> None:
        for seat, (_, mind) in self._minds.items():
            for happening in logged.told:
                mind.see(happening.told(seat))

    async def choose(self, match: Match, seat: Seat, level: str, log: Iterable[Logged]) -> str:
        """The move, in notation, that a bot of this level makes in this seat."""
        view = match.game.view(match.state, seat)
        make = match.game.bots[level]
        if getattr(make, "heavy", False):
            seed = secrets.token_bytes(SEED_BYTES)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(
                self._thinkers(), think, match.setup.game, level, seed, view
            )
        move = self._mind(match, seat, level, log).choose(view)
        return match.game.notate(move)

    def _mind(self, match: Match, seat: Seat, level: str, log: Iterable[Logged]) -> AnyBot:
        """The mind in this seat; a new one is told all that the seat has been told."""
        known, mind = self._minds.get(seat, (None, None))
        if mind is None or known != level:
            mind = match.game.bots[level](Chance(secrets.token_bytes(SEED_BYTES)))
            for logged in log:
                for happening in logged.told:
                    mind.see(happening.told(seat))
            self._minds[seat] = level, mind
        return mind


def think(game: str, level: str, seed: bytes, view: View[Any, Any]) -> str:
    """Runs in a process of its own."""
    mind = GAMES[game].bots[level](Chance(seed))
    return GAMES[game].notate(mind.choose(view))
