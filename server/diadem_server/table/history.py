"""What has happened at one table: the newest of it is in memory, all of it in the journal.

What is told of an older entry is found by playing the match again from its first entry on.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from diadem_server.storage.journal import Journal
from diadem_server.table.views import Logged
from diadem_shared import match as rules
from diadem_shared.entries import Entry
from diadem_shared.match import Match

KEPT = 240
"""Entries in memory: more than a round has, which is what bots have to remember, and some pages."""
PAGE = 60
"""Entries on a page."""
READ_AT_ONCE = 250
"""Entries asked of the journal at a time."""
SLICE_SECONDS = 0.002
PAUSE_SECONDS = 0.006
"""Between two slices of work: reading old pages takes no more than a quarter of the loop's time."""


class Range(NamedTuple):
    """The entries of a page, by their numbers: from the first on, up to but not with the end."""

    first: int
    end: int


class History:
    def __init__(self, code: str, seed: bytes, origin: Match) -> None:
        """`origin` is the match without any entry."""
        self._code = code
        self._seed = seed
        self._origin = origin
        self._latest: deque[Logged] = deque(maxlen=KEPT)

    def __iter__(self) -> Iterator[Logged]:
        """The newest entries, the oldest of them first."""
        return iter(self._latest)

    def keep(self, logged: Logged) -> None:
        self._latest.append(logged)

    def page(self, before: int | None) -> Range:
        """The newest entries, or the newest before that number."""
        newest = self._latest[-1].number if self._latest else 0
        end = newest + 1 if before is None else max(1, min(before, newest + 1))
        return Range(max(1, end - PAGE), end)

    def has(self, page: Range) -> bool:
        """Whether all of it is in memory."""
        return page.first >= self._first or page.first == page.end

    @property
    def _first(self) -> int:
        return self._latest[0].number if self._latest else 1

    def recent(self, page: Range) -> Sequence[Logged]:
        """What of it is in memory."""
        start, stop = page.first - self._first, page.end - self._first
        return list(islice(self._latest, max(0, start), max(0, stop)))

    async def read(self, journal: Journal, page: Range) -> Sequence[Logged]:
        """All of it, from the journal."""
        found: list[Logged] = []
        match = self._origin
        async for number, entry in self._entries(journal, page.end):
            match, told = rules.apply(match, entry, self._seed, recorded=True)
            if number >= page.first:
                found.append(Logged(number, entry, told))
        return found

    async def _entries(self, journal: Journal, end: int) -> AsyncIterator[tuple[int, Entry]]:
        """Those before `end`, in slices, between which others have their turn. None are left where the
        table was given up meanwhile."""
        loop = asyncio.get_running_loop()
        began, last = loop.time(), 0
        while read := await journal.entries_after(self._code, last, READ_AT_ONCE):
            for last, entry in read:
                if last >= end:
                    return
                yield last, entry
                if loop.time() - began > SLICE_SECONDS:
                    await asyncio.sleep(PAUSE_SECONDS)
                    began = loop.time()
