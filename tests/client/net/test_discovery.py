"""What a server announces on the local network, and which of its addresses is used."""

import asyncio
from collections.abc import Sequence
from ipaddress import IPv4Interface
from types import SimpleNamespace
from typing import Any

import pytest
import zeroconf.asyncio
from msgspec.structs import replace

from diadem_client.net.address import Address
from diadem_client.net.discovery import (
    DiscoveredServer,
    ServerBrowser,
    nearest,
    own_interfaces,
    read,
)
from diadem_shared.announcement import Announcement, to_txt
from tests.cases import cases

INTERFACES = [IPv4Interface("192.0.2.7/24"), IPv4Interface("172.17.0.1/16")]
"""Of this machine: a network, and one for containers."""
TOLD = Announcement("Home", "0.1.0", 3, password=True, tls=False)


def info(told: Announcement, *addresses: str, port: int = 7453) -> Any:
    record = {key.encode(): value.encode() for key, value in to_txt(told).items()}
    return SimpleNamespace(properties=record, port=port, parsed_addresses=lambda: addresses)


def test_a_server_is_known_by_what_it_says() -> None:
    assert read(info(TOLD, "192.0.2.9"), INTERFACES) == DiscoveredServer(
        "Home", Address("192.0.2.9", 7453), "0.1.0", 3, password=True, compatible=True
    )


def test_one_on_this_machine_is_known_to_be() -> None:
    heard = read(info(TOLD, "192.0.2.7"), INTERFACES)
    assert heard is not None
    assert heard.is_here


def test_one_with_tls_is_gone_to_with_tls() -> None:
    heard = read(info(replace(TOLD, tls=True), "192.0.2.9"), INTERFACES)
    assert heard is not None
    assert heard.address.secure


def test_one_that_speaks_another_protocol_says_so() -> None:
    heard = read(info(replace(TOLD, protocol="diadem.v9"), "192.0.2.9"), INTERFACES)
    assert heard is not None
    assert not heard.compatible


def test_one_without_a_name_is_called_by_its_address() -> None:
    heard = read(info(replace(TOLD, name="\x1b\u202e"), "192.0.2.9"), INTERFACES)
    assert heard is not None
    assert heard.name == "192.0.2.9:7453"


@pytest.mark.parametrize(("addresses", "port"), [((), 7453), (("192.0.2.9",), 0)])
def test_one_that_nobody_can_go_to_is_not_listed(addresses: tuple[str, ...], port: int) -> None:
    assert read(info(TOLD, *addresses, port=port), INTERFACES) is None


@cases(
    ("addresses", "chosen"),
    [
        (["198.51.100.1", "192.0.2.9"], "192.0.2.9"),
        (["172.17.0.1", "198.51.100.1"], "198.51.100.1"),
        (["172.17.0.1"], "172.17.0.1"),
        (["2001:db8::1", "192.0.2.9"], "192.0.2.9"),
        (["127.0.0.1", "0.0.0.0", "224.0.0.1", "fe80::1"], None),  # noqa: S104
        ([], None),
    ],
)
def test_the_address_that_leads_there_from_here_is_taken(
    addresses: Sequence[str], chosen: str | None
) -> None:
    assert nearest(addresses, INTERFACES) == chosen


def test_this_machine_has_an_address_of_its_own() -> None:
    assert any(each.ip.is_loopback for each in own_interfaces())


async def test_who_stops_looking_twice_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, closes, closed = asyncio.Event(), asyncio.Event(), []

    class Line:
        def __init__(self) -> None:
            self.zeroconf = self

        async def async_close(self) -> None:
            closes.set()
            await asyncio.Event().wait()

        def close(self) -> None:
            closed.append(self)

    class Search:
        def __init__(self, *_: object, **__: object) -> None:
            looks.set()

        async def async_cancel(self) -> None:
            pass

    monkeypatch.setattr(zeroconf.asyncio, "AsyncZeroconf", Line)
    monkeypatch.setattr(zeroconf.asyncio, "AsyncServiceBrowser", Search)
    looking = asyncio.create_task(ServerBrowser(lambda _: None).run())
    await looks.wait()
    looking.cancel()
    await closes.wait()
    looking.cancel()
    await asyncio.wait([looking])
    assert looking.cancelled()
    assert len(closed) == 1
