"""Addresses of servers, in every way they may be typed."""

import pytest

from diadem_client.net.address import Address, BadAddress, read_address
from tests.cases import cases


@cases(
    ("typed", "url"),
    [
        ("games.example", "ws://games.example:7453"),
        (" games.example ", "ws://games.example:7453"),
        ("games.example:9", "ws://games.example:9"),
        ("192.0.2.7", "ws://192.0.2.7:7453"),
        ("ws://games.example", "ws://games.example:7453"),
        ("wss://games.example:443/", "wss://games.example:443"),
        ("WSS://Games.example", "wss://games.example:7453"),
        ("::1", "ws://[::1]:7453"),
        ("[::1]:9", "ws://[::1]:9"),
    ],
)
def test_an_address_is_read(typed: str, url: str) -> None:
    assert read_address(typed).url == url


@cases(
    "typed",
    [
        "",
        "  ",
        "http://games.example",
        "games.example:x",
        "host:99999",
        "a b",
        "ws://",
        "a/b",
        ":9",
    ],
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(BadAddress):
        read_address(typed)


def test_it_is_shown_short() -> None:
    assert str(Address("games.example", 9)) == "games.example:9"
    assert str(Address("::1")) == "[::1]:7453"
