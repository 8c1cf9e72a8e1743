"""Who stands at the door and says nothing. A few may; a crowd of them is not even listened to."""

from collections import Counter

from diadem_server.limits import Buckets
from diadem_server.origin import Network, is_from

KNOCKS = 4
"""As many connections are looked at as are let in, times this: the rest gets no answer."""


class Door:
    """Connections of each address: those that have not asked for anything yet, and how many come."""

    def __init__(self, most: int, a_second: float, proxy: Network | None = None) -> None:
        self._most = most
        self._knocks = Buckets(KNOCKS * a_second, KNOCKS * most)
        self._proxy = proxy
        """Comes with the connections of many, and lets none of them be silent."""
        self._silent: Counter[str] = Counter()

    def come(self, address: str) -> bool:
        """Whether there is room for one more."""
        if not is_from(self._proxy, address) and self._is_too_many(address):
            return False
        self._silent[address] += 1
        return True

    def _is_too_many(self, address: str) -> bool:
        return self._silent[address] >= self._most or not self._knocks.take(address)

    def go(self, address: str) -> None:
        self._silent[address] -= 1
        if not self._silent[address]:
            del self._silent[address]

    @property
    def is_clear(self) -> bool:
        return not self._silent
