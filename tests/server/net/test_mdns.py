"""What a server makes known of itself, and where. That it is heard is tested on a LAN, in tests/lan."""

import asyncio

import ifaddr
import pytest
import zeroconf.asyncio

from diadem_server.app import App
from diadem_server.net.mdns import Announcer, Place, instance

LONGEST_LABEL = 63


def test_loopback_is_seen_by_nobody_else() -> None:
    assert not Place(["127.0.0.1", "::1"], 7453, tls=False).is_seen_from_outside
    assert Place(["0.0.0.0", "::"], 7453, tls=False).is_seen_from_outside  # noqa: S104
    assert Place(["127.0.0.1", "192.0.2.1"], 7453, tls=False).is_seen_from_outside


def test_a_server_on_one_address_names_that_one() -> None:
    assert Place(["192.0.2.1", "127.0.0.1"], 7453, tls=False).addresses() == ["192.0.2.1"]


def test_a_server_on_all_addresses_names_all_but_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    adapters = [
        ifaddr.Adapter(
            "lo", "lo", [ifaddr.IP("127.0.0.1", 8, "lo"), ifaddr.IP(("::1", 0, 0), 128, "lo")]
        ),
        ifaddr.Adapter(
            "eth0",
            "eth0",
            [ifaddr.IP("192.0.2.1", 24, "eth0"), ifaddr.IP(("fe80::1", 0, 2), 64, "eth0")],
        ),
        ifaddr.Adapter("eth1", "eth1", [ifaddr.IP("198.51.100.1", 24, "eth1")]),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    assert Place(["0.0.0.0", "::"], 7453, tls=False).addresses() == ["192.0.2.1", "198.51.100.1"]  # noqa: S104


def test_servers_of_one_name_have_names_of_their_own() -> None:
    names = {
        instance("Home", "192.0.2.1", 7453),
        instance("Home", "192.0.2.1", 7454),
        instance("Home", "192.0.2.2", 7453),
    }
    assert len(names) == 3


NAMES = (
    "",
    "Home",
    "a.b",
    "\x00\x1b[2J",
    "\U0001f451" * 40,
    "x" * 500,
)


def test_any_name_fits_into_a_label() -> None:
    for name in NAMES:
        made = instance(name, "198.51.100.255", 65535)
        assert 0 < len(made.encode()) <= LONGEST_LABEL, name
        assert made.isprintable(), name
        assert "." not in made, name
        assert made.endswith("198-51-100-255-65535"), name


async def test_a_good_bye_that_takes_too_long_leaves_nothing_open(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, closes, closed = asyncio.Event(), asyncio.Event(), []

    class Line:
        def __init__(self, **_: object) -> None:
            self.zeroconf = self

        async def async_register_service(self, *_: object, **__: object) -> "asyncio.Task[None]":
            return asyncio.create_task(self._tell())

        async def _tell(self) -> None:
            told.set()

        async def async_close(self) -> None:
            closes.set()
            await asyncio.Event().wait()

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr(zeroconf.asyncio, "AsyncZeroconf", Line)
    place = Place(["192.0.2.1"], 7453, tls=False)
    announcing = asyncio.create_task(Announcer(app.lobby, place).run())
    await told.wait()
    announcing.cancel()
    await closes.wait()
    announcing.cancel()
    await asyncio.wait([announcing])
    assert announcing.cancelled()
    assert len(closed) == 1
