"""Limits by address hold for all nodes together, a moment later: each tells the others what it has counted.

What is used up, such as tries of a password, counts at the other nodes as if it had been used there. What there is, such
as connections, is told as it stands. Nothing of it is kept or repeated: what a lost link does not tell counts at one node.
"""

from diadem_server.cluster.link import Link
from diadem_server.cluster.mesh import Mesh
from diadem_server.cluster.messages import Counted
from diadem_server.limits.limit_sync import Gatherer, Limits, tell_counts

TELL_SECONDS = 0.1
"""In which counts are gathered into one message."""


class SharedLimits:
    def __init__(self, mesh: Mesh, limits: Limits) -> None:
        self._limits = limits
        gatherer = Gatherer(lambda *counted: mesh.send_to_all(Counted(*counted)), TELL_SECONDS)
        gatherer.follow(limits)
        mesh.watch(self)
        mesh.on(Counted, self._told)

    def _told(self, link: Link, message: Counted) -> None:
        self._limits.heard(link.peer, message.name, message.used, message.counts)

    # Links

    def linked(self, link: Link) -> None:
        for name, each in self._limits.counts.items():
            tell_counts(lambda *counted: link.send(Counted(*counted)), name, each.here)

    def slowed(self, link: Link) -> None:
        """What is told is little."""

    def unlinked(self, link: Link) -> None:
        for counts in self._limits.counts.values():
            counts.forget(link.peer)
