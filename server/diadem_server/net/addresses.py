"""Where a connection comes from, also when a proxy of ours stands between."""

import asyncio
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from websockets.datastructures import Headers

from diadem_server.host_names import Network

PREFIX_V6 = 64
"""Bits of an IPv6 address that name a network; its host chooses the others as often as it likes."""


def peer_of(transport: asyncio.BaseTransport) -> str:
    """The address at the other end of the connection itself; over a Unix socket it has none."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else ""


def client_address(peer: str, headers: Headers, proxy: Network | None) -> str:
    """Whom a connection counts for.

    A header is believed only if our own proxy sent it, and of that only what the proxy has added, which
    is the last address: whatever stands before it the player may have made up.
    """
    return (forwarded_for(headers) or peer) if is_from(proxy, peer) else peer


def forwarded_for(headers: Headers) -> str | None:
    """What the last that passed the connection on says where it comes from."""
    forwarded = ",".join(headers.get_all("X-Forwarded-For"))
    try:
        return str(ip_address(forwarded.rpartition(",")[2].strip()))
    except ValueError:
        return None


def is_from(network: Network | None, address: str) -> bool:
    if network is None:
        return False
    try:
        return ip_address(address) in network
    except ValueError:
        return False


@lru_cache(maxsize=4096)
def prefix_of(address: str) -> str:
    """What every limit by address counts by: an IPv4 address itself, of IPv6 the /64 it is in, and by that its site.

    An IPv4 address written as IPv6 is that IPv4 address; whatever is no address counts as it is.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed, PREFIX_V6), strict=False))
