"""Which names this server answers to, and which web pages may use it from a player's browser.

A browser tells both truly: `Host` is the name that a page asks for, `Origin` the page it comes from. Without a look at
them any page could drive a player's browser at this server, or read from it under a name of its own
that leads here (DNS rebinding). Programs that are no browser send what they like; this is not about them.
"""

import socket
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from websockets.datastructures import Headers

from diadem_server.host_names import DEFAULT_PORTS, BadName, read_host, read_origin

PRIVATE_SUFFIXES = frozenset(
    {"home", "home.arpa", "internal", "lan", "local", "localdomain", "localhost"}
)
"""Names that end so are given away on a local network only: no stranger can own one."""


class BrowserRules:
    def __init__(self, hosts: Iterable[str], origins: Iterable[str]) -> None:
        self._hosts = set[str]()
        for each in (socket.gethostname(), *hosts):
            self._allow(each)
        self._origins = set(map(read_origin, origins))

    def learn_own_name(self) -> None:
        """The full name of this machine. To ask for it can take long."""
        self._allow(socket.getfqdn())

    def _allow(self, host: str) -> None:
        with suppress(BadName):  # such as an address, which needs no leave
            self._hosts.add(read_host(host))

    def refusal(self, headers: Headers, *, checks_host: bool) -> str | None:
        """Why a request is refused, in a sentence for whoever runs the server; None if it is not."""
        hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
        if len(hosts) > 1 or len(origins) > 1:
            return "there is more than one Host or Origin"
        host = hosts[0] if hosts else ""
        if checks_host and host and not self._answers_to(host):
            return _not_ours(host)
        if origins and not self._may_use(origins[0], host):
            return _not_allowed(origins[0])
        return None

    def _answers_to(self, header: str) -> bool:
        try:
            host = _host_in(header)
            if _is_address(host):
                return True
            name = read_host(host)
        except ValueError:
            return False
        if "." not in name or name in self._hosts:
            return True
        return any(name.endswith(f".{suffix}") for suffix in PRIVATE_SUFFIXES)

    def _may_use(self, header: str, host: str) -> bool:
        """Pages of this very host may, by whatever scheme: a proxy may have the certificate."""
        try:
            origin = read_origin(header)
        except BadName:
            return False
        if origin in self._origins:
            return True
        scheme = origin.partition("://")[0]
        try:
            return bool(host) and read_origin(f"{scheme}://{host}") == origin
        except BadName:
            return False


def _host_in(header: str) -> str:
    """Without the port; a ValueError if it is more than a host and a port."""
    parts = urlsplit(f"//{header}")
    if parts.netloc != header or parts.username is not None:
        raise BadName(header)
    return parts.hostname or ""


def _is_address(host: str) -> bool:
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _not_ours(header: str) -> str:
    try:
        name = read_host(_host_in(header))
    except ValueError:
        return "that is no name of this server"
    return f"{name} is no name of this server; its host can allow it: --allow-host {name}"


def _not_allowed(header: str) -> str:
    try:
        scheme, _, rest = read_origin(header).partition("://")
    except BadName:
        return "pages from there may not use this server"
    origin = f"{scheme}://{rest.removesuffix(f':{DEFAULT_PORTS[scheme]}')}"
    return (
        f"pages of {origin} may not use this server; its host can allow it: --allow-origin {origin}"
    )
