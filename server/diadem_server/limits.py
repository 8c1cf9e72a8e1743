"""How much one client, or one address, may ask for."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable

REMEMBERED = 10_000
"""Addresses; whoever was seen least lately is forgotten first."""


class Bucket:
    """So many at once, refilled at a rate."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] | None = None) -> None:
        """By the time of the running event loop, if no other clock is given."""
        self._rate = rate
        self._burst = burst
        self._clock = clock or asyncio.get_running_loop().time
        self._level = float(burst)
        self._then = self._clock()

    def take(self, how_much: float = 1) -> bool:
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._then) * self._rate)
        self._then = now
        if self._level < how_much:
            return False
        self._level -= how_much
        return True


class Buckets:
    """One for each address."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        if address not in self._buckets:
            self._buckets[address] = Bucket(self._rate, self._burst)
        self._buckets.move_to_end(address)
        while len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return self._buckets[address].take()
