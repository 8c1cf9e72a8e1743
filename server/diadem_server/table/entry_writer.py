"""How the entries of a table are written down: each with a digest of what it led to, and its link of the hash chain."""

import msgspec

from diadem_server.storage.records import EntryRow
from diadem_shared.chain import Chain, header
from diadem_shared.entries import Adjudicated, Entry, Started
from diadem_shared.game import digest
from diadem_shared.match import Match
from diadem_shared.refusals import Code, Refusal, RefusalError

MOST_ENTRIES = 49_900
"""Of a match: more than 20 rounds that the rules end for want of an end (C-5), and three times the longest of 123 matches among bots. The
file of a match may have more (`match_file`), so that every match can be exported and verified."""
MOST_ENTRIES_A_ROUND = 10_000
"""Some seven times the longest of 2,300 rounds among bots."""
MOST_BYTES = 15 * 1024 * 1024
"""Of all entries of a match, which make most of its file."""


class EntryWriter:
    def __init__(self, code: str, secret: bytes, match: Match, setup: bytes | None = None) -> None:
        """`setup` is how the table was set up, as it stands in the journal, if it does so already."""
        written = msgspec.json.encode(match.setup) if setup is None else setup
        self._chain = Chain(secret, header(secret, code, match.game.version, written))
        self.link = self._chain.origin
        """Of the newest entry."""
        self.bytes = 0
        """Of all entries, as they are written."""
        self._round_began = 0
        """The number of the entry that dealt the newest round."""

    def keep(self, row: EntryRow) -> None:
        """This entry is in the journal."""
        self.link = row.chain
        self.bytes += len(row.written)
        if isinstance(row.entry, Started):
            self._round_began = row.number

    def refuse_beyond_bounds(self, match: Match, entry: Entry) -> None:
        """The last defence against a match without end: only its end may still be entered. Raises RefusalError."""
        if self.is_full(match) and not isinstance(entry, Adjudicated):
            raise RefusalError(Refusal(Code.MATCH_TOO_LONG))

    def is_full(self, match: Match) -> bool:
        of_round = match.entries - self._round_began if self._round_began else 0
        return (
            match.entries >= MOST_ENTRIES
            or of_round >= MOST_ENTRIES_A_ROUND
            or self.bytes >= MOST_BYTES
        )

    def write(self, entry: Entry, match: Match) -> EntryRow:
        """Of the next entry, which leads to this match."""
        written = msgspec.json.encode(entry)
        link = self._chain.link(self.link, written)
        return EntryRow(match.entries, entry, None, None, digest(match), None, link, written)

    def verify_link(self, row: EntryRow) -> EntryRow | None:
        """A row of the journal with its link, which rows of an older version lack; None if it has another."""
        link = self._chain.link(self.link, row.written)
        return row._replace(chain=link) if row.chain in {link, b""} else None
