"""Finding Diamino's plays, beside a textbook generator: python -m tools.bench.finder

Medians of process time over ten recorded German mid-game positions. The finder's time includes
counting what it found; the letters that fit between others are forgotten before each search, as if
the position were new. Both must find the same number of fillings of slots.
"""

from collections.abc import Callable, Iterator
from statistics import median
from time import process_time
from typing import TypeVar

from diadem_shared.games.diamino.finder import Finder
from diadem_shared.lexicon import Lexicon, shipped
from tools.bench._dawg import Generator
from tools.bench._positions import HANDS, RUNNING, Counted, Position, count_fits, load, words_of

ROUNDS = 5
LEAST_RATIO = {(12, 1): 20, (40, 2): 150}
MOST_GROWTH = 3.0
MOST_FIRST_PLAY = 0.5
"""A first play from a bare lexicon builds what it needs, and no more than this share of all bitsets."""
LEXICON_LENGTHS = range(2, 16)

T = TypeVar("T")


def run() -> Iterator[str]:
    lexicon = shipped.load("de")
    positions = load()["de"]
    finder = Finder(lexicon)
    built, _ = timed(lambda: build(finder))
    yield f"all bitsets of the German list, once: {1000 * built:.0f} ms"
    yield first_plays(lexicon, positions, built)
    generator = Generator(words_of(lexicon))
    yield "hand      fits    plays  bitsets  counting plays    DAWG  ratio"
    times: dict[tuple[int, int], float] = {}
    for number, (size, jokers) in enumerate(HANDS):
        cases = [(position, position.counts[number]) for position in positions]
        times[size, jokers] = median(time_find(finder, *case) for case in cases)
        counting = median(count_plays(finder, *case) for case in cases)
        dawg = median(generate(generator, *case) for case in cases)
        ratio = dawg / times[size, jokers]
        wanted = LEAST_RATIO.get((size, jokers))
        yield (
            f"{size:2} ({jokers}) {median(counted.fits for _, counted in cases):9,.0f}"
            f"{median(counted.plays for _, counted in cases):10,.0f}"
            f"{1000 * times[size, jokers]:6.2f} ms{1000 * counting:13.1f} ms"
            f"{1000 * dawg:7.0f} ms{ratio:6.0f}x"
            + (f"  {verdict(ratio >= wanted)} at least {wanted}x" if wanted else "")
        )
    growth = times[40, 2] / times[7, 0]
    yield f"40 (2) against 7 (0): {growth:.1f}x  {verdict(growth <= MOST_GROWTH)} at most {MOST_GROWTH}x"


def first_plays(lexicon: Lexicon, positions: list[Position], built: float) -> str:
    """Each with a finder that has no bitset yet; `built`: seconds that all bitsets take."""
    slowest = max(
        timed(lambda: Finder(lexicon).first(position.board, counted.hand, counted.terms))[0]  # noqa: B023
        for position in positions
        for counted in position.counts[: len(HANDS)]
    )
    share = slowest / built
    return (
        f"first play from a bare lexicon, slowest of all hands: {1000 * slowest:.0f} ms, {share:.2f} of that"
        f"  {verdict(share <= MOST_FIRST_PLAY)} at most {MOST_FIRST_PLAY}"
    )


def build(finder: Finder) -> None:
    for length in LEXICON_LENGTHS:
        words = finder.index.words(length)
        assert words.at
        assert words.holding
        assert words.both_ways >= 0


def time_find(finder: Finder, position: Position, counted: Counted) -> float:
    def find() -> int:
        return count_fits(finder.find(position.board, counted.hand, RUNNING))

    times = []
    for _ in range(ROUNDS):
        finder.index.letters_between.cache_clear()
        seconds, fits = timed(find)
        assert fits == counted.fits
        times.append(seconds)
    return median(times)


def count_plays(finder: Finder, position: Position, counted: Counted) -> float:
    findings = finder.find(position.board, counted.hand, RUNNING)
    seconds, plays = timed(findings.count)
    assert plays == counted.plays
    return seconds


def generate(generator: Generator, position: Position, counted: Counted) -> float:
    seconds, made = timed(
        lambda: generator.plays(position.board, counted.hand, RUNNING, sparing=True)
    )
    assert len(set(made)) == len(made) == counted.fits, "the two do not agree"
    return seconds


def timed(work: Callable[[], T]) -> tuple[float, T]:
    started = process_time()
    result = work()
    return process_time() - started, result


def verdict(holds: bool) -> str:  # noqa: FBT001
    return "ok:" if holds else "TOO SLOW:"


if __name__ == "__main__":
    for line in run():
        print(line, flush=True)
