"""A server of one's own for others to come to, and what they have to type."""

from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

from diadem_client.local.child import ChildServer, ServerFailed
from diadem_client.local.own_words import OwnWords
from diadem_client.net.address import DEFAULT_PORT, Address
from diadem_client.net.discovery import own_interfaces

MOST_ADDRESSES = 3


class HostServer(ChildServer):
    """Listens on all addresses of this machine, on the usual port if that is free."""

    def __init__(self, folder: Path, name: str, words: OwnWords | None = None) -> None:
        own = words.options if words else ()
        self._options = ("--data", str(folder), "--name", name, *own)
        super().__init__("--port", str(DEFAULT_PORT), *self._options)
        self.open_port: int | None = None
        """Where it listens, once it does."""

    async def port(self) -> int:
        try:
            found = await super().port()
        except ServerFailed:
            self.start_again("--port", "0", *self._options)
            found = await super().port()
        self.open_port = found
        return found


def addresses(port: int, found: Sequence[str] | None = None) -> list[Address]:
    """What others can reach this machine by, those of a private network first."""
    hosts = [str(each.ip) for each in own_interfaces()] if found is None else found
    usable = [host for host in hosts if not ip_address(host).is_loopback]
    usable.sort(key=lambda host: (ip_address(host).is_link_local, not ip_address(host).is_private))
    return [Address(host, port) for host in usable[:MOST_ADDRESSES]]
