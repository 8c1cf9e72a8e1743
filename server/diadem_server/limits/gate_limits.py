"""Limits that are counted by another process of this server, a gate, and told by the server to other nodes, and back."""

from collections.abc import Callable, Mapping
from functools import partial

from diadem_server.limits.counts import Counts
from diadem_server.limits.limit_sync import Gatherer, Tell, tell_counts

USAGES = "connections", "sessions"
COUNTS = "connections", "sessions", "players"
"""Names of the limits of a gate."""
TELL_SECONDS = 0.1
MOST_KEYS = 50_000
"""Of a limit, that the gate is believed."""


class RelayedUsage:
    def __init__(self, use_elsewhere: Callable[[str, float], None]) -> None:
        self.used: Callable[[str, float], None] | None = None
        self.use_elsewhere = use_elsewhere


class RelayedLimits:
    """Of one gate. Without it nothing is there; the next one is told what other nodes have."""

    def __init__(self) -> None:
        self._gatherer = Gatherer(self._tell_gate, TELL_SECONDS)
        self._tell: Tell | None = None
        """To the gate; None while there is none."""
        self.usages = {name: RelayedUsage(partial(self._gatherer.use, name)) for name in USAGES}
        self.counts = {name: Counts() for name in COUNTS}
        for name, counts in self.counts.items():
            counts.changed_elsewhere = partial(self._gatherer.count, name)

    def _tell_gate(self, name: str, used: dict[str, float], counts: dict[str, int]) -> None:
        if self._tell is not None:
            self._tell(name, used, counts)

    def open(self, tell: Tell) -> None:
        """There is a gate."""
        self._tell = tell
        for name, counts in self.counts.items():
            tell_counts(tell, name, counts.elsewhere)

    def close(self) -> None:
        """It is gone, with all that it has counted."""
        self._tell = None
        for counts in self.counts.values():
            for key in list(counts.here):
                counts.set_here(key, 0)

    def heard(self, name: str, used: Mapping[str, float], counts: Mapping[str, int]) -> None:
        """From the gate."""
        usage, kept = self.usages.get(name), self.counts.get(name)
        if usage is not None and usage.used is not None:
            for key, how_much in used.items():
                usage.used(key, how_much)
        if kept is not None:
            for key, count in counts.items():
                if key in kept.here or len(kept.here) < MOST_KEYS:
                    kept.set_here(key, count)
