"""python -m tools.bench.diamino_bots [TIMES]: how well the players of Diamino play, and how fast.

One of a level sits among others of one level, in every seat as often. A shared win counts its share;
chance is one over the players. TIMES multiplies the rounds played.
"""

import sys
from collections.abc import Iterator, Sequence
from math import sqrt
from multiprocessing import Pool
from statistics import fmean, pstdev, quantiles
from time import thread_time

from msgspec import Struct

from diadem_shared.chance import Chance
from diadem_shared.games.diamino import Diamino, RuleSet
from diadem_shared.games.diamino.table import RummyOptions

GAMES = {rules: Diamino(rules) for rules in RuleSet}
PROCESSES = 2
CHUNK = 2
SIZES = (range(1, 8), range(8, 13), range(13, 25), range(25, 41))
LONGEST_ROUND = 2000


class Contest(Struct, frozen=True):
    rules: RuleSet
    level: str
    others: str
    players: int
    rounds: int
    options: dict[str, str | bool] = {}

    def __str__(self) -> str:
        told = "".join(f", {name} {value}" for name, value in self.options.items())
        return f"{self.rules}{told}: {self.level} against {self.players - 1} {self.others}"


CONTESTS = [
    *(
        Contest(rules, *pair, players, rounds)
        for rules in RuleSet
        for players, pair, rounds in (
            (2, ("easy", "zombie"), 10),
            (2, ("normal", "easy"), 20),
            (2, ("strong", "easy"), 10),
            (2, ("strong", "normal"), 80),
            (4, ("normal", "easy"), 20),
            (4, ("strong", "normal"), 60),
            (2, ("master", "strong"), 10),
        )
    ),
    Contest(RuleSet.BONUS, "strong", "normal", 2, 30, {"words_score": True}),
    Contest(RuleSet.RUMMY, "strong", "normal", 2, 40, {"language": "en"}),
    Contest(RuleSet.RUMMY, "strong", "normal", 2, 40, {"language": "fr"}),
]


class Decision(Struct, frozen=True):
    level: str
    held: int
    spent: float


class Round(Struct, frozen=True):
    share: float
    """What share of the win was this player's."""
    lead: int
    """How much they scored above the best of the others."""
    blocked: bool
    turns: int
    decisions: list[Decision]


def played(contest: Contest, number: int) -> Round:
    """A round, with a stopwatch beside every bot."""
    game, key = GAMES[contest.rules], f"{number}".encode()
    me = number % contest.players
    levels = [contest.level if seat == me else contest.others for seat in range(contest.players)]
    minds = [game.bots[level](Chance(key, f"mind {seat}")) for seat, level in enumerate(levels)]
    options: RummyOptions = game.read_options(contest.options)
    state, told = game.start(options, contest.players, None, Chance(key, "deal"))
    chance, decisions, turns, mover = Chance(key, "moves"), list[Decision](), 0, -1
    for _ in range(LONGEST_ROUND):
        for happening in told:
            for seat, mind in enumerate(minds):
                mind.see(happening.told(seat))
        table = game.public(state)
        outcome = game.outcome(table)
        if outcome:
            lead = outcome.scores[me] - max(
                score for seat, score in enumerate(outcome.scores) if seat != me
            )
            share = (me in outcome.winners) / len(outcome.winners)
            return Round(share, lead, state.out is None, turns, decisions)
        turns, mover = turns + (state.turn != mover), state.turn
        view = game.view(state, mover)
        before = thread_time()
        move = minds[mover].choose(view)
        decisions.append(Decision(levels[mover], table.sizes[mover], thread_time() - before))
        state, told = game.carry_out(state, mover, move, chance)
    raise RuntimeError(f"no end after {LONGEST_ROUND} moves: {contest}")


def played_some(contest: Contest, numbers: Sequence[int]) -> list[Round]:
    return [played(contest, number) for number in numbers]


def of_levels(contest: Contest, rounds: Sequence[Round]) -> str:
    shares = [round_.share for round_ in rounds]
    share, error = fmean(shares), 1.96 * pstdev(shares) / sqrt(len(shares))
    return (
        f"{contest}: {share:.1%} of {len(rounds)} won, {share - error:.1%} to {share + error:.1%};"
        f" ahead by {fmean(round_.lead for round_ in rounds):.0f},"
        f" {fmean(round_.blocked for round_ in rounds):.0%} blocked,"
        f" {fmean(round_.turns for round_ in rounds):.0f} turns"
    )


def of_speed(decisions: Sequence[Decision]) -> Iterator[str]:
    for level in ("easy", "normal", "strong", "master"):
        for sizes in SIZES:
            spent = [
                decision.spent * 1000
                for decision in decisions
                if decision.level == level and decision.held in sizes
            ]
            if len(spent) > 100:
                yield (
                    f"{level} with {sizes[0]} to {sizes[-1]} tiles: {fmean(spent):.0f} ms a decision,"
                    f" 99 % under {quantiles(spent, n=100)[-1]:.0f} ms, {len(spent)} decisions"
                )


def load(_: object) -> None:
    """Make the bitsets of all languages, so that no decision is charged for them."""
    for contest in {
        contest.options.get("language", "de"): contest for contest in CONTESTS
    }.values():
        played(contest, 0)


def run(times: int = 1) -> Iterator[str]:
    decisions: list[Decision] = []
    with Pool(PROCESSES, load, [None]) as pool:
        for contest in CONTESTS:
            count = contest.rounds * times
            chunks = [(contest, range(at, min(at + CHUNK, count))) for at in range(0, count, CHUNK)]
            rounds = [round_ for some in pool.starmap(played_some, chunks, 1) for round_ in some]
            decisions += [decision for round_ in rounds for decision in round_.decisions]
            yield of_levels(contest, rounds)
    yield from of_speed(decisions)


if __name__ == "__main__":
    for line in run(*map(int, sys.argv[1:])):
        print(line, flush=True)
