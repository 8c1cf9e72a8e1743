"""Tells a key that is held down from one that is pressed again: terminals report both alike."""

LOOK = 0.7
"""Seconds after a move in which its key makes no other one: what came of it has not been looked at.

No shorter than keyboards wait before they repeat a key.
"""
REPEAT = 0.2
"""Seconds from one key to the next, below which a key that has made a move is still held down."""


class HeldKeys:
    def __init__(self) -> None:
        self._key = ""
        self._pressed = 0.0
        self._moved: float | None = None
        """When the key that was pressed last made a move, if it has made one."""

    def is_held(self, key: str, now: float) -> bool:
        """Whether this press is one more of a key that has just made a move."""
        if key != self._key:
            self._moved = None
        held = self._moved is not None and (
            now - self._moved < LOOK or now - self._pressed < REPEAT
        )
        self._key, self._pressed = key, now
        return held

    def moved(self) -> None:
        """The press that was asked about last has made a move."""
        self._moved = self._pressed

    def refused(self) -> None:
        """What was taken for a move was none, and may be tried again."""
        self._moved = None
