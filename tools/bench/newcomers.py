"""python -m tools.bench.newcomers [ROUNDS]: how those fare who have never played against a bot before.

One newcomer sits among bots of one level, in every seat as often. A shared win counts its share; chance
is one over the players.

- `dabbler` makes any move that is allowed, in the castles and in Diadingo.
- `child` knows half of the everyday words of up to five letters, and looks at three places.
- `grown-up` knows all everyday words of up to seven, looks at eight places, and likes red fields.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import sqrt
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from diadem_shared.bot_levels import gentlest
from diadem_shared.chance import Chance
from diadem_shared.game import AnyBot, Bot, View
from diadem_shared.games import GAMES
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.easy import Eye, Homely

ROUNDS = 100
LONGEST_ROUND = 2_000
CHILD = Eye(places=3, longest=5, spelt_out=2, minds_fields=False)
GROWN_UP = Eye(places=8, longest=7, spelt_out=3, minds_fields=True)


class Dabbler(Bot[Any, Any, Any, Any]):
    def __init__(self, game: str, chance: Chance) -> None:
        super().__init__(chance)
        self._game = GAMES[game]

    def choose(self, view: View[Any, Any]) -> Any:
        return self._game.any_move(view, self.chance)


class Child(Homely):
    def __init__(self, chance: Chance) -> None:
        super().__init__(chance, CHILD)
        self._half: dict[int, int] = {}

    def known(self, now: Situation) -> Mapping[int, int]:
        for length, words in super().known(now).items():
            if length not in self._half:
                picked = sum(1 << bit for bit in range(words.bit_length()) if self.chance.below(2))
                self._half[length] = words & picked
        return self._half


NEWCOMERS: dict[str, Callable[[Chance], AnyBot]] = {
    "child": Child,
    "grown-up": partial(Homely, eye=GROWN_UP),
}


class Contest(NamedTuple):
    game: str
    newcomer: str
    level: str
    players: int

    def share(self, number: int) -> float:
        """What share of the win of a round was the newcomer's."""
        game, key, me = GAMES[self.game], f"{number}".encode(), number % self.players
        newcomer = NEWCOMERS.get(self.newcomer, partial(Dabbler, self.game))
        minds: list[AnyBot] = [
            (newcomer if seat == me else game.bots[self.level])(Chance(key, f"mind {seat}"))
            for seat in range(self.players)
        ]
        chance = Chance(key, "moves")
        state, told = game.start(game.read_options({}), self.players, None, Chance(key, "deal"))
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
        return 0.0


def contests() -> Iterator[Contest]:
    for game in ("diamoniak", "piratatak", "diadingo"):
        for level in [*GAMES[game].bots][1:]:
            yield Contest(game, "dabbler", level, 3)
    for game in ("diamino-rummy", "diamino-bonus"):
        yield from (Contest(game, "child", level, 2) for level in ("easy", "light", "mild"))
        yield from (
            Contest(game, "grown-up", level, 2) for level in ("easy", "mild", "fair", "even")
        )
        yield Contest(game, "grown-up", gentlest(GAMES[game].bots), 3)


def run(rounds: int = ROUNDS) -> Iterator[str]:
    for contest in contests():
        shares = [contest.share(number) for number in range(rounds)]
        share, error = fmean(shares), 1.96 * pstdev(shares) / sqrt(rounds)
        yield (
            f"{contest.game}: {contest.newcomer} against {contest.players - 1} {contest.level}:"
            f" {share:.0%} of {rounds} won, give or take {error:.0%} (chance {1 / contest.players:.0%})"
        )


if __name__ == "__main__":
    for line in run(*map(int, sys.argv[1:])):
        print(line, flush=True)
