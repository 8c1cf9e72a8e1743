"""The server's password, checked so that nobody can try many."""

import hashlib
import logging
import secrets

from diadem_server.limits.rate_limits import Buckets, whole_seconds
from diadem_server.limits.throttle import Throttle
from diadem_server.metrics import Metrics
from diadem_shared.refusals import Code, Refusal

log = logging.getLogger(__name__)

FREE_GUESSES = 3
"""Wrong passwords from one prefix that cost nothing."""
LONGEST_PAUSE = 300.0
FORGOTTEN = 600.0
"""Seconds after which one wrong password is forgotten."""
LOG_LINES_A_SECOND = 1 / 60
LOG_BURST = 5


class PasswordCheck:
    """Compares passwords, and backs off exponentially from a prefix that keeps sending wrong ones."""

    def __init__(self, password: str | None, metrics: Metrics) -> None:
        self._wanted = None if password is None else _digest(password)
        self._metrics = metrics
        self.guesses = Throttle(FREE_GUESSES, LONGEST_PAUSE, FORGOTTEN)
        self._log_lines = Buckets(LOG_LINES_A_SECOND, LOG_BURST)

    def refusal(self, given: str | None, prefix: str, session: int | None) -> Refusal | None:
        """Why this password does not open the server; None if it does.

        Wrong ones count for the prefix they come from. Those of a known session count for the session:
        a stranger behind the same address keeps no player from coming back.
        """
        if self._wanted is None:
            return None
        if given is None:
            return Refusal(Code.PASSWORD_NEEDED)
        key = prefix if session is None else f"session {session}"
        if pause := self.guesses.pause(key):
            return Refusal(Code.TOO_MANY_GUESSES, {"seconds": whole_seconds(pause)})
        if secrets.compare_digest(_digest(given), self._wanted):
            return None
        self.guesses.missed(key)
        self._metrics.passwords_wrong += 1
        pause = self.guesses.pause(key)
        if self._log_lines.take(""):
            log.warning("wrong password from %s: no other is tried for %.0f s", prefix, pause)
        return Refusal(Code.PASSWORD_WRONG, {"seconds": whole_seconds(pause)} if pause else {})


def _digest(password: str) -> bytes:
    """Of one length, so that comparing takes equally long for all."""
    return hashlib.sha256(password.encode()).digest()
