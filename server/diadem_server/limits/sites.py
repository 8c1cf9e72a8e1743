"""Sites: the /48 that an IPv6 prefix is in, which every limit by address counts as well.

Limits count by prefix: an IPv4 address, or the /64 that an IPv6 address is in (`net.addresses.prefix_of`). A provider gives some customers a
/48, which holds 65,536 of these. So a prefix of IPv6 counts for its site too, which may have as much as a few prefixes.
"""

from functools import lru_cache
from ipaddress import ip_network

PREFIX, SITE = "/64", 48
SITE_SHARE = 4
"""Prefixes that have used all that they may, as much as which a site may have."""


@lru_cache(maxsize=4096)
def site_of(key: str) -> str | None:
    """The site of a prefix; None for every other key: an IPv4 address, a site, a player."""
    if not key.endswith(PREFIX):
        return None
    try:
        return str(ip_network(key).supernet(new_prefix=SITE))
    except ValueError:  # a key that looks like a prefix at its end
        return None


def with_site(key: str) -> tuple[str, ...]:
    """All that what is of this key counts for, the site first."""
    site = site_of(key)
    return (key,) if site is None else (site, key)


@lru_cache(maxsize=4096)
def share_of(key: str) -> int:
    """How many times the limit of a prefix this key has."""
    try:
        return SITE_SHARE if ":" in key and ip_network(key).prefixlen == SITE else 1
    except ValueError:
        return 1
