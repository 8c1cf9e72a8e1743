"""Admission: how many connections a prefix may open, how fast, and how many there may be in all."""

from diadem_server.config import Config
from diadem_server.limits.counts import Counts
from diadem_server.limits.rate_limits import Buckets
from diadem_server.metrics import Metrics
from diadem_server.net.addresses import is_from, prefix_of
from diadem_server.net.listener import Peer

ATTEMPTS = 4
"""As many connections are looked at as are let in, times this; the rest is reset."""
RETRY_SECONDS = 5.0
"""After which to try again where nobody knows when there will be room."""

HOSTED = ""
"""Stands for the prefix of players whom a gate of this server has let in, and counted."""


class Admission:
    """Connections whose handshake is pending, and open ones, by the prefix of their address."""

    def __init__(self, config: Config, metrics: Metrics) -> None:
        self._config = config
        self._metrics = metrics
        rate, most = config.connections_a_second, config.max_per_address
        self._attempts = Buckets(ATTEMPTS * rate, ATTEMPTS * most)
        self.arrivals = Buckets(rate, 2 * most)
        self._pending: set[Peer] = set()
        self._pending_by_prefix = Counts()
        self.open = Counts()
        self.is_closed = False
        """Nobody is let in any more."""

    # Before the handshake

    def begin(self, peer: Peer) -> bool:
        """Whether a connection may begin its handshake.

        A reverse proxy brings connections of many players, so this does not limit it.
        """
        prefix = prefix_of(peer[0])
        if not is_from(self._config.behind_proxy, peer[0]) and not (
            self._pending_by_prefix.has_room(prefix, self._config.max_per_address)
            and self._attempts.take(prefix)
        ):
            self._metrics.turned_away += 1
            return False
        if peer not in self._pending:
            self._pending.add(peer)
            self._pending_by_prefix.add(prefix)
        return True

    def end(self, peer: Peer) -> None:
        """Its request was read, or it is lost, or both."""
        if peer in self._pending:
            self._pending.discard(peer)
            self._pending_by_prefix.add(prefix_of(peer[0]), -1)

    # With the handshake

    def wait(self, prefix: str) -> float | None:
        """None for a player who is let in; else the seconds after which to try again."""
        wait = self._wait(prefix)
        if wait is not None:
            self._metrics.turned_away += 1
        return wait

    def _wait(self, prefix: str) -> float | None:
        if self.is_closed:
            return 0.0  # another server may let them in at once
        if self.is_full:
            return RETRY_SECONDS
        if prefix == HOSTED:
            return None
        if not self.open.has_room(prefix, self._config.max_per_address):
            return RETRY_SECONDS
        return None if self.arrivals.take(prefix) else self.arrivals.wait(prefix)

    @property
    def is_full(self) -> bool:
        return self.is_closed or self._metrics.connections >= self._config.max_connections

    def enter(self, prefix: str) -> None:
        self.open.add(prefix)
        self._metrics.connections += 1

    def leave(self, prefix: str) -> None:
        self._metrics.connections -= 1
        self.open.add(prefix, -1)
