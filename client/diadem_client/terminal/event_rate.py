"""Rate limit of key and mouse events: a token bucket for one terminal.

A gate limits the bytes that a player sends. What these cost is decided by what they mean: a pasted text is one event, however long,
while each byte of a control sequence that never ends is a key. So events are what is counted.
"""

A_SECOND = 60.0
"""A key that is held down repeats some 30 times a second."""
AT_ONCE = 300
"""The burst: a text that is pasted into a terminal without bracketed paste."""


class EventRate:
    def __init__(self, now: float) -> None:
        self._level = float(AT_ONCE)
        self._then = now

    def has_room(self, now: float) -> bool:
        """Whether the next event need not wait."""
        self._refill(now)
        return self._level >= 1

    def spend(self, now: float) -> float:
        """Count an event; the seconds that it has to wait."""
        self._refill(now)
        self._level -= 1
        return max(0.0, -self._level / A_SECOND)

    def _refill(self, now: float) -> None:
        self._level = min(AT_ONCE, self._level + (now - self._then) * A_SECOND)
        self._then = now
