"""python -m tools.bench.levels [ROUNDS [GAME[:LEVEL] ...]]: how even the steps between the levels of bots are.

Each level plays against the one below it, the two of them alone, each deal once in either seat. A shared win counts its share.
Games whose bots play differently under other options are measured under those as well.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from multiprocessing import Pool
from statistics import fmean, pstdev
from time import process_time
from typing import Any

from msgspec import Struct

from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games import GAMES

ROUNDS = 200
PROCESSES = 2
CHUNK = 5
LONGEST_ROUND = 5_000
OPTIONS: dict[str, Sequence[dict[str, Any]]] = {"diadingo": ({}, {"scoring": "professional"})}


class Step(Struct, frozen=True):
    game: str
    level: str
    below: str
    options: dict[str, Any] = {}

    def __str__(self) -> str:
        told = "".join(f", {value}" for value in self.options.values())
        return f"{self.game}{told}: {self.level} against {self.below}"

    def share(self, number: int) -> float:
        """What share of the wins of a deal was the level's, and not that of the one below it."""
        return fmean(self._share(number, me) for me in range(2))

    def _share(self, number: int, me: Seat) -> float:
        game, key = GAMES[self.game], f"{number}".encode()
        minds = [
            game.bots[self.level if seat == me else self.below](Chance(key, f"mind {seat}"))
            for seat in range(2)
        ]
        chance = Chance(key, "moves")
        state, told = game.start(game.read_options(self.options), 2, None, Chance(key, "deal"))
        for _ in range(LONGEST_ROUND):
            for happening in told:
                for seat, mind in enumerate(minds):
                    mind.see(happening.told(seat))
            public = game.public(state)
            if (outcome := game.outcome(public)) is not None:
                return (me in outcome.winners) / len(outcome.winners)
            mover = game.actors(public)[0]
            move = minds[mover].choose(game.view(state, mover))
            state, told = game.carry_out(state, mover, move, chance)
        raise RuntimeError(f"no end after {LONGEST_ROUND} moves: {self}")


def shares(step: Step, numbers: Sequence[int]) -> tuple[list[float], float]:
    """And the seconds of processor time they took."""
    before = process_time()
    found = [step.share(number) for number in numbers]
    return found, process_time() - before


def steps(games: Sequence[str]) -> Iterator[Step]:
    """The first level only fills a seat. Where a level is named after the game, its step alone."""
    for each in games:
        game, _, only = each.partition(":")
        for options in OPTIONS.get(game, ({},)):
            for below, level in pairwise([*GAMES[game].bots][1:]):
                if only in ("", level):
                    yield Step(game, level, below, options)


def run(rounds: int = ROUNDS, *games: str) -> Iterator[str]:
    with Pool(PROCESSES) as pool:
        for step in steps(games or [*GAMES]):
            deals = rounds // 2
            chunks = [(step, range(at, min(at + CHUNK, deals))) for at in range(0, deals, CHUNK)]
            some = pool.starmap(shares, chunks, 1)
            won = [share for found, _ in some for share in found]
            share, error = fmean(won), 1.96 * pstdev(won) / sqrt(len(won))
            spent = sum(seconds for _, seconds in some) / (2 * deals)
            yield (
                f"{step}: {share:.0%} of {2 * deals} won, {share - error:.0%} to {share + error:.0%};"
                f" {spent:.2f} s a round"
            )


if __name__ == "__main__":
    rounds, *games = sys.argv[1:] or [str(ROUNDS)]
    for line in run(int(rounds), *games):
        print(line, flush=True)
