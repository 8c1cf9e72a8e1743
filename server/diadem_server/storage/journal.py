"""The interface of a journal, which keeps tables, sessions and answers. What was acknowledged is never lost."""

import asyncio
from collections.abc import Iterable
from typing import Protocol

from diadem_server.storage.changes import Change
from diadem_server.storage.records import (
    AnswerRow,
    DoneRow,
    EntryRow,
    FinishedTable,
    MuteRow,
    SessionRow,
    StoredTable,
    TableRow,
    UnsummedTable,
)
from diadem_shared.entries import Entry
from diadem_shared.protocol import ReplayLine
from diadem_shared.standings import Line


class JournalUnavailable(Exception):
    """Nothing was written: the disk is full, or gone."""


class SeatTaken(JournalUnavailable):
    """Nothing was written: somebody who was to sit down has a seat at another table."""

    def __init__(self, code: str) -> None:
        super().__init__(f"there is a seat at {code}")
        self.code = code
        """Of that table."""


class Journal(Protocol):
    """Changes are written in the order in which they are asked for, so that what is read afterwards
    has them. What several callers write in one turn of the event loop may share a commit (group commit)."""

    @property
    def trouble(self) -> str | None:
        """Why the last write failed; None if it did not."""

    @property
    def read_trouble(self) -> str | None:
        """Why the last question could not be asked; None if it could."""

    @property
    def waiting(self) -> int:
        """Writes and questions that are not settled yet."""

    async def start(self) -> None:
        """Called first, on the event loop that will use the journal."""

    async def close(self) -> None:
        """Write what is queued, then close."""

    # Writing

    async def write(self, *changes: Change) -> None:
        """Returns when all of it is written for good. Otherwise nothing is, and it raises JournalUnavailable, or
        SeatTaken where a `TakeSeat` is among it. As long as neither is known it does not return."""

    def submit(self, *changes: Change) -> "asyncio.Future[None]":
        """The same without waiting: the future is done when it is written."""

    async def settled(self) -> None:
        """Returns when all that was asked for before has its outcome."""

    async def shrink(self) -> None:
        """Return free space to the disk, in pieces, so that no commit waits for long."""

    # Tables

    async def codes(self) -> set[str]:
        """The codes of all tables that are kept, those of replays included."""

    async def tables(self, over_since: float) -> list[TableRow]:
        """The tables that are not over, or ended after `over_since`."""

    async def load(self, code: str) -> StoredTable:
        """All that is kept of one table, its entries in order."""

    async def superfluous(self, keep: int, keep_bytes: int) -> list[str]:
        """The codes of finished matches beyond so many, or so many bytes: those of who has most; see `fair_share`."""

    # Replays

    async def replays(self, session: int, most: int, before: str | None = None) -> list[ReplayLine]:
        """The matches a session played to their end, the newest first; those that ended before one of them."""

    async def finished_table(self, code: str, session: int) -> TableRow | None:
        """A match that this session played to its end."""

    async def finished_match(self, code: str) -> FinishedTable | None:
        """A match that was played to its end, by whomever."""

    async def rows_after(self, code: str, number: int, most: int) -> list[EntryRow]:
        """The next entries after that number, whole."""

    async def entries_after(self, code: str, number: int, most: int) -> list[tuple[int, Entry]]:
        """The next entries after that number, with their numbers."""

    # Results

    async def unsummed(self, version: int, most: int) -> list[UnsummedTable]:
        """Matches that are over, and have no results of this version; the oldest first."""

    async def results_of(self, session: int, before: float, most: int) -> list[Line]:
        """What a player has ended before that moment, the newest first."""

    async def results_after(
        self, game: str, last: Line | None, since: float, until: float, most: int
    ) -> list[Line]:
        """Of one game, since that moment and before `until`: the next ones after the last, by moment, match and session."""

    async def count_results(self, game: str, until: float) -> int:
        """Those before that moment."""

    async def first_result(self, game: str, since: float) -> float | None:
        """When the first match since then has ended."""

    async def listed_players(self, game: str) -> dict[int, str]:
        """The names of all who have played it and may be shown, by session."""

    async def is_listed(self, session: int) -> bool: ...

    async def superfluous_results(self, keep: int, of_each: int) -> list[tuple[int, int]]:
        """By match and session, those beyond so many in all, or of one player; first those of who has most."""

    # Sessions

    async def sessions(self) -> list[SessionRow]: ...

    async def mutes(self) -> list[MuteRow]: ...

    async def last_session(self) -> int:
        """The highest number of a session that anything kept refers to."""

    async def last_welcome(self, sessions: Iterable[int]) -> float | None:
        """When one of these was welcomed last; None if none of them is known."""

    async def long_gone(self, before: float, unless_played: float) -> set[int]:
        """Sessions not welcomed since, or not so lately and without a finished match to look back on;
        but nobody who has made an entry of a match that is not over."""

    async def answered_long_ago(self, before: float) -> set[int]:
        """Sessions not welcomed since, of which answers are kept; but nobody who has made an entry of a match that is
        not over."""

    async def answers(self, session: int) -> list[AnswerRow]:
        """What was kept of a session's answers, the oldest first."""

    async def done_lately(self, session: int, most: int) -> list[DoneRow]:
        """The commands that have made entries of the match that this session played to its end last,
        the newest first."""

    async def done_at(self, code: str, session: int, command: int) -> DoneRow | None:
        """What this command of a session did at that table, if it made an entry."""
