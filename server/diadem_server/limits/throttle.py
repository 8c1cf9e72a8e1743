"""Guessing made slow: a growing pause (exponential backoff) for an address that keeps missing."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from math import exp2

from diadem_server.limits.rate_limits import too_fast
from diadem_server.limits.sites import share_of, with_site
from diadem_shared.refusals import RefusalError

REMEMBERED = 10_000
"""Prefixes; whoever missed least lately is forgotten first."""

MOST_ELSEWHERE = 20
"""Misses on another node that count at a time."""


class Throttle:
    """Counts misses by the prefix of an address, and by its site.

    So many are free, and more for a site. Each one after that begins a pause, twice as long as the one before, in which no
    guess is looked at. Misses are forgotten with time, one after another.
    """

    def __init__(
        self,
        free: int,
        longest: float,
        forget: float,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """By the time of the running event loop, if no other clock is given."""
        self._free = free
        self._longest = longest
        """Seconds of the longest pause."""
        self._forget = forget
        """Seconds after which one miss is forgotten."""
        self._clock = clock or _loops_time
        self._missed: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By prefix, how many misses there were, and when the last one was."""
        self.used: Callable[[str, float], None] | None = None
        """Called with each miss."""

    def pause(self, prefix: str) -> float:
        """Seconds until a guess from there is looked at again."""
        return max(map(self._pause, with_site(prefix)))

    def _pause(self, prefix: str) -> float:
        misses, last = self._missed.get(prefix, (0.0, 0.0))
        beyond = misses - self._free * share_of(prefix)
        if beyond <= 0:
            return 0.0
        pause = min(self._longest, exp2(min(beyond - 1, 32)))
        return max(0.0, last + pause - self._clock())

    def refuse_if_paused(self, prefix: str) -> None:
        if (seconds := self.pause(prefix)) > 0:
            raise RefusalError(too_fast(seconds))

    def missed(self, prefix: str) -> None:
        for each in with_site(prefix):
            self._count(each, self._clock())
            if self.used is not None:
                self.used(each, 1)

    def use_elsewhere(self, prefix: str, how_much: float) -> None:
        """So many misses on another node. Each counts as if it had come here, as soon as it would have been looked at:
        who guesses at several at once waits as long as for guessing at one."""
        for _ in range(min(int(how_much), MOST_ELSEWHERE)):
            self._count(prefix, self._clock() + self._pause(prefix))

    def _count(self, prefix: str, now: float) -> None:
        misses, last = self._missed.pop(prefix, (0.0, now))
        self._missed[prefix] = max(0.0, misses - (now - last) / self._forget) + 1, now
        while len(self._missed) > REMEMBERED:
            self._missed.popitem(last=False)


def _loops_time() -> float:
    return asyncio.get_running_loop().time()
