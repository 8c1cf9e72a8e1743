"""What a node does for the clients of others, and others for its own, put together."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from diadem_server.cluster.front_side import ForwardingToNodes
from diadem_server.cluster.home_side import Channels
from diadem_server.cluster.limits import SharedLimits
from diadem_server.cluster.link import Link
from diadem_server.cluster.lobby_lines import ListedTables, LobbyLines
from diadem_server.cluster.mesh import Mesh
from diadem_server.cluster.messages import Replaced
from diadem_server.limits.gate_limits import RelayedLimits
from diadem_server.limits.limit_sync import Limits, Usage
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.admission import Admission
from diadem_server.net.greeting import replace
from diadem_server.sessions.outbox import Outbox
from diadem_server.storage.journal import JournalUnavailable
from diadem_shared.protocol import SSH, WEB

LOOK_SECONDS = 1.0
"""Between looks for connections that were replaced elsewhere."""


class Connections(ListedTables, Protocol):
    """What it asks of the registry."""

    replaced: Callable[[int, int, int], None] | None
    """Called with the node, the session and the number of a connection there that a newer one has replaced."""

    def connection(self, session: int, number: int) -> Outbox | None:
        """The connection of this number, if it is held here."""

    async def replaced_elsewhere(self) -> Sequence[Outbox]:
        """Connections that newer ones at other nodes have replaced."""


class Conversations:
    def __init__(
        self, lobby: Lobby, admission: Admission, registry: Connections, mesh: Mesh
    ) -> None:
        self.channels = Channels(lobby, mesh)
        self.forwarding = ForwardingToNodes(lobby, mesh)
        self.lobby_lines = LobbyLines(lobby, registry, mesh)
        self.gate_limits = {gate: RelayedLimits() for gate in (SSH, WEB)}
        usages: dict[str, Usage] = {
            "connections": admission.arrivals,
            "tables": lobby.limits.rates,
            "newcomers": lobby.quota.newcomers,
            "written": lobby.quota.written,
            "codes": lobby.guesses,
            "passwords": lobby.passwords.guesses,
        }
        counts = {"connections": admission.open, "tables": lobby.limits.open}
        for gate, limits in self.gate_limits.items():
            usages |= {f"{gate} {name}": each for name, each in limits.usages.items()}
            counts |= {f"{gate} {name}": each for name, each in limits.counts.items()}
        self.limits = SharedLimits(mesh, Limits(usages, counts))
        self._registry = registry
        self._mesh = mesh
        registry.replaced = self._tell_replaced
        mesh.on(Replaced, self._replaced)

    def _tell_replaced(self, node: int, session: int, number: int) -> None:
        """A node that is not reached finds it in the database."""
        if link := self._mesh.links.get(node):
            link.send(Replaced(session, number))

    def _replaced(self, link: Link, message: Replaced) -> None:
        older = self._registry.connection(message.session, message.connection)
        if older is not None:
            replace(older)

    async def keep_ending_replaced(self) -> None:
        """What a link has not told is in the database."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(JournalUnavailable):
                for older in await self._registry.replaced_elsewhere():
                    replace(older)
