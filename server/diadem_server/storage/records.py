"""The rows that a journal returns; how it stores them is up to each journal."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from diadem_shared.entries import Entry, Setup
from diadem_shared.protocol import ReplayLine, Said


class TableRow(NamedTuple):
    code: str
    packed_setup: bytes | str
    """JSON; text where somebody else has written it."""
    seed: bytes
    version: int

    @property
    def setup(self) -> Setup:
        return msgspec.json.decode(self.packed_setup, type=Setup)

    @property
    def written_setup(self) -> bytes:
        """Byte by byte."""
        packed = self.packed_setup
        return packed.encode() if isinstance(packed, str) else packed


class EntryRow(NamedTuple):
    number: int
    entry: Entry
    session: int | None
    command: int | None
    digest: str
    content: int | None = None
    """A checksum of that command; None in rows of an older version."""
    chain: bytes = b""
    """The link of the hash chain; empty in rows of an older version."""
    written: bytes = b""
    """The entry in JSON, as it stands in the journal; empty where it is to be written yet."""


class FinishedLine(ReplayLine, frozen=True):
    """A finished match as it is listed, and as it is kept: with the session that had each seat."""

    owners: tuple[int | None, ...] = ()

    def listed_for(self, session: int, ended: float) -> ReplayLine:
        """To nobody is told who the others are."""
        seat = self.owners.index(session) if session in self.owners else None
        return ReplayLine(self.table, self.game, self.names, self.totals, int(ended), seat)


class UnsummedTable(NamedTuple):
    """A match that is over, of which no results are kept as they are made now."""

    row: TableRow
    ended: float


class FinishedTable(NamedTuple):
    row: TableRow
    line: FinishedLine


class LineRow(NamedTuple):
    number: int
    said: Said
    session: int | None
    """The session that said it; None in rows of an older version."""


class BanRow(NamedTuple):
    """A person who is banned from a table."""

    session: int
    name: str
    """The name as others saw it at that time."""
    prefix: str
    """The prefix of the address that is banned as well; "" for none."""


class ReadyRow(NamedTuple):
    entry: int
    """The number of the table's last entry at that time."""
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
    """The session that is muted."""


class AnswerRow(NamedTuple):
    number: int
    """The number of the answer among those of its session."""
    command: int
    content: int
    answer: bytes


class DoneRow(NamedTuple):
    """A command that made an entry."""

    command: int
    content: int | None
    entry: int
