"""Who stands at the door and says nothing. A few may; a crowd of them is not even listened to."""

import asyncio
from collections import Counter
from typing import ClassVar

from websockets.asyncio.server import ServerConnection

from diadem_server.origin import Network, is_from


class Door:
    """Connections of each address that have not asked for anything yet."""

    def __init__(self, most: int, proxy: Network | None = None) -> None:
        self._most = most
        self._proxy = proxy
        """Comes with the connections of many, and lets none of them be silent."""
        self._silent: Counter[str] = Counter()

    @property
    def connections(self) -> "type[AtTheDoor]":
        """The class of connections that come by this door."""
        return type("AtThisDoor", (AtTheDoor,), {"door": self})

    def come(self, address: str) -> bool:
        """Whether there is room for one more."""
        if self._silent[address] >= self._most and not is_from(self._proxy, address):
            return False
        self._silent[address] += 1
        return True

    def go(self, address: str) -> None:
        self._silent[address] -= 1
        if not self._silent[address]:
            del self._silent[address]


class AtTheDoor(ServerConnection):
    """Sheds what is too much before a handshake is begun: that costs far less than to end one."""

    door: ClassVar[Door]
    _waits_as: str | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        if self.door.come(address):
            self._waits_as = address
            super().connection_made(transport)
        elif isinstance(transport, asyncio.Transport):
            transport.abort()

    def has_asked(self) -> None:
        """It has said what it wants, or is gone."""
        if self._waits_as is not None:
            self.door.go(self._waits_as)
            self._waits_as = None

    def connection_lost(self, exc: Exception | None) -> None:
        if hasattr(self, "transport"):
            self.has_asked()
            super().connection_lost(exc)
