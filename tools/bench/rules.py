"""What the contract costs in each game: random rounds, and view, explain, play, against a yardstick.

The yardstick is packing one public view, which the server has to do for every move anyway.
"""

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from diadem_shared.chance import Chance
from diadem_shared.game import AnyGame, pack
from diadem_shared.games import GAMES
from tests.rig.conformance import check_match, check_round
from tests.rig.interference import check_interference
from tests.rig.walk import Step, options_for, walk

ROUNDS = 60
SAMPLES = 7
SUITE_SEEDS = 6


def run() -> Iterator[str]:
    for game in GAMES.values():
        yield from costs(game)
        yield suite(game)


def costs(game: AnyGame) -> Iterator[str]:
    seats = game.seats[-1]
    started = time.process_time()
    steps: list[Step] = []
    for number in range(ROUNDS):
        steps += walk(game, options_for(game, 0), seats, number.to_bytes(4, "big"))
    spent = time.process_time() - started
    yield (
        f"{game.name}: {ROUNDS / spent:.0f} random rounds a second with {seats} seats,"
        f" {len(steps) / ROUNDS:.0f} moves each, {spent / len(steps) * 1e6:.0f} us a move"
    )
    steps = steps[:: max(1, len(steps) // 2000)]
    views = [game.view(step.before, step.seat) for step in steps]
    chance = Chance(b"bench")

    def play(step: Step, _: Any) -> None:
        game.play(step.before, step.seat, step.move, chance)

    yardstick = each(lambda _, view: pack(view.public), steps, views)
    measured = {
        "view": each(lambda step, _: game.view(step.before, step.seat), steps, views),
        "explain": each(lambda step, view: game.explain(view, step.move), steps, views),
        "play": each(play, steps, views),
        "parse": each(lambda step, _: game.parse(game.notate(step.move)), steps, views),
    }
    told = ", ".join(
        f"{name} {cost:.1f} us ({cost / yardstick:.1f}x)" for name, cost in measured.items()
    )
    yield f"  packing a view {yardstick:.1f} us (1x), {told}"


def each(action: Callable[[Step, Any], object], steps: list[Step], views: list[Any]) -> float:
    """Microseconds a call, the median of several runs over all steps."""
    taken = []
    for _ in range(SAMPLES):
        started = time.process_time()
        for step, view in zip(steps, views, strict=True):
            action(step, view)
        taken.append((time.process_time() - started) / len(steps) * 1e6)
    return median(taken)


def suite(game: AnyGame) -> str:
    spent = {}
    for check in (check_round, check_match, check_interference):
        started = time.process_time()
        for seed in range(SUITE_SEEDS):
            check(game, seed)
        spent[check.__name__] = time.process_time() - started
    parts = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in spent.items())
    return f"  the rig over {SUITE_SEEDS} seeds: {sum(spent.values()):.1f} s of CPU ({parts})"
