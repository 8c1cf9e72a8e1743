"""What is made of measurements that were taken in turn.

The speed of a machine drifts, and so do its neighbours. What was measured within one round, one after the other, is
compared; ratios of rounds are told by their median and by the middle half of them.
"""

import random
from collections.abc import Sequence
from statistics import median, quantiles
from typing import NamedTuple


class Slice(NamedTuple):
    """A short while of load on one server."""

    moves: int
    seconds: float
    processor: float
    """Seconds of the server's."""
    latencies: Sequence[float]

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    @property
    def cost(self) -> float:
        """Seconds of processor a move."""
        return self.processor / self.moves


class Spread(NamedTuple):
    middle: float
    low: float
    high: float
    """The quarters below `low` and above `high` are left out."""

    def __str__(self) -> str:
        return f"{self.middle:.2f} ({self.low:.2f} to {self.high:.2f})"


class Tally(NamedTuple):
    """All slices of one server, one a round."""

    rate: float
    cost: float
    p50: float
    p99: float


def turns(names: Sequence[str], rounds: int) -> list[list[str]]:
    """Who is measured when: all in each round, in another order each time."""
    chance = random.Random(1)
    return [chance.sample(names, len(names)) for _ in range(rounds)]


def spread(values: Sequence[float]) -> Spread:
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return Spread(middle, low, high)


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """Of what was measured in the same rounds."""
    return spread([one / other for one, other in zip(ours, theirs, strict=True)])


def tally(slices: Sequence[Slice]) -> Tally:
    latencies = sorted(each for one in slices for each in one.latencies)
    cuts = quantiles(latencies, n=100, method="inclusive")
    return Tally(
        median(one.rate for one in slices), median(one.cost for one in slices), cuts[49], cuts[98]
    )
