"""The addresses at which others on the network reach this machine."""

import socket
from contextlib import suppress
from ipaddress import IPv6Address, ip_address

NOWHERE = ("192.0.2.1", 9)
"""An address of documentation, to which nothing is sent."""


def reachable_at(host: str | None) -> list[str]:
    """Where a server that listens on this host is found; None for all of this machine's addresses."""
    if host not in {None, "", "0.0.0.0", "::"}:  # noqa: S104
        return [str(host)]
    return list(dict.fromkeys([*_outward_addresses(), "127.0.0.1"]))


def reached_address(address: str) -> str:
    """The address at this machine's end of a connection, as others would type it; "" if none could."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    if parsed.is_loopback:
        return next((each for each in reachable_at(None) if not ip_address(each).is_loopback), "")
    return "" if parsed.is_link_local else str(parsed)


def own_addresses() -> list[str]:
    """The addresses of this machine for others, of IPv4."""
    import ifaddr  # noqa: PLC0415, a server for its own machine does not need it

    return [
        each.ip
        for adapter in ifaddr.get_adapters()
        for each in adapter.ips
        if isinstance(each.ip, str) and not ip_address(each.ip).is_loopback
    ]


def _outward_addresses() -> list[str]:
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Nothing is sent: this only asks which way packets would leave this machine.
        probe.connect(NOWHERE)
        return [probe.getsockname()[0]]
    return own_addresses()  # a network that leads nowhere else
