"""A server of one's own for others to come to, and what they have to type."""

import re
import socket
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from pathlib import Path

from diadem_client.local.child import ChildServer, ServerFailed
from diadem_client.local.own_words import OwnWords
from diadem_client.net.address import Address
from diadem_client.net.discovery import own_interfaces
from diadem_shared.protocol import CLIENT, DEFAULT_PORT, WEB, Door

MOST_ADDRESSES = 3
WEB_PORT = re.compile(r"browser, port (\d+)")
USUAL_WEB_PORT = 7480
MOST_IN_BROWSERS = 12
"""Each is a process of some 20 MB on the player's own machine."""


class HostServer(ChildServer):
    """Listens on all addresses of this machine, on the usual ports if those are free.

    Others come by their clients, and by a page in their browsers.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        words: OwnWords | None = None,
        page_opened: Callable[[], object] = lambda: None,
    ) -> None:
        """`page_opened` is called, in a thread, when the page is there: some time after the server."""
        self._page_opened = page_opened
        self.words = words or OwnWords("")
        own = self.words.options
        self._options = ("--data", str(folder), "--name", name, *own)
        self._options += ("--web-max", str(MOST_IN_BROWSERS))
        web = USUAL_WEB_PORT if _is_free(USUAL_WEB_PORT) else 0
        super().__init__("--port", str(DEFAULT_PORT), "--web", str(web), *self._options)
        self.open_port: int | None = None
        """Where it listens, once it does."""
        self.web_port: int | None = None
        """Where the page is, once it is there."""

    async def port(self) -> int:
        try:
            found = await super().port()
        except ServerFailed:
            self.start_again("--port", "0", "--web", "0", *self._options)
            found = await super().port()
        self.open_port = found
        return found

    def hear(self, line: str) -> None:
        if found := WEB_PORT.search(line):
            self.web_port = int(found[1])
            self._page_opened()

    @property
    def doors(self) -> tuple[Door, ...]:
        """Those that are open by now."""
        found = ((CLIENT, self.open_port), (WEB, self.web_port))
        return tuple(Door(kind, port) for kind, port in found if port is not None)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True


def addresses(port: int, found: Sequence[str] | None = None) -> list[Address]:
    """What others can reach this machine by, those of a private network first."""
    hosts = [str(each.ip) for each in own_interfaces()] if found is None else found
    usable = [host for host in hosts if not ip_address(host).is_loopback]
    usable.sort(key=lambda host: (ip_address(host).is_link_local, not ip_address(host).is_private))
    return [Address(host, port) for host in usable[:MOST_ADDRESSES]]
