"""The hash chain of entries: every link stands for all that came before it."""

from diadem_shared.chain import Chain, header
from tests.cases import cases

SECRET = bytes(range(32))
HEADER = header(SECRET, "K7QD", 1, b'{"game":"diamoniak"}')
ENTRIES = [b'{"type":"sat","name":"Ana"}', b'{"type":"sat","name":"Bob"}', b'{"type":"started"}']


def newest(secret: bytes, first: bytes, entries: list[bytes]) -> bytes:
    chain = Chain(secret, first)
    link = chain.origin
    for entry in entries:
        link = chain.link(link, entry)
    return link


@cases(
    ("secret", "first", "entries"),
    [
        (bytes(32), HEADER, ENTRIES),
        (SECRET, HEADER.replace(b"K7QD", b"K7QE"), ENTRIES),
        (SECRET, HEADER, ENTRIES[:2]),
        (SECRET, HEADER, ENTRIES[1:]),
        (SECRET, HEADER, [ENTRIES[1], ENTRIES[0], ENTRIES[2]]),
        (SECRET, HEADER, [ENTRIES[0] + ENTRIES[1], ENTRIES[2]]),
        (SECRET, HEADER, [ENTRIES[0].replace(b"Ana", b"Eva"), *ENTRIES[1:]]),
    ],
)
def test_whatever_is_changed_leads_to_another_link(
    secret: bytes, first: bytes, entries: list[bytes]
) -> None:
    assert newest(secret, first, entries) != newest(SECRET, HEADER, ENTRIES)
