"""Admission to a gate: limits of connections a prefix, sessions a player, and sessions in all.

Of several servers that are one Diadem, those by prefix and by player hold for all their gates together.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from diadem_server.gates.eviction import Evictable, Pending, choose
from diadem_server.limits.counts import Counts
from diadem_server.limits.limit_sync import Limits
from diadem_server.limits.rate_limits import Buckets, whole_seconds
from diadem_server.limits.sites import with_site
from diadem_server.net.addresses import prefix_of
from diadem_server.net.listener import Peer

FULL = "Diadem is full just now. Please come back later."
CROWDED = "Too many players come from your address just now."
HASTY = "You come too often. Please wait for {seconds} s."
MOST_PER_PLAYER = "You are here too often already. Leave somewhere else first."
HEADROOM = 2
"""Connections beyond the limit, by this factor, are accepted and told that there is no room. That takes
a handshake each; those beyond, which may be a flood, are closed at once."""

NOBODY_YET = ""
"""Stands for the prefix of connections of a proxy that have not said yet whose they are."""
COMPLAINTS_A_SECOND = 1 / 60


class GateLimits(Protocol):
    """What the configuration of a gate says of how many may come."""

    @property
    def most(self) -> int:
        """Sessions in all."""

    @property
    def most_per_player(self) -> int: ...
    @property
    def most_per_address(self) -> int: ...
    @property
    def connections_a_session(self) -> int:
        """Connections that a session may take; there may be so many for each."""

    @property
    def connections_a_second(self) -> float:
        """The rate limit of new connections from one address."""

    @property
    def sessions_a_second(self) -> float:
        """The rate limit of new sessions from one address."""


@dataclass
class Connection:
    prefix: str
    """That it counts for."""
    evictable: Evictable | None = None
    """None as long as it cannot be evicted."""


class GateAdmission:
    def __init__(self, limits: GateLimits, tell_sessions: Callable[[int], object]) -> None:
        self._limits = limits
        self._tell_sessions = tell_sessions
        self._connections: dict[Peer, Connection] = {}
        """Open connections, the oldest first."""
        self._evicted: set[Peer] = set()
        """Connections that were told to close, and have not ended yet."""
        self._most = HEADROOM * limits.connections_a_session * limits.most
        """Connections in all."""
        self._open = Counts()
        """Connections by prefix."""
        self._players = Counts()
        """Sessions by player."""
        self._prefixes = Counts()
        """Sessions by prefix."""
        self._sessions = 0
        self._most_open = limits.connections_a_session * limits.most_per_address
        """Connections from one prefix, beyond which they are told that there is no room."""
        self._arrivals = Buckets(limits.connections_a_second, HEADROOM * self._most_open)
        self._starts = Buckets(limits.sessions_a_second, HEADROOM * limits.most_per_address)
        """The rate limit of new sessions: each spawns a process, and one connection can ask again and again."""

        self._complaints = Buckets(COMPLAINTS_A_SECOND, 1)
        self.shared = Limits(
            {"connections": self._arrivals, "sessions": self._starts},
            {"connections": self._open, "sessions": self._prefixes, "players": self._players},
        )
        """Those that hold for gates of all servers together; by the names of `limits.relayed`."""

    def may_log_complaint(self, address: str) -> bool:
        """Whether a complaint about this prefix is logged; rate limited, so that nobody fills the log."""
        return self._complaints.take(prefix_of(address))

    # Connections

    def begin(self, peer: Peer, *, is_proxy: bool = False) -> bool:
        """Count a connection; False if it is to be closed at once. If there are too many, one without a session is evicted.

        Those of a proxy, which brings many players, are limited in all, and each by its player's address once that is known.
        """
        if peer in self._connections or peer in self._evicted:
            return False  # the one before from this port was reset, and the loop has yet to say so
        prefix = NOBODY_YET if is_proxy else prefix_of(peer[0])
        if not (is_proxy or self._may_begin(prefix)):
            return False
        if len(self._connections) >= self._most and not self._evict_for(prefix):
            return False
        self._connections[peer] = Connection(prefix)
        self._open.add(prefix)
        return True

    def can_evict(self, peer: Peer, evictable: Evictable) -> None:
        """How to evict this connection from now on."""
        if (connection := self._connections.get(peer)) is not None:
            connection.evictable = evictable

    def _evict_for(self, prefix: str) -> bool:
        """Make room for a newcomer from this prefix; whether there is room."""
        peer = choose(self._pending(), with_site(prefix)[0])
        if peer is None or len(self._evicted) >= self._most:
            return False
        connection = self._forget(peer)
        self._evicted.add(peer)
        assert connection.evictable is not None  # noqa: S101, others are not chosen
        connection.evictable.evict()
        return True

    def _pending(self) -> Iterator[Pending]:
        for peer, each in self._connections.items():
            evictable = each.evictable
            if evictable is not None and each.prefix != NOBODY_YET and not evictable.has_session:
                yield Pending(peer, with_site(each.prefix)[0], evictable.is_silent)

    def count_for(self, peer: Peer, address: str) -> bool:
        """Count a connection for the address that it comes from by way of a proxy; False as in `begin`."""
        prefix = prefix_of(address)
        connection = self._connections.get(peer)
        if connection is None or not self._may_begin(prefix):
            return False
        self._open.add(connection.prefix, -1)
        connection.prefix = prefix
        self._open.add(prefix)
        return True

    def _may_begin(self, prefix: str) -> bool:
        return self._arrivals.take(prefix) and self._open.has_room(
            prefix, HEADROOM * self._most_open
        )

    def refusal(self, address: str) -> str | None:
        """Why a connection from this address is refused; None if it is not."""
        has_room = self._open.has_room(prefix_of(address), self._most_open + 1)  # it is counted
        return None if has_room else CROWDED

    def end(self, peer: Peer) -> None:
        self._evicted.discard(peer)
        if peer in self._connections:
            self._forget(peer)

    def _forget(self, peer: Peer) -> Connection:
        connection = self._connections.pop(peer)
        self._open.add(connection.prefix, -1)
        return connection

    # Sessions

    def enter(self, player: str | None, address: str) -> str | None:
        """Count a session of a player or of a guest; returns why it is refused, or None."""
        prefix = prefix_of(address)
        if not self._prefixes.has_room(prefix, self._limits.most_per_address):
            return CROWDED
        if self._sessions >= self._limits.most:
            return FULL
        if player is not None and self._players[player] >= self._limits.most_per_player:
            return MOST_PER_PLAYER
        if not self._starts.take(prefix):
            return HASTY.format(seconds=whole_seconds(self._starts.wait(prefix)))
        self._count(player, prefix, 1)
        return None

    def leave(self, player: str | None, address: str) -> None:
        self._count(player, prefix_of(address), -1)

    def _count(self, player: str | None, prefix: str, how_many: int) -> None:
        if player is not None:
            self._players.add(player, how_many)
        self._prefixes.add(prefix, how_many)
        self._sessions += how_many
        self._tell_sessions(self._sessions)
