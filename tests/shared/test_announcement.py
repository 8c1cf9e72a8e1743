"""What a server tells the local network; and whatever a stranger may tell instead."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from diadem_shared.announcement import LONGEST_NAME, MOST_TABLES, Announcement, read_txt, to_txt

printable = st.text(st.characters(exclude_categories=["C", "Z"]))


@given(
    st.builds(
        Announcement,
        name=printable.map(lambda name: name[:LONGEST_NAME]),
        version=st.from_regex(r"[0-9.]{1,20}", fullmatch=True),
        tables=st.integers(0, MOST_TABLES),
        password=st.booleans(),
        tls=st.booleans(),
        protocol=st.just("diadem.v1"),
    )
)
def test_what_is_told_is_understood(told: Announcement) -> None:
    record = {key.encode(): value.encode() for key, value in to_txt(told).items()}
    assert read_txt(record) == told
    assert [(key, value) for key, value in record.items() if len(key) + 1 + len(value) > 255] == []


def test_what_is_too_long_is_cut() -> None:
    told = to_txt(Announcement("\U0001f451" * 300, "1" * 300, 10**9, password=True, tls=False))
    assert [
        (key, value) for key, value in told.items() if len(f"{key}={value}".encode()) > 255
    ] == []


KEYS = st.sampled_from([b"name", b"version", b"protocol", b"tables", b"password", b"tls"])


@given(st.dictionaries(KEYS | st.binary(), st.none() | st.binary(max_size=9000)))
def test_whatever_a_stranger_sends_is_short_and_of_its_kind(
    record: dict[bytes, bytes | None],
) -> None:
    told = read_txt(record)
    assert len(told.name) <= LONGEST_NAME
    assert len(told.version) <= 20
    assert 0 <= told.tables <= MOST_TABLES


def test_digits_of_other_scripts_are_no_number() -> None:
    assert read_txt({b"tables": "٣".encode()}).tables == 0
    assert read_txt({b"tables": b"-1"}).tables == 0


def test_every_key_is_told_on_the_page_of_the_protocol() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
    keys = to_txt(Announcement("", "", 0, password=False, tls=False))
    assert [key for key in keys if f"\n| `{key}` |" not in page] == []
