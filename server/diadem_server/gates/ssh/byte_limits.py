"""Rate limits of one ssh connection: so many bytes before login, and a token bucket after it.

Every packet has at least eight bytes, so this bounds packets as well. A connection beyond its rate is throttled, and closed
if it stays so for too long.
"""

import asyncio

import asyncssh

from diadem_server.limits.rate_limits import Bucket

LOGIN_BYTES = 64 * 1024
"""Bytes before login. A login with some keys takes 4 to 16 KiB."""
LOGIN_RATE, LOGIN_BURST = 16 * 1024, 16 * 1024
RATE, BURST = 16 * 1024, 64 * 1024
"""Bytes a second after login. Keys and a mouse send a third of that at most."""
KEY_EXCHANGES_A_SECOND, KEY_EXCHANGES_AT_ONCE = 1 / 60, 5
"""Key exchanges a connection may start. Clients do one at login, and another after an hour or a gigabyte."""


class TooMuch(Exception):
    """The connection has exceeded its limits, and is to be closed."""


class ByteLimiter:
    def __init__(self, most_seconds: float) -> None:
        """`most_seconds`: for so long a connection may exceed its rate before it is closed."""
        self._most_seconds = most_seconds
        self._bucket = Bucket(LOGIN_RATE, LOGIN_BURST)
        self._left: int | None = LOGIN_BYTES
        """Bytes left until login."""
        self._throttled_since: float | None = None
        self.is_silent = True
        """Whether nothing was received yet."""

    def logged_in(self) -> None:
        self._left = None
        self._bucket = Bucket(RATE, BURST)

    def take(self, count: int) -> float:
        """Count received bytes; returns the seconds to stop reading. Raises TooMuch to close the connection."""
        self.is_silent = False
        if self._left is not None:
            self._left -= count
            if self._left < 0:
                raise TooMuch
        wait = self._bucket.spend(count)
        now = asyncio.get_running_loop().time()
        if not wait:
            self._throttled_since = None
        elif self._throttled_since is None:
            self._throttled_since = now
        elif now - self._throttled_since > self._most_seconds:
            raise TooMuch
        return wait


class HostKey(asyncssh.SSHKeyPair):
    """The host key of one connection, which signs only as many key exchanges as are allowed."""

    def __init__(self, key: asyncssh.SSHKeyPair) -> None:
        super().__init__(
            key.algorithm,
            key.sig_algorithm,
            key.sig_algorithms,
            key.host_key_algorithms,
            key.public_data,
            key.get_comment_bytes(),
        )
        self._key = key
        self._exchanges = Bucket(KEY_EXCHANGES_A_SECOND, KEY_EXCHANGES_AT_ONCE)

    def sign(self, data: bytes) -> bytes:
        if not self._exchanges.take():
            raise asyncssh.DisconnectError(asyncssh.DISC_BY_APPLICATION, "Too many key exchanges.")
        return self._key.sign(data)
