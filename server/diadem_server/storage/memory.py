"""A journal in memory, for tests. It survives being closed and started again."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import TypeVar

from diadem.entries import Entry
from diadem.protocol import ReplayLine
from diadem.standings import Line
from diadem_server.storage.changes import Change
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.memory_tables import Kept, apply, newest_first
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

K = TypeVar("K")
V = TypeVar("V")


class MemoryJournal:
    def __init__(self) -> None:
        self.trouble: str | None = None
        self.fails: JournalUnavailable | None = None
        """The fault that every write raises."""
        self._kept = Kept({}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
        self._queued: list[tuple[Sequence[Change], asyncio.Future[None]]] = []

    @property
    def waiting(self) -> int:
        return len(self._queued)

    async def start(self) -> None:
        """Nothing has to be opened."""

    async def close(self) -> None:
        self._settle()

    # Writing

    async def write(self, *changes: Change) -> None:
        await self.submit(*changes)

    def submit(self, *changes: Change) -> "asyncio.Future[None]":
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._queued:
            loop.call_soon(self._settle)
        self._queued.append((changes, done))
        return done

    async def settled(self) -> None:
        self._settle()

    async def shrink(self) -> None:
        """It is as small as it can be."""

    def _settle(self) -> None:
        queued, self._queued = self._queued, []
        for changes, done in queued:
            error = self._written(changes)
            self.trouble = None if error is None else str(error)
            if done.done():
                continue
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

    def _written(self, changes: Sequence[Change]) -> JournalUnavailable | None:
        if self.fails is not None:
            return self.fails
        draft = self._kept.copy()
        try:
            for change in changes:
                apply(draft, change)
        except (JournalUnavailable, TypeError) as error:  # TypeError: of what cannot be encoded
            return JournalUnavailable(str(error))
        self._kept = draft
        return None

    # Reading

    @property
    def _now(self) -> Kept:
        """The content with all pending writes."""
        self._settle()
        return self._kept

    async def codes(self) -> set[str]:
        return set(self._now.tables)

    async def tables(self, over_since: float) -> list[TableRow]:
        return [
            table.row
            for table in self._now.tables.values()
            if table.ended is None or table.ended > over_since
        ]

    async def load(self, code: str) -> StoredTable:
        kept = self._now
        return StoredTable(
            _of(code, kept.entries),
            _of(code, kept.chat),
            _of(code, kept.bans),
            _of(code, kept.ready),
        )

    async def superfluous(self, keep: int) -> list[str]:
        return [code for code, table in newest_first(self._now)][keep:]

    async def replays(self, session: int, most: int, before: str | None = None) -> list[ReplayLine]:
        kept = self._now
        own = [code for code, _ in newest_first(kept) if (session, code) in kept.played]
        if before is not None:
            own = own[own.index(before) + 1 :] if before in own else []
        tables = (kept.tables[code] for code in own[:most])
        return [
            table.line.listed_for(session, table.ended)
            for table in tables
            if table.line is not None and table.ended is not None
        ]

    async def finished_table(self, code: str, session: int) -> TableRow | None:
        kept = self._now
        has_played = code in kept.tables and (session, code) in kept.played
        return kept.tables[code].row if has_played else None

    async def finished_match(self, code: str) -> FinishedTable | None:
        table = self._now.tables.get(code)
        if table is None or table.line is None:
            return None
        return FinishedTable(table.row, table.line)

    async def rows_after(self, code: str, number: int, most: int) -> list[EntryRow]:
        return [row for row in _of(code, self._now.entries) if row.number > number][:most]

    async def entries_after(self, code: str, number: int, most: int) -> list[tuple[int, Entry]]:
        entries = [row for row in _of(code, self._now.entries) if row.number > number]
        return [(row.number, row.entry) for row in entries[:most]]

    async def unsummed(self, version: int, most: int) -> list[UnsummedTable]:
        over = [table for _, table in reversed(newest_first(self._now))]
        return [
            UnsummedTable(each.row, each.ended or 0.0) for each in over if each.summed < version
        ][:most]

    async def results_of(self, session: int, before: float, most: int) -> list[Line]:
        own = [line for line in self._results() if line.session == session and line.ended < before]
        return own[::-1][:most]

    async def results_after(
        self, game: str, last: Line | None, since: float, until: float, most: int
    ) -> list[Line]:
        after = (since, -1, -1) if last is None else (last.ended, last.match, last.session)
        return [
            line
            for line in self._results(game)
            if (line.ended, line.match, line.session) > after and line.ended < until
        ][:most]

    async def count_results(self, game: str, until: float) -> int:
        return sum(line.ended < until for line in self._results(game))

    async def first_result(self, game: str, since: float) -> float | None:
        return next((line.ended for line in self._results(game) if line.ended >= since), None)

    async def listed_players(self, game: str) -> dict[int, str]:
        known, unlisted = self._now.sessions, self._now.unlisted
        played = {line.session for line in self._results(game)} & known.keys()
        return {id_: known[id_].row.name for id_ in played if id_ not in unlisted}

    async def is_listed(self, session: int) -> bool:
        return session not in self._now.unlisted

    def _results(self, game: str | None = None) -> list[Line]:
        lines = (line for line in self._now.results.values() if game in {None, line.result.game})
        return sorted(lines, key=lambda line: (line.ended, line.match, line.session))

    async def sessions(self) -> list[SessionRow]:
        return [session.row for session in self._now.sessions.values()]

    async def mutes(self) -> list[MuteRow]:
        return list(self._now.mutes)

    async def last_session(self) -> int:
        kept = self._now
        spoken_of = [
            *kept.sessions,
            *(id_ for id_, _ in kept.played),
            *(id_ for _, id_ in kept.results),
            *(entry.session for entry in kept.entries.values()),
            *(line.session for line in kept.chat.values()),
            *(ban.session for ban in kept.bans.values()),
        ]
        return max((id_ for id_ in spoken_of if id_ is not None), default=0)

    async def last_welcome(self, sessions: Iterable[int]) -> float | None:
        known = self._now.sessions
        return max((known[id_].seen for id_ in sessions if id_ in known), default=None)

    async def long_gone(self, before: float, unless_played: float) -> set[int]:
        kept = self._now
        playing = {
            row.session
            for (code, _), row in kept.entries.items()
            if code in kept.tables and kept.tables[code].ended is None
        }
        played = {id_ for id_, _ in kept.played} | {id_ for _, id_ in kept.results}
        return {
            id_
            for id_, session in kept.sessions.items()
            if id_ not in playing
            and session.seen < (max(before, unless_played) if id_ not in played else before)
        }

    async def answers(self, session: int) -> list[AnswerRow]:
        own = [row for (id_, _), row in self._now.answers.items() if id_ == session]
        return sorted(own, key=lambda row: row.number)

    async def done_lately(self, session: int, most: int) -> list[DoneRow]:
        kept = self._now
        played = (code for code, _ in newest_first(kept) if (session, code) in kept.played)
        rows = reversed(_of(next(played, ""), kept.entries))
        done = [
            DoneRow(row.command, row.content, row.number)
            for row in rows
            if row.session == session and row.command is not None
        ]
        return done[:most]

    async def done_at(self, code: str, session: int, command: int) -> DoneRow | None:
        rows = (row for row in _of(code, self._now.entries) if row.session == session)
        done = (DoneRow(command, row.content, row.number) for row in rows if row.command == command)
        return next(done, None)


def _of(code: str, table: dict[tuple[str, int], V]) -> list[V]:
    return [table[key] for key in sorted(key for key in table if key[0] == code)]
