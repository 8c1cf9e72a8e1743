"""How much one client may ask for."""

import time
from collections.abc import Callable


class Bucket:
    """So many at once, refilled at a rate."""

    def __init__(
        self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._level = float(burst)
        self._then = clock()

    def take(self) -> bool:
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._then) * self._rate)
        self._then = now
        if self._level < 1:
            return False
        self._level -= 1
        return True
