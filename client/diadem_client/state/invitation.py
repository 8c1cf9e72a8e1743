"""What others type or open to come to a server, or to one of its tables.

Servers say where that is, and may be anybody's: nothing of it is shown that would mean something else in a
shell or in a browser.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from diadem_client.net.address import Address, plain_host
from diadem_shared import invitation
from diadem_shared.forkserver_protocol import TABLE_CODE
from diadem_shared.invitation import WEB_PORTS
from diadem_shared.protocol import CLIENT, SSH, WEB, Door

PORTS = range(1, 65536)
ORDER = (WEB, SSH, CLIENT)
"""The simplest first."""


class Way(Struct, frozen=True):
    kind: str
    """That of its door."""
    text: str
    """What is typed or opened."""


def ways(doors: Sequence[Door], reached: Address, table: str = "") -> tuple[Way, ...]:
    """By each door that is known, the simplest one first.

    `reached` is where others find the server if it names no host itself: one without a host where that is
    not known, and without a port where only a door knows it.
    """
    code = table if TABLE_CODE.fullmatch(table) else ""
    by_kind = {door.kind: door for door in reversed(doors) if door.port in PORTS}
    client = by_kind.get(CLIENT)
    if reached.port and not (client and client.host):
        by_kind[CLIENT] = Door(CLIENT, reached.port, reached.host, reached.secure)
    return tuple(
        Way(door.kind, invitation.way(door, host, code))
        for door in filter(None, map(by_kind.get, ORDER))
        if (host := plain_host(door.host or reached.host))
    )


def page_door(origin: str) -> tuple[Door, ...]:
    """That by which a player came whose browser tells this origin, such as https://games.example."""
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return ()
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return ()
    secure = parts.scheme == "https"
    return (Door(WEB, port or WEB_PORTS[secure], parts.hostname, secure),)
