"""How the host of a server writes names of machines, origins of web pages, and networks."""

import re
from ipaddress import IPv4Network, IPv6Network
from typing import TypeAlias
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


def _with_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
