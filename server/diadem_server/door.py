"""Who stands at the door and says nothing. A few may; a crowd of them is not even listened to."""

from diadem_server.limits import Buckets
from diadem_server.origin import Network, is_from

KNOCKS = 4
"""As many connections are looked at as are let in, times this: the rest gets no answer."""

Peer = tuple[str, int]
"""The other end of a connection: address and port."""


class Door:
    """Connections of each address: those that have not asked for anything yet, and how many come."""

    def __init__(self, most: int, a_second: float, proxy: Network | None = None) -> None:
        self._most = most
        self._knocks = Buckets(KNOCKS * a_second, KNOCKS * most)
        self._proxy = proxy
        """Comes with the connections of many, and lets none of them be silent."""
        self._silent: dict[str, set[int]] = {}
        """Ports by address."""

    def come(self, peer: Peer) -> bool:
        """Whether there is room for this one; for whoever stands here there is."""
        address, port = peer
        silent = self._silent.get(address, set())
        if port in silent:
            return True
        if not is_from(self._proxy, address) and (
            len(silent) >= self._most or not self._knocks.take(address)
        ):
            return False
        self._silent.setdefault(address, silent).add(port)
        return True

    def go(self, peer: Peer) -> None:
        """She has asked, or is gone, or both."""
        address, port = peer
        silent = self._silent.get(address, set())
        silent.discard(port)
        if not silent:
            self._silent.pop(address, None)

    @property
    def is_clear(self) -> bool:
        return not self._silent
