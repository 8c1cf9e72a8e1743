"""How many may be here: connections of an address, sessions of a player, and sessions in all."""

from collections import Counter

from diadem_server.config import SshConfig
from diadem_server.limits import Buckets
from diadem_server.metrics import Metrics

FULL = "Diadem is full just now. Please come back later."
CROWDED = "Too many players come from your address just now."
AT_THE_DOOR = 2
"""So many times as many connections as there is room for are listened to, and told that there is none.
To tell takes a key exchange; the rest, who may well be a flood, are cut off."""


class Room:
    def __init__(self, config: SshConfig, metrics: Metrics) -> None:
        self._config = config
        self._metrics = metrics
        self._connections: Counter[str] = Counter()
        self._sessions: Counter[str] = Counter()
        """By key; a guest has none."""
        self._addresses: Counter[str] = Counter()
        """Sessions again, by where they come from."""
        self._arrivals = Buckets(config.connections_a_second, 2 * config.most_per_address)

    # Connections

    def come(self, address: str) -> bool:
        """Count one from there; False if it is not even listened to."""
        if (
            not self._arrivals.take(address)
            or self._connections[address] >= AT_THE_DOOR * self._config.most_per_address
            or self._connections.total() >= AT_THE_DOOR * self._config.most
        ):
            return False
        self._connections[address] += 1
        return True

    def against(self, address: str) -> str | None:
        """Why the last that came from there is not let in."""
        return CROWDED if self._connections[address] > self._config.most_per_address else None

    def go(self, address: str) -> None:
        _take_one(self._connections, address)

    # Sessions

    def enter(self, player: str | None, address: str) -> str | None:
        """Count a session of whoever has this key, or of a guest; or why not."""
        if self._addresses[address] >= self._config.most_per_address:
            return CROWDED
        if self._metrics.ssh_sessions >= self._config.most:
            return FULL
        if player is not None and self._sessions[player] >= self._config.most_per_key:
            return "You are here too often already. Leave somewhere else first."
        self._sessions[player or ""] += 1
        self._addresses[address] += 1
        self._metrics.ssh_sessions += 1
        return None

    def leave(self, player: str | None, address: str) -> None:
        _take_one(self._sessions, player or "")
        _take_one(self._addresses, address)
        self._metrics.ssh_sessions -= 1


def _take_one(counter: Counter[str], key: str) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
