"""Where a connection comes from, also when a proxy of ours stands between."""

from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import TypeAlias

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers

Network: TypeAlias = IPv4Network | IPv6Network


def peer_of(websocket: ServerConnection) -> str:
    """The other end of the line itself."""
    address = websocket.remote_address
    return str(address[0]) if address else ""


def origin_of(peer: str, headers: Headers, proxy: Network | None) -> str:
    """Whom a connection counts for.

    A header is believed only if our own proxy sent it, and of that only what the proxy has added, which
    is the last address: whatever stands before it the player may have made up.
    """
    if not is_from(proxy, peer):
        return peer
    forwarded = ",".join(headers.get_all("X-Forwarded-For"))
    try:
        return str(ip_address(forwarded.rpartition(",")[2].strip()))
    except ValueError:
        return peer


def is_from(network: Network | None, address: str) -> bool:
    if network is None:
        return False
    try:
        return ip_address(address) in network
    except ValueError:
        return False
