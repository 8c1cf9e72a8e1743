"""What others type or open to come to a server, or to one of its tables.

Servers say where that is, and may be anybody's: nothing of it is shown that would mean something else in a
shell or in a browser.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from diadem.hosting import TABLE_CODE
from diadem.protocol import CLIENT, SSH, WEB, Door
from diadem.qr import ALPHANUMERIC
from diadem_client.net.address import DEFAULT_PORT, Address, plain_host

PORTS = range(1, 65536)
SSH_PORT = 22
WEB_PORTS = {False: 80, True: 443}
"""Of http and https, where an address need not name one."""


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
    found = (
        (WEB, _page(by_kind.get(WEB), reached, code)),
        (SSH, _ssh_line(by_kind.get(SSH), reached, code)),
        (CLIENT, _client_line(by_kind.get(CLIENT), reached, code)),
    )
    return tuple(Way(kind, text) for kind, text in found if text)


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


def page_as_code(page: str) -> str:
    """The address as a QR code holds it: in capitals, if it means the same then, since they take less room."""
    capitals = page.upper()
    return capitals if all(each in ALPHANUMERIC for each in capitals) else page


def client_line(address: Address, code: str = "") -> str:
    host = address.host if address.port == DEFAULT_PORT else str(address)
    if address.secure:
        host = address.url
    return f"game-client --host {host}" + (f" --table {code}" if code else "")


def _client_line(door: Door | None, reached: Address, code: str) -> str:
    address = reached
    if door is not None and plain_host(door.host):
        address = Address(plain_host(door.host), door.port, door.secure)
    elif door is not None and not reached.port:
        address = Address(reached.host, door.port, door.secure)
    host = plain_host(address.host)
    if not (host and address.port):
        return ""
    return client_line(Address(host, address.port, address.secure), code)


def _ssh_line(door: Door | None, reached: Address, code: str) -> str:
    host = _host(door, reached)
    if door is None or not host:
        return ""
    port = () if door.port == SSH_PORT else ("-p", str(door.port))
    return " ".join(filter(None, ("ssh", "-t", *port, host, code)))


def _page(door: Door | None, reached: Address, code: str) -> str:
    host = _host(door, reached)
    if door is None or not host:
        return ""
    host = f"[{host}]" if ":" in host else host
    port = "" if door.port == WEB_PORTS[door.secure] else f":{door.port}"
    return f"http{'s' if door.secure else ''}://{host}{port}" + (f"/{code}" if code else "")


def _host(door: Door | None, reached: Address) -> str:
    return plain_host((door.host if door else "") or reached.host)
