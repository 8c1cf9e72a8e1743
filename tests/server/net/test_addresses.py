"""Limits hold for players, not for the proxy they come by; and nobody talks their way out of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_network
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from diadem_server.net.addresses import client_address, prefix_of
from diadem_shared.protocol import SUBPROTOCOL
from tests.rig.wire import server

HERE = ip_network("127.0.0.1")


@asynccontextmanager
async def coming(port: int, *forwarded: str) -> AsyncIterator[None]:
    async with connect(
        f"ws://127.0.0.1:{port}",
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        additional_headers=[("X-Forwarded-For", each) for each in forwarded],
    ):
        yield


async def test_behind_a_proxy_each_player_counts_alone(tmp_path: Path) -> None:
    async with server(tmp_path, max_per_address=1, behind_proxy=HERE) as app:
        async with coming(app.port, "198.51.100.1"), coming(app.port, "198.51.100.2"):
            with pytest.raises(InvalidStatus):
                async with coming(app.port, "198.51.100.1"):
                    pass
            with pytest.raises(InvalidStatus):  # a lie of the player's, then the proxy's word
                async with coming(app.port, "198.51.100.9, 198.51.100.1"):
                    pass
        async with coming(app.port, "198.51.100.1"):
            pass


async def test_without_a_proxy_nobody_is_believed(tmp_path: Path) -> None:
    async with server(tmp_path, max_per_address=1) as app, coming(app.port, "198.51.100.1"):
        with pytest.raises(InvalidStatus):
            async with coming(app.port, "198.51.100.2"):
                pass


ORIGINS: tuple[tuple[str, list[str], str, str], ...] = (
    ("127.0.0.1", ["198.51.100.1"], "127.0.0.1", "198.51.100.1"),
    ("127.0.0.1", ["2001:DB8::1"], "127.0.0.1", "2001:db8::1"),
    ("127.0.0.1", ["198.51.100.9", "198.51.100.1"], "127.0.0.1", "198.51.100.1"),
    ("172.18.0.4", ["198.51.100.1"], "172.18.0.0/16", "198.51.100.1"),
    ("::1", ["198.51.100.1"], "::1", "198.51.100.1"),
    ("203.0.113.5", ["198.51.100.1"], "127.0.0.1", "203.0.113.5"),
    ("127.0.0.1", [], "127.0.0.1", "127.0.0.1"),
    ("127.0.0.1", [""], "127.0.0.1", "127.0.0.1"),
    ("127.0.0.1", ["unknown"], "127.0.0.1", "127.0.0.1"),
    ("127.0.0.1", ["198.51.100.1, "], "127.0.0.1", "127.0.0.1"),
    ("", ["198.51.100.1"], "127.0.0.1", ""),
)


def test_only_what_our_own_proxy_added_is_believed() -> None:
    wrong = []
    for peer, forwarded, proxy, origin in ORIGINS:
        headers = Headers([("X-Forwarded-For", each) for each in forwarded])
        found = client_address(peer, headers, ip_network(proxy))
        if found != origin:
            wrong.append((peer, forwarded, proxy, found))
    assert wrong == []


PREFIXES = {
    "203.0.113.5": "203.0.113.5",
    "2001:db8::1": "2001:db8::/64",
    "2001:DB8:0:0:ffff::1": "2001:db8::/64",
    "2001:db8:0:1::1": "2001:db8:0:1::/64",
    "fe80::1%eth0": "fe80::/64",
    "::ffff:203.0.113.5": "203.0.113.5",
    "": "",
    "unknown": "unknown",
}


def test_limits_count_ipv6_by_the_64_that_its_host_was_given() -> None:
    assert {address: prefix_of(address) for address in PREFIXES} == PREFIXES
