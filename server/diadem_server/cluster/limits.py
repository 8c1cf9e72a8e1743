"""Limits by address hold for all nodes together, a moment later: each tells the others what it has counted.

What is used up, such as tries of a password, counts at the other nodes as if it had been used there. What there is, such
as connections, is told as it stands. Nothing of it is kept or repeated: what a lost link does not tell counts at one node.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Protocol

from diadem_server.cluster.link import Link
from diadem_server.cluster.mesh import Mesh
from diadem_server.cluster.messages import Counted
from diadem_server.limits.counts import Counts

TELL_SECONDS = 0.1
"""In which counts are gathered into one message."""
MOST_TOLD = 1_000
"""Keys of a message. What else is used up at the same time counts at one node."""


class Usage(Protocol):
    """A limit on what is used up, by key."""

    used: Callable[[str, float], None] | None
    """Called with what was used here."""

    def use_elsewhere(self, key: str, how_much: float) -> None: ...


class SharedLimits:
    def __init__(
        self, mesh: Mesh, usages: Mapping[str, Usage], counts: Mapping[str, Counts]
    ) -> None:
        """By names that all nodes know."""
        self._mesh = mesh
        self._usages = usages
        self._counts = counts
        self._used: dict[str, dict[str, float]] = {}
        self._changed: dict[str, set[str]] = {}
        """What is to be told."""
        for name, usage in usages.items():
            usage.used = partial(self._use, name)
        for name, each in counts.items():
            each.changed = partial(self._change, name)
        mesh.watch(self)
        mesh.on(Counted, self._told)

    def _use(self, name: str, key: str, how_much: float) -> None:
        self._tell_soon()
        used = self._used.setdefault(name, {})
        if key in used or len(used) < MOST_TOLD:
            used[key] = used.get(key, 0.0) + how_much

    def _change(self, name: str, key: str) -> None:
        self._tell_soon()
        self._changed.setdefault(name, set()).add(key)

    def _tell_soon(self) -> None:
        if not self._used and not self._changed:
            asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell)

    def _tell(self) -> None:
        used, self._used = self._used, {}
        changed, self._changed = self._changed, {}
        for name, amounts in used.items():
            self._mesh.send_to_all(Counted(name, used=amounts))
        for name, keys in changed.items():
            for counts in self._here(name, keys):
                self._mesh.send_to_all(Counted(name, counts=counts))

    def _here(self, name: str, keys: Iterable[str]) -> Iterator[dict[str, int]]:
        """So many at a time."""
        here, rest = self._counts[name].here, iter(keys)
        while some := list(islice(rest, MOST_TOLD)):
            yield {key: here.get(key, 0) for key in some}

    def _told(self, link: Link, message: Counted) -> None:
        """Of limits that this version does not have nothing is known."""
        if usage := self._usages.get(message.name):
            for key, how_much in message.used.items():
                usage.use_elsewhere(key, how_much)
        if counts := self._counts.get(message.name):
            counts.set_elsewhere(link.peer, message.counts)

    # Links

    def linked(self, link: Link) -> None:
        for name, each in self._counts.items():
            for counts in self._here(name, each.here):
                link.send(Counted(name, counts=counts))

    def slowed(self, link: Link) -> None:
        """What is told is little."""

    def unlinked(self, link: Link) -> None:
        for counts in self._counts.values():
            counts.forget(link.peer)
