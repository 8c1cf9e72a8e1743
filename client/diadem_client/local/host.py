"""A server of one's own for others to come to, and what they have to type."""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

from diadem.protocol import CLIENT, DEFAULT_PORT, WEB, Door
from diadem_client.local.child import PORT, ChildServer, ServerFailed, found_in
from diadem_client.local.own_words import OwnWords
from diadem_client.net.address import Address
from diadem_client.net.discovery import own_interfaces

MOST_ADDRESSES = 3


OPEN = re.compile(r"tables .*: \d+$")
"""The last that a server says as it starts."""
WEB_PORT = re.compile(r"browser, port (\d+)")
USUAL_WEB_PORT = 7480
MOST_IN_BROWSERS = 12
"""Each is a process of some 20 MB on the player's own machine."""


class HostServer(ChildServer):
    """Listens on all addresses of this machine, on the usual ports if those are free.

    Others come by their clients, and by a page in their browsers.
    """

    def __init__(self, folder: Path, name: str, words: OwnWords | None = None) -> None:
        self.words = words or OwnWords("")
        own = self.words.options
        self._options = ("--data", str(folder), "--name", name, *own)
        self._options += ("--web-max", str(MOST_IN_BROWSERS))
        usual = ("--port", str(DEFAULT_PORT), "--web", str(USUAL_WEB_PORT))
        super().__init__(*usual, *self._options)
        self.open_port: int | None = None
        """Where it listens, once it does."""
        self.web_port = 0
        """Where the page is."""

    async def port(self) -> int:
        try:
            said = await self.said_until(OPEN)
        except ServerFailed:
            self.start_again("--port", "0", "--web", "0", *self._options)
            said = await self.said_until(OPEN)
        self.web_port = int(found_in(WEB_PORT, said))
        self.open_port = int(found_in(PORT, said))
        return self.open_port

    @property
    def doors(self) -> tuple[Door, ...]:
        """Once it is open."""
        return (Door(CLIENT, self.open_port or 0), Door(WEB, self.web_port))


def addresses(port: int, found: Sequence[str] | None = None) -> list[Address]:
    """What others can reach this machine by, those of a private network first."""
    hosts = [str(each.ip) for each in own_interfaces()] if found is None else found
    usable = [host for host in hosts if not ip_address(host).is_loopback]
    usable.sort(key=lambda host: (ip_address(host).is_link_local, not ip_address(host).is_private))
    return [Address(host, port) for host in usable[:MOST_ADDRESSES]]
