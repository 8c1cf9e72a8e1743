"""Eviction: which connection without a session is closed so that a full gate can accept a newcomer.

A gate has room for a number of connections in all. Half of that room is for connections that have no session yet: they say
nothing, or are in the middle of a handshake. Attackers hold such connections open from a few addresses, for as long as
the login timeout lasts, and would keep everybody else out.

So a full gate closes one of them for each newcomer: the oldest silent connection of the network that has most pending
connections; if all have sent something, the oldest of the network that has most. Two conditions keep attackers from
pushing others out. Nobody is evicted for a newcomer whose own network has more pending connections; and a connection that has
sent something only if its network has more than the newcomer's. A player who comes alone is therefore evicted only if
more networks attack than there is room for connections, and then the oldest goes first, which gives a slow handshake the longest time.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from diadem_server.net.listener import Peer


class Evictable(Protocol):
    """A connection, as far as eviction has to know it."""

    @property
    def has_session(self) -> bool:
        """Whether it has a session that is counted; it is not evicted then."""

    @property
    def is_silent(self) -> bool:
        """Whether nothing that can be read has come."""

    def evict(self) -> None:
        """Close it at once."""


class Pending(NamedTuple):
    """A connection without a session."""

    peer: Peer
    network: str
    is_silent: bool


def choose(pending: Iterable[Pending], newcomer: str) -> Peer | None:
    """The connection to evict for a newcomer from this network; None to refuse the newcomer.

    `pending` is in the order in which they came.
    """
    candidates = list(pending)
    sizes = Counter(each.network for each in candidates)
    own = sizes[newcomer]
    silent = [each for each in candidates if each.is_silent and sizes[each.network] >= own]
    spoken = [each for each in candidates if not each.is_silent and sizes[each.network] > own]
    for some in (silent, spoken):
        if some:
            return max(some, key=lambda each: sizes[each.network]).peer  # the first of the largest
    return None
