"""What limits have counted is gathered for a moment, and then told to others in few messages, which count it too."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from typing import NamedTuple, Protocol, TypeAlias

from diadem_server.limits.counts import Counts

MOST_TOLD = 1_000
"""Keys of a message. What else is used up at the same time is not told."""

Tell: TypeAlias = Callable[[str, dict[str, float], dict[str, int]], None]
"""Called with the name of a limit, what was used up by key, and how much there is now by key."""


class Usage(Protocol):
    """A limit on what is used up, by key."""

    used: Callable[[str, float], None] | None
    """Called with what was used here."""

    def use_elsewhere(self, key: str, how_much: float) -> None: ...


class Limits(NamedTuple):
    """By names that others know."""

    usages: Mapping[str, Usage]
    counts: Mapping[str, Counts]

    def heard(
        self, node: int, name: str, used: Mapping[str, float], counts: Mapping[str, int]
    ) -> None:
        """What another node has counted. Of limits that this version does not have nothing is known."""
        if usage := self.usages.get(name):
            for key, how_much in used.items():
                usage.use_elsewhere(key, how_much)
        if kept := self.counts.get(name):
            kept.set_elsewhere(node, counts)


class Gatherer:
    def __init__(self, tell: Tell, seconds: float) -> None:
        """Told every so many seconds at the most, and only when there is something to tell."""
        self._tell = tell
        self._seconds = seconds
        self._used: dict[str, dict[str, float]] = {}
        self._counts: dict[str, dict[str, int]] = {}

    def follow(self, limits: Limits) -> None:
        """Tell what these count here."""
        for name, usage in limits.usages.items():
            usage.used = partial(self.use, name)
        for name, counts in limits.counts.items():
            counts.changed = partial(self.count, name)

    def use(self, name: str, key: str, how_much: float) -> None:
        self._tell_soon()
        used = self._used.setdefault(name, {})
        if key in used or len(used) < MOST_TOLD:
            used[key] = used.get(key, 0.0) + how_much

    def count(self, name: str, key: str, how_many: int) -> None:
        """There is so much of it now."""
        self._tell_soon()
        self._counts.setdefault(name, {})[key] = how_many

    def _tell_soon(self) -> None:
        if not self._used and not self._counts:
            asyncio.get_running_loop().call_later(self._seconds, self._tell_all)

    def _tell_all(self) -> None:
        used, self._used = self._used, {}
        counts, self._counts = self._counts, {}
        for name, amounts in used.items():
            self._tell(name, amounts, {})
        for name, changed in counts.items():
            tell_counts(self._tell, name, changed)


def tell_counts(tell: Tell, name: str, counts: Mapping[str, int]) -> None:
    """So many keys at a time."""
    rest = iter(counts.items())
    while some := dict(islice(rest, MOST_TOLD)):
        tell(name, {}, some)
