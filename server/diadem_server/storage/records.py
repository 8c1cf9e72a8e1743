"""What is kept, as it is read again. How it is stored is the matter of each journal."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from diadem.entries import Entry, Setup
from diadem.protocol import Said


class TableRow(NamedTuple):
    code: str
    packed_setup: bytes
    seed: bytes
    version: int

    @property
    def setup(self) -> Setup:
        return msgspec.json.decode(self.packed_setup, type=Setup)


class EntryRow(NamedTuple):
    number: int
    entry: Entry
    session: int | None
    command: int | None
    digest: str
    content: int | None = None
    """A checksum of that command; None in what an older version has written."""


class LineRow(NamedTuple):
    number: int
    said: Said
    session: int | None
    """Who said it; not known of lines from before that was written down."""


class BanRow(NamedTuple):
    """Somebody who is kept away from a table."""

    session: int
    name: str
    """As others saw it then."""
    prefix: str
    """Of the address that is kept away as well; "" for none."""


class ReadyRow(NamedTuple):
    entry: int
    """The last one there was when they said so."""
    session: int


class StoredTable(NamedTuple):
    """All that is kept of one table besides its row."""

    entries: Sequence[EntryRow]
    chat: Sequence[LineRow]
    bans: Sequence[BanRow]
    ready: Sequence[ReadyRow]


class SessionRow(NamedTuple):
    id: int
    token: bytes
    name: str


class MuteRow(NamedTuple):
    session: int
    muted: int
    """The session of whoever is muted."""


class AnswerRow(NamedTuple):
    number: int
    """Counts the answers of a session that are kept so."""
    command: int
    content: int
    answer: bytes


class DoneRow(NamedTuple):
    """A command that has made an entry."""

    command: int
    content: int | None
    entry: int
