"""How a server announces itself on the local network: a DNS-SD service with a TXT record."""

from collections.abc import Mapping

from msgspec import Struct

from diadem_shared.protocol import SUBPROTOCOL

SERVICE = "_diadem._tcp.local."
LONGEST_NAME = 40
"""So that it fits into a TXT record, of up to 255 bytes, in any script."""
LONGEST_VERSION = 20
MOST_TABLES = 99_999
YES = "yes"
NO = "no"


class Announcement(Struct, frozen=True):
    name: str
    version: str
    tables: int
    """The number of tables that the lobby lists."""
    password: bool
    """Whether the server needs a password."""
    tls: bool
    protocol: str = SUBPROTOCOL


def to_txt(announcement: Announcement) -> dict[str, str]:
    return {
        "name": announcement.name[:LONGEST_NAME],
        "version": announcement.version[:LONGEST_VERSION],
        "protocol": announcement.protocol,
        "tables": str(min(announcement.tables, MOST_TABLES)),
        "password": YES if announcement.password else NO,
        "tls": YES if announcement.tls else NO,
    }


def read_txt(record: Mapping[bytes, bytes | None]) -> Announcement:
    """Read a TXT record. Anybody on the network can have sent it: values that make no sense are left out."""

    def value(key: bytes, longest: int) -> str:
        return (record.get(key) or b"").decode(errors="replace")[:longest].strip()

    tables = value(b"tables", len(str(MOST_TABLES)))
    return Announcement(
        name=value(b"name", LONGEST_NAME),
        version=value(b"version", LONGEST_VERSION),
        tables=int(tables) if tables.isascii() and tables.isdecimal() else 0,
        password=value(b"password", len(YES)) == YES,
        tls=value(b"tls", len(YES)) == YES,
        protocol=value(b"protocol", len(SUBPROTOCOL) + 1),
    )
