"""Limits by address on a network where a host has as many addresses as it likes."""

import json
from pathlib import Path

from tests.lan.hosts import excuse, line_with, on, server
from tests.lan.network import CannotBeBuilt, Host, Lan

MOST = 3
HOME = "2001:db8::1"
ONE_NETWORK = [f"2001:db8:0:1::{number:x}" for number in range(1, 9)]
ANOTHER = "2001:db8:0:2::1"


async def test_a_host_with_many_ipv6_addresses_counts_as_one(lan: Lan, tmp_path: Path) -> None:
    home, other = lan.host("home"), lan.host("other")
    try:
        _give(home, HOME)
        _give(other, *ONE_NETWORK, ANOTHER)
    except CannotBeBuilt as error:
        excuse(error)
    options = ("--no-announce", "--max-per-address", str(MOST))
    url = f"ws://[{HOME}]:7453"
    async with server(home, tmp_path, *options) as hosting:
        await line_with(hosting, "tables taken up again")
        async with on(other, "-m", "tests.lan.neighbours", url, *ONE_NETWORK, ANOTHER) as come:
            (said,) = await line_with(come, "]")
    refused = len(ONE_NETWORK) - MOST
    assert json.loads(said) == [101] * MOST + [503] * refused + [101]


def _give(host: Host, *addresses: str) -> None:
    for address in addresses:
        host.ip("addr", "add", f"{address}/32", "dev", "eth0", "nodad")
