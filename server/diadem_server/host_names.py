"""How the host of a server writes names of machines, origins of web pages, and networks."""

import re
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

Network: TypeAlias = IPv4Network | IPv6Network

DEFAULT_PORTS = {"http": 80, "https": 443}
NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
LONGEST_NAME = 253


class BadName(ValueError):
    """It names no machine, or no web page's origin."""


def read_host(text: str) -> str:
    """A name as it is compared; also of an internationalised one, in the form browsers send it."""
    if len(text) > LONGEST_NAME:
        raise BadName(text)
    try:
        name = text.strip().removesuffix(".").encode("idna").decode().casefold()
    except UnicodeError:
        raise BadName(text) from None
    if not NAME.fullmatch(name):
        raise BadName(text)
    return name


def is_loopback(host: str) -> bool:
    """Whether it leads to the machine itself, wherever it is typed."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def read_origin(text: str) -> str:
    """http://HOST or https://HOST, with a port if it is not the usual one."""
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadName(text) from None
    if (
        parts.scheme not in DEFAULT_PORTS
        or not host
        or parts.username is not None
        or parts.path not in {"", "/"}
        or parts.query
        or parts.fragment
    ):
        raise BadName(text)
    return f"{parts.scheme}://{_with_port(host, port or DEFAULT_PORTS[parts.scheme])}"


class PublicAddress(NamedTuple):
    """What a host tells players to type."""

    host: str
    port: int | None = None
    """None for the one that the server listens on."""
    secure: bool | None = None
    """Whether it is wss://; None for what the server itself speaks."""


def read_public_address(text: str) -> PublicAddress:
    """NAME, NAME:PORT, ws://NAME:PORT or wss://NAME:PORT; addresses of IPv6 in brackets."""
    scheme, separator, rest = text.strip().rpartition("://")
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadName(text) from None
    if (
        (separator and scheme.casefold() not in {"ws", "wss"})
        or parts.netloc != rest.rstrip("/")
        or parts.username is not None
        or port == 0
    ):
        raise BadName(text)
    secure = scheme.casefold() == "wss" if separator else None
    return PublicAddress(_address_or_name(host), port, secure)


def _address_or_name(host: str) -> str:
    try:
        return str(ip_address(host))
    except ValueError:
        return read_host(host)


def _with_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
