"""DNS-SD records from strangers are sanitized, shortened, or ignored."""

from ipaddress import IPv4Interface
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_client.net.address import read_address
from diadem_client.net.discovery import nearest, read
from diadem_client.ui.widgets.servers import Servers
from diadem_shared.announcement import LONGEST_NAME, LONGEST_VERSION, MOST_TABLES, read_txt
from tests.rig.mutations import BAD_TEXTS
from tests.thoroughness import times

KEYS = (b"name", b"version", b"protocol", b"tables", b"password", b"tls")
NOISE = st.binary(max_size=300) | st.sampled_from([text.encode() for text in BAD_TEXTS])
RECORDS = st.dictionaries(st.sampled_from(KEYS) | NOISE, st.none() | NOISE)
ADDRESSES = st.lists(
    st.ip_addresses().map(str)
    | st.ip_addresses(v=6).map(lambda address: f"{address}%eth0")
    | st.sampled_from(["fe80::1%1", "fe80::1", "::1", "127.0.0.1", "0.0.0.0", "224.0.0.1", "::"]),  # noqa: S104
    max_size=12,
)
HOME = [IPv4Interface("192.0.2.7/24")]


def info(record: dict[bytes, bytes | None], addresses: list[str], port: int | None) -> Any:
    return SimpleNamespace(
        properties=record, port=port, parsed_addresses=lambda: addresses, server="x.local."
    )


@given(RECORDS)
def test_a_record_is_bounded(record: dict[bytes, bytes | None]) -> None:
    told = read_txt(record)
    assert len(told.name) <= LONGEST_NAME
    assert len(told.version) <= LONGEST_VERSION
    assert 0 <= told.tables <= MOST_TABLES


@given(RECORDS, ADDRESSES, st.none() | st.integers(0, 65_535))
def test_what_is_heard_can_be_shown_and_gone_to(
    record: dict[bytes, bytes | None], addresses: list[str], port: int | None
) -> None:
    heard = read(info(record, addresses, port), HOME)
    if heard is None:
        assert not port or nearest(addresses, HOME) is None
        return
    assert heard.name.isprintable()
    assert heard.version.isprintable()
    written = heard.address.url if heard.address.secure else str(heard.address)
    assert read_address(written) == heard.address


@settings(max_examples=times(30, 1000))
@given(st.lists(st.tuples(RECORDS, ADDRESSES), max_size=6))
def test_the_list_of_servers_takes_them_all(
    services: list[tuple[dict[bytes, bytes | None], list[str]]],
) -> None:
    found = (read(info(record, addresses, 7453), HOME) for record, addresses in services)
    heard = [each for each in found if each is not None]
    servers = Servers()
    servers.show(heard, ())
    assert servers.option_count == len(heard)
    for index in range(servers.option_count):
        assert str(servers.get_option_at_index(index).prompt).isprintable()
