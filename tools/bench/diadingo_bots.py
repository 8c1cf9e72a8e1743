"""python -m tools.bench.diadingo_bots [GAMES]: how well the players of Diadingo play, and how fast.

One of a level sits among others of one level, in every seat as often. A shared win counts its share;
chance is one over the players.
"""

import sys
from collections.abc import Iterator, Sequence
from math import sqrt
from multiprocessing import Pool
from statistics import fmean, pstdev, quantiles
from time import thread_time

from msgspec import Struct

from diadem_shared.chance import Chance
from diadem_shared.game import Bot
from diadem_shared.games.diadingo import Diadingo
from diadem_shared.games.diadingo.bots import BOTS, DiadingoBot
from diadem_shared.games.diadingo.table import (
    DiadingoEvent,
    Move,
    Options,
    PublicState,
    State,
    TableView,
    Take,
)

Mind = Bot[Move, DiadingoEvent, PublicState, None]

GAME = Diadingo()
GAMES_EACH = 2000
ROUNDS_TIMED = 100
PLAYERS = 4
CHUNK = 100
PROCESSES = 2
PLAIN, PROFESSIONAL = Options(), Options(scoring="professional")
MARKED = Options(play="marked"), Options(play="marked", scoring="professional")
CONTESTS = [
    *((level, "zombie", PLAIN) for level in BOTS),
    ("human", "forgetful", PLAIN),
    ("perfect", "forgetful", PLAIN),
    ("perfect", "human", PLAIN),
    ("forgetful", "perfect", PLAIN),
    ("human", "perfect", PLAIN),
    ("zombie", "perfect", PLAIN),
    *((level, "zombie", PROFESSIONAL) for level in BOTS),
    ("human", "forgetful", PROFESSIONAL),
    ("perfect", "human", PROFESSIONAL),
]
THIEVES = [("perfect", "zombie", options) for options in MARKED]
"""Where misses are marked, players differ in their thefts alone, and it takes more rounds to tell."""
THIEVES_TIMES = 6


class Contest(Struct, frozen=True):
    level: str
    others: str
    options: Options
    rounds: range

    def shares(self) -> list[float]:
        """What share of each win was this player's."""
        return [self._share(number) for number in self.rounds]

    def _share(self, number: int) -> float:
        key, me = f"{number}".encode(), number % PLAYERS
        minds = [
            BOTS[self.level if seat == me else self.others](Chance(key, f"mind {seat}"))
            for seat in range(PLAYERS)
        ]
        outcome = GAME.outcome(GAME.public(played(minds, self.options, Chance(key))))
        winners = outcome.winners if outcome else ()
        return (me in winners) / len(winners)


def played(minds: list[Mind], options: Options, chance: Chance) -> State:
    """A round among these, to its end."""
    state, told = GAME.start(options, len(minds), None, chance)
    while True:
        for happening in told:
            for mind in minds:
                mind.see(happening.event)
        view = GAME.view(state, state.turn)
        if not GAME.actors(view.public):
            return state
        state, told = GAME.carry_out(state, state.turn, minds[state.turn].choose(view), chance)


class Timed(DiadingoBot):
    """A human memory with a stopwatch."""

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance, forgets=8)
        self.taking: list[float] = []
        self.stealing: list[float] = []

    def choose(self, view: TableView) -> Move:
        before = thread_time()
        move = super().choose(view)
        spent = thread_time() - before
        (self.taking if isinstance(move, Take) else self.stealing).append(spent * 1e6)
        return move


def speed(players: int) -> str:
    minds = [Timed(Chance(b"speed", str(seat))) for seat in range(players)]
    for number in range(ROUNDS_TIMED):
        played([*minds], PLAIN, Chance(f"speed {number}".encode()))
    taking = [spent for mind in minds for spent in mind.taking]
    stealing = [spent for mind in minds for spent in mind.stealing]
    return (
        f"{players} players: choosing a diamond takes {fmean(taking):.0f} us,"
        f" weighing a theft {fmean(stealing):.0f} us,"
        f" 99 % of times under {quantiles(stealing, n=100)[-1]:.0f} us"
    )


def contests(pairs: Sequence[tuple[str, str, Options]], games: int) -> Iterator[str]:
    with Pool(PROCESSES) as pool:
        for level, others, options in pairs:
            chunks = [
                Contest(level, others, options, range(at, min(at + CHUNK, games)))
                for at in range(0, games, CHUNK)
            ]
            shares = [share for chunk in pool.map(Contest.shares, chunks, 1) for share in chunk]
            share, error = fmean(shares), 1.96 * pstdev(shares) / sqrt(games)
            yield (
                f"{options.scoring}, {options.play}: {level} against {PLAYERS - 1} {others}:"
                f" {share:.1%} of {games} won, {share - error:.1%} to {share + error:.1%}"
            )


def run(games: int = GAMES_EACH) -> Iterator[str]:
    yield from map(speed, (4, 8))
    yield from contests(CONTESTS, games)
    yield from contests(THIEVES, THIEVES_TIMES * games)


if __name__ == "__main__":
    for line in run(*map(int, sys.argv[1:])):
        print(line, flush=True)
