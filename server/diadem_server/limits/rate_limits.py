"""How much one client, or one address, may ask for, and when to ask again."""

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable

from diadem_server.limits.sites import share_of, with_site
from diadem_shared.refusals import Code, Refusal

REMEMBERED = 10_000
"""Keys of a table of buckets; the one used least lately is forgotten first."""
LONGEST_WAIT = 3600
"""Seconds that a client is told to wait at the most."""


def whole_seconds(seconds: float) -> int:
    """What a client is told to wait: never less than a second, and never for ever."""
    return max(1, math.ceil(min(seconds, LONGEST_WAIT)))


def too_fast(seconds: float) -> Refusal:
    """Refused by a rate limit that will allow it after so many seconds."""
    return Refusal(Code.TOO_FAST, {"seconds": whole_seconds(seconds)})


class Bucket:
    """A token bucket: so many at once, refilled at a rate a second."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] | None = None) -> None:
        """By the time of the running event loop, if no other clock is given."""
        self._rate = rate
        self._burst = burst
        self._clock = clock or asyncio.get_running_loop().time
        self._level = float(burst)
        self._then = self._clock()
        self.untold = 0.0
        """What was taken here and other nodes are yet to be told of."""

    def take(self, how_much: float = 1) -> bool:
        self._refill()
        if self._level < how_much:
            return False
        self._level -= how_much
        return True

    def wait(self, how_much: float = 1) -> float:
        """Seconds until that much can be taken."""
        self._refill()
        missing = min(how_much, self._burst) - self._level
        if missing <= 0:
            return 0.0
        return missing / self._rate if self._rate else math.inf

    @property
    def level(self) -> float:
        self._refill()
        return self._level

    def fill_to(self, level: float) -> None:
        """Go on from where another bucket stood."""
        self._level, self._then = min(level, self._burst), self._clock()

    def spend(self, how_much: float) -> float:
        """Take it even where there is less; the seconds until that debt is paid."""
        self._refill()
        self._level -= how_much
        return max(0.0, -self._level / self._rate)

    def owe(self, how_much: float) -> None:
        """It was taken elsewhere: take it here as well, and be in debt by a burst at the most."""
        self._refill()
        self._level = max(-self._burst, self._level - how_much)

    def _refill(self) -> None:
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._then) * self._rate)
        self._then = now


class Buckets:
    """A token bucket for each key, such as the prefix of an address, and a larger one for its site."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self.used: Callable[[str, float], None] | None = None
        """Called with what is taken from each."""

    def take(self, key: str, how_much: float = 1) -> bool:
        """From the bucket of the key and that of its site, or from none."""
        keys = with_site(key)
        # The site first: where it has used up what it may have, none of its prefixes is remembered.
        if not all(self._of(each).level >= how_much for each in keys):
            return False
        for each in keys:
            self._of(each).take(how_much)
            if self.used is not None:
                self.used(each, how_much)
        return True

    def use_elsewhere(self, key: str, how_much: float) -> None:
        """From the bucket of this key on another node."""
        self._of(key).owe(how_much)

    def wait(self, key: str, how_much: float = 1) -> float:
        return max(self._of(each).wait(how_much) for each in with_site(key))

    def spend(self, key: str, how_much: float, told_from: float) -> None:
        """Take what is used already, also where there is less, from the key's bucket and from that of its site. Other nodes
        are told once it is so much in all."""
        for each in with_site(key):
            bucket = self._of(each)
            bucket.owe(how_much)
            bucket.untold += how_much
            if self.used is not None and bucket.untold >= told_from:
                self.used(each, bucket.untold)
                bucket.untold = 0.0

    def _of(self, key: str) -> Bucket:
        if key not in self._buckets:
            share = share_of(key)
            self._buckets[key] = Bucket(share * self._rate, share * self._burst)
        self._buckets.move_to_end(key)
        while len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return self._buckets[key]
