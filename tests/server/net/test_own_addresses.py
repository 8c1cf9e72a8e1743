"""What is told to those who want to join."""

from ipaddress import ip_address

from diadem_server.net.own_addresses import own_addresses, reachable_at, reached_address

ONE_ADDRESS = (
    "192.0.2.7",
    "games.example",
    "::1",
)


def test_a_server_on_one_address_is_reached_there() -> None:
    assert [reachable_at(host) for host in ONE_ADDRESS] == [[host] for host in ONE_ADDRESS]


ALL_ADDRESSES = (
    None,
    "",
    "0.0.0.0",  # noqa: S104
    "::",
)


def test_a_server_on_all_addresses_is_reached_on_this_machine_too() -> None:
    for host in ALL_ADDRESSES:
        found = reachable_at(host)
        assert found[-1] == "127.0.0.1", host
        assert len(found) == len(set(found)), host


def test_addresses_for_others_are_none_of_loopback() -> None:
    assert not any(ip_address(each).is_loopback for each in own_addresses())


ENDS = (
    ("192.0.2.7", "192.0.2.7"),
    ("::ffff:192.0.2.7", "192.0.2.7"),
    ("2001:db8::7", "2001:db8::7"),
    ("fe80::7%2", ""),  # what stands behind it is another at every machine
    ("", ""),
)


def test_the_end_of_a_connection_is_told_as_others_type_it() -> None:
    assert tuple((end, reached_address(end)) for end, _ in ENDS) == ENDS


def test_nobody_else_comes_by_loopback() -> None:
    found = reached_address("127.0.0.1")
    assert not found or not ip_address(found).is_loopback
