"""What the lobby shows of tables of other nodes: each node tells all others what it shows of its own."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from diadem_server.cluster.link import Link
from diadem_server.cluster.mesh import Mesh
from diadem_server.cluster.messages import Lines
from diadem_server.lobby.lobby import BROADCAST_SECONDS, Lobby
from diadem_shared.protocol import TableLine


class ListedTables(Protocol):
    """What it asks of the registry."""

    listed_anew: Callable[[str, TableLine | None], None] | None
    """Called with what the lobby shows of a table of this node from now on."""

    @property
    def own_lines(self) -> Mapping[str, TableLine]:
        """Of the tables of this node, by code."""

    def list_table_of(self, node: int, code: str, line: TableLine | None) -> None: ...
    def forget_lines_of(self, node: int) -> None: ...


class LobbyLines:
    def __init__(self, lobby: Lobby, registry: ListedTables, mesh: Mesh) -> None:
        self._lobby = lobby
        self._registry = registry
        self._mesh = mesh
        self._gathered: dict[str, TableLine | None] = {}
        """What has changed since others were told."""
        registry.listed_anew = self._listed_anew
        mesh.watch(self)
        mesh.on(Lines, self._told)

    def _listed_anew(self, code: str, line: TableLine | None) -> None:
        if not self._gathered:
            asyncio.get_running_loop().call_later(BROADCAST_SECONDS, self._tell)
        self._gathered[code] = line

    def _tell(self) -> None:
        gathered, self._gathered = self._gathered, {}
        self._mesh.send_to_all(Lines(gathered))

    def _told(self, link: Link, message: Lines) -> None:
        if message.are_all:
            self._registry.forget_lines_of(link.peer)
        for code, line in message.lines.items():
            self._registry.list_table_of(link.peer, code, line)
        self._lobby.listed_anew()

    # Links

    def linked(self, link: Link) -> None:
        link.send(Lines(dict(self._registry.own_lines), are_all=True))

    def slowed(self, link: Link) -> None:
        """What is told is little."""

    def unlinked(self, link: Link) -> None:
        """Nobody can go to its tables from here, until it is linked again, or others have them."""
        self._registry.forget_lines_of(link.peer)
        self._lobby.listed_anew()
