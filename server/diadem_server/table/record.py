"""How the entries of a table are written down: each with a digest of what it led to, and its link of the hash chain."""

import msgspec

from diadem.chain import Chain, header
from diadem.entries import Entry
from diadem.game import digest
from diadem.match import Match
from diadem_server.storage.records import EntryRow


class Record:
    def __init__(self, code: str, secret: bytes, match: Match, setup: bytes | None = None) -> None:
        """`setup` is how the table was set up, as it stands in the journal, if it does so already."""
        written = msgspec.json.encode(match.setup) if setup is None else setup
        self._chain = Chain(secret, header(secret, code, match.game.version, written))
        self.link = self._chain.origin
        """Of the newest entry."""

    def row(self, entry: Entry, match: Match) -> EntryRow:
        """Of the next entry, which leads to this match."""
        written = msgspec.json.encode(entry)
        link = self._chain.link(self.link, written)
        return EntryRow(match.entries, entry, None, None, digest(match), None, link, written)

    def linked(self, row: EntryRow) -> EntryRow | None:
        """A row of the journal with its link, which rows of an older version lack; None if it has another."""
        link = self._chain.link(self.link, row.written)
        return row._replace(chain=link) if row.chain in {link, b""} else None
