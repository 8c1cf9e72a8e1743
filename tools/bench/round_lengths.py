"""python -m tools.bench.round_lengths [ROUNDS [GAME...]]: how many moves a round takes, from which the bounds of C-5 follow.

Numbers of seats, levels of bots and options are drawn anew for each round; the levels that think long are left out.
"""

import sys
from collections.abc import Iterator, Sequence
from multiprocessing import Pool
from typing import Any

from diadem_shared.chance import Chance
from diadem_shared.entries import Moved, Setup
from diadem_shared.games import GAMES
from diadem_shared.playout import play_out

ROUNDS = 200
CHUNK = 25
PROCESSES = 2
SLOW = {"strong", "master", "sharp", "normal"}
OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "diadingo": {"play": ("memory", "marked"), "scoring": ("plain", "professional")},
    "diamino-rummy": {"judging": ("dictionary", "table"), "language": ("de", "fr", "en")},
    "diamino-bonus": {"judging": ("dictionary", "table"), "language": ("de", "fr", "en")},
}
SHARES = (0.5, 0.99, 0.999, 1.0)


def length(game: str, number: int) -> int:
    """Moves of one round, votes included."""
    chance = Chance(f"{game} {number}".encode())
    levels = [level for level in GAMES[game].bots if level not in SLOW]
    seated = [chance.pick(levels) for _ in range(chance.pick(GAMES[game].seats))]
    options = {name: chance.pick(values) for name, values in OPTIONS.get(game, {}).items()}
    steps = play_out(Setup(game, options), seated, f"round {number}".encode())
    return sum(isinstance(step.entry, Moved) for step in steps)


def lengths(chunk: tuple[str, range]) -> list[int]:
    game, numbers = chunk
    return [length(game, number) for number in numbers]


def summary(game: str, found: list[int]) -> str:
    found = sorted(found)
    shares = [found[min(len(found) - 1, int(share * len(found)))] for share in SHARES]
    median, *others = shares
    words = ", ".join(
        f"{share:.1%} {moves}" for share, moves in zip(SHARES[1:], others, strict=True)
    )
    return f"{game}: {len(found)} rounds, moves: median {median}, {words}"


def run(rounds: int = ROUNDS, games: Sequence[str] = ()) -> Iterator[str]:
    with Pool(PROCESSES) as pool:
        for game in games or GAMES:
            chunks = [(game, range(at, min(at + CHUNK, rounds))) for at in range(0, rounds, CHUNK)]
            found = [each for chunk in pool.imap_unordered(lengths, chunks) for each in chunk]
            yield summary(game, found)


if __name__ == "__main__":
    for line in run(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS, sys.argv[2:]):
        print(line, flush=True)
