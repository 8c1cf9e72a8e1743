"""python -m tools.bench.hints [SECONDS]: what a hint costs, in positions from matches among bots of several levels.

The adviser thinks where heavy bots do. What the server's own loop does for it is apart: it makes an adviser and tells it
all that its seat was told.
"""

import copy
import sys
from collections.abc import Iterator
from itertools import count
from statistics import median, quantiles
from time import process_time
from typing import NamedTuple

from diadem_shared.chance import Chance
from diadem_shared.entries import Moved, Setup
from diadem_shared.game import AnyGame, Seat
from diadem_shared.games import GAMES
from diadem_shared.playout import Step, play_out

SECONDS = 6.0
"""Of processor time that is measured for each game and number of seats, or a little more."""
MOST_POSITIONS = 400
OF_A_MATCH = 8
MOVES = 3
"""In a hint, as at a table."""


class Cost(NamedTuple):
    """Seconds of processor time."""

    thinking: float
    telling: float


def run(seconds: float = SECONDS) -> Iterator[str]:
    for game in GAMES.values():
        for seats in dict.fromkeys((game.seats[0], game.seats[-1])):
            yield of(game, seats, seconds)


def of(game: AnyGame, seats: int, seconds: float) -> str:
    costs: list[Cost] = []
    for number in count():
        costs += hints(game, match(game, seats, number), Chance(b"bench", f"{number}"))
        if sum(cost.thinking for cost in costs) > seconds or len(costs) >= MOST_POSITIONS:
            break
    adviser = game.adviser(Chance(b"bench"))
    where = "a worker" if adviser is not None and adviser.heavy else "the loop"
    thinking, telling = zip(*costs, strict=True)
    return (
        f"{game.name}, {seats} seats, {len(costs)} positions: {where} thinks for {told(thinking)};"
        f" the loop tells what was before in {told(telling)}"
    )


def told(seconds: tuple[float, ...]) -> str:
    late = quantiles(seconds, n=20, method="inclusive")[-1]
    shown = (f"{each * 1e6:,.0f}" for each in (median(seconds), late, max(seconds)))
    return "{} us (95 %: {}, at most {})".format(*shown)


def match(game: AnyGame, seats: int, number: int) -> list[Step]:
    """Among bots of the lower half, which are cheap to watch."""
    levels = list(game.bots)[: -(-len(game.bots) // 2)]
    seated = [levels[(number + seat) % len(levels)] for seat in range(seats)]
    return list(play_out(Setup(game.name), seated, number.to_bytes(4, "big")))


def hints(game: AnyGame, steps: list[Step], chance: Chance) -> Iterator[Cost]:
    """Of some of its positions."""
    moves = [
        (at, each.entry.seat) for at, each in enumerate(steps) if isinstance(each.entry, Moved)
    ]
    for at, seat in chance.shuffled(moves)[:OF_A_MATCH]:
        yield hint(game, steps[:at], seat, chance)


def hint(game: AnyGame, before: list[Step], seat: Seat, chance: Chance) -> Cost:
    started = process_time()
    adviser = game.adviser(chance)
    assert adviser is not None
    for step in before:
        for happening in step.told:
            adviser.see(happening.told(seat))
    telling = process_time() - started
    match, copied = before[-1].match, copy.deepcopy(adviser)
    view, began = game.view(match.state, seat), process_time()
    copied.evaluate(view, MOVES)
    return Cost(process_time() - began, telling)


if __name__ == "__main__":
    for line in run(*map(float, sys.argv[1:])):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
