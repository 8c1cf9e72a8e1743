"""python -m tools.bench.castles_bots [GAMES]: how well the castles bots play, and how fast.

One strong bot sits among others of one kind, in every seat as often. Chance is one over the players.
"""

import sys
from collections.abc import Iterator
from multiprocessing import Pool
from statistics import mean, quantiles
from time import process_time

from msgspec import Struct

from diadem_shared.chance import Chance
from diadem_shared.game import Bot
from diadem_shared.games import GAMES
from diadem_shared.games.castles.table import (
    CastleEvent,
    Move,
    Options,
    PublicState,
    State,
    TurnPhase,
)

Mind = Bot[Move, CastleEvent, PublicState, None]

GAMES_EACH = 2000
ROUNDS_TIMED = 40
CHUNK = 100
PROCESSES = 2


class Contest(Struct, frozen=True):
    edition: str
    players: int
    opponents: str
    rounds: range

    def wins(self) -> int:
        return sum(self._won(number) for number in self.rounds)

    def _won(self, number: int) -> bool:
        game = GAMES[self.edition]
        chance = Chance(f"{self.edition} {self.players} {number}".encode())
        me = number % self.players
        minds = [
            mind("strong" if seat == me else self.opponents, self.edition)
            for seat in range(self.players)
        ]
        state, _ = game.start(Options(), self.players, None, chance)
        while state.phase is not TurnPhase.OVER:
            move = minds[state.turn].choose(game.view(state, state.turn))
            state, _ = game.carry_out(state, state.turn, move, chance)
        return bool(state.holdings[me].complete)


def mind(level: str, edition: str) -> Mind:
    chance = Chance(level.encode())
    return GAMES[edition].bots[level](chance)


def interval(wins: int, games: int) -> tuple[float, float]:
    """Wilson's, at 95 %: it holds near 0 and 1 too."""
    z = 1.96
    share = wins / games
    middle = share + z * z / (2 * games)
    half = z * (share * (1 - share) / games + (z / (2 * games)) ** 2) ** 0.5
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def contests(games: int) -> Iterator[str]:
    """All the games against what ships, four at the table; a fifth of them for the rest."""
    few = games // 5
    with Pool(PROCESSES) as pool:
        for players in (4, 3, 2):
            for opponents in ("zombie", "easy", "bold"):
                rounds = games if players == 4 and opponents != "bold" else few
                for edition in ("diamoniak", "piratatak"):
                    chunks = [
                        Contest(edition, players, opponents, range(at, min(at + CHUNK, rounds)))
                        for at in range(0, rounds, CHUNK)
                    ]
                    wins = sum(pool.map(Contest.wins, chunks, chunksize=1))
                    low, high = interval(wins, rounds)
                    yield (
                        f"{edition}, strong against {players - 1} {opponents}: "
                        f"{wins / rounds:.1%} of {rounds} won, {low:.1%} to {high:.1%}"
                        f" (chance {1 / players:.0%})"
                    )


def speed(players: int) -> str:
    """How long strong thinks in rounds among its like, waiting for the processor left out."""
    game = GAMES["diamoniak"]
    bot = mind("strong", "diamoniak")
    thought, played = [], []
    for number in range(ROUNDS_TIMED):
        chance = Chance(f"speed {number}".encode())
        state: State
        state, _ = game.start(Options(), players, None, chance)
        while state.phase is not TurnPhase.OVER:
            view = game.view(state, state.turn)
            before = process_time()
            move = bot.choose(view)
            between = process_time()
            state, _ = game.play(state, state.turn, move, chance)
            thought.append(between - before)
            played.append(process_time() - between)
    slowest = quantiles(thought, n=100)[-1]
    return (
        f"{players} players, strong decides in {mean(thought) * 1e6:.0f} us,"
        f" 99 % of times within {slowest * 1e6:.0f} us;"
        f" ratio to a plain game.play: {mean(thought) / mean(played):.1f}"
    )


def run(games: int = GAMES_EACH) -> Iterator[str]:
    yield from map(speed, GAMES["diamoniak"].seats)
    yield from contests(games)


if __name__ == "__main__":
    for line in run(*map(int, sys.argv[1:])):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
