"""Addresses of servers, as they are typed."""

import re
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from socket import socket
from urllib.parse import urlsplit

from msgspec import Struct

from diadem_shared.protocol import DEFAULT_PORT

SCHEMES = ("ws", "wss")


PLAIN_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?", re.IGNORECASE)


class BadAddress(ValueError):
    """The text is no address of a server."""


class Address(Struct, frozen=True):
    host: str
    port: int = DEFAULT_PORT
    secure: bool = False
    opened_by: Callable[[], Awaitable[socket]] | None = None
    """What connects to it, in place of host and port: a gate does for the clients that it hosts."""

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'wss' if self.secure else 'ws'}://{host}:{self.port}"

    def __str__(self) -> str:
        if self.opened_by is not None:
            return self.host
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def plain_host(text: str) -> str:
    """A name or an address that others may type into a shell, where it stands for nothing else; "" if it is none.

    An address with a zone is one on this machine only.
    """
    try:
        if ":" in text:
            return "" if "%" in text else str(ip_address(text))
        return _in_ascii(text)
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def _in_ascii(name: str) -> str:
    ascii_ = name if name.isascii() else name.encode("idna").decode()
    return ascii_ if PLAIN_NAME.fullmatch(ascii_) else ""


def read_address(text: str) -> Address:
    """HOST, HOST:PORT, ws://HOST:PORT, wss://HOST; IPv6 with or without brackets."""
    typed = text.strip()
    scheme, separator, rest = typed.partition("://")
    if not separator:
        scheme, rest = "ws", typed
    if rest.count(":") > 1 and not rest.startswith("["):
        rest = f"[{rest}]"
    if scheme.casefold() not in SCHEMES or not rest or any(each.isspace() for each in rest):
        raise BadAddress(text)
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadAddress(text) from None
    odd = parts.path not in {"", "/"} or parts.query or parts.fragment or parts.username
    if not host or odd or port == 0:
        raise BadAddress(text)
    return Address(host, port or DEFAULT_PORT, scheme.casefold() == "wss")
