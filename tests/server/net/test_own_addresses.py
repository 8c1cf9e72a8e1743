"""What is told to those who want to join."""

from ipaddress import ip_address

import pytest

from diadem_server.net.own_addresses import own_addresses, reachable_at


@pytest.mark.parametrize("host", ["192.0.2.7", "games.example", "::1"])
def test_a_server_on_one_address_is_reached_there(host: str) -> None:
    assert reachable_at(host) == [host]


@pytest.mark.parametrize("host", [None, "", "0.0.0.0", "::"])  # noqa: S104
def test_a_server_on_all_addresses_is_reached_on_this_machine_too(host: str | None) -> None:
    found = reachable_at(host)
    assert found[-1] == "127.0.0.1"
    assert len(found) == len(set(found))


def test_addresses_for_others_are_none_of_loopback() -> None:
    assert not any(ip_address(each).is_loopback for each in own_addresses())
