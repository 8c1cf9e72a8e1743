"""How long the way to the player's terminal and back takes, by the terminal's own answers."""

QUESTION = "\x1b[6n"
"""Where is the cursor? Every terminal answers that, and to ask changes nothing on the screen."""
ASKED_AGAIN_SECONDS = 10.0
LOST_SECONDS = 30.0
"""After so long an answer is not expected any more: a line broke, and the player came back on another one."""


class RoundTrip:
    """Measured with one question at a time.

    What says that it is an answer may have been typed: it ends the one question that is on its way, and
    counts for nothing else. Questions are asked in the application's thread, answers come in that of the keys.
    """

    def __init__(self) -> None:
        self._asked_at: float | None = None
        self._waits = False
        self._seconds: float | None = None

    def asks(self, now: float) -> bool:
        """Whether it is time to ask; whoever is told so has to."""
        pause = LOST_SECONDS if self._waits else ASKED_AGAIN_SECONDS
        if self._asked_at is not None and now < self._asked_at + pause:
            return False
        self._asked_at, self._waits = now, True
        return True

    def answered(self, now: float) -> None:
        if self._waits and self._asked_at is not None:
            self._waits = False
            self._seconds = now - self._asked_at

    def seconds(self, now: float) -> float:
        """As last measured, or what the newest question has waited if that is more already.

        0.0 of a terminal that has never answered: nothing is known of its line.
        """
        if self._seconds is None or self._asked_at is None:
            return 0.0
        return max(self._seconds, now - self._asked_at) if self._waits else self._seconds
