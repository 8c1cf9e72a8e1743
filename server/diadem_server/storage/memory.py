"""A journal in memory, for tests. It survives being closed and started again."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from diadem.entries import Entry
from diadem.protocol import ReplayLine
from diadem_server.storage.changes import (
    Change,
    DropPeople,
    DropRemains,
    DropTable,
    FinishTable,
    ForgetSessions,
    LiftBan,
    NewAnswer,
    NewBan,
    NewEntry,
    NewLine,
    NewSession,
    NewTable,
    NoneEndedAfter,
    PeopleChange,
    Pruning,
    SeatChange,
    SessionChange,
    SessionSeen,
    SessionsHere,
    SetMute,
    SetReady,
    TableChange,
)
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import (
    AnswerRow,
    BanRow,
    DoneRow,
    EntryRow,
    FinishedLine,
    FinishedTable,
    LineRow,
    MuteRow,
    ReadyRow,
    SessionRow,
    StoredTable,
    TableRow,
)

K = TypeVar("K")
V = TypeVar("V")


class _Table(NamedTuple):
    row: TableRow
    ended: float | None = None
    line: FinishedLine | None = None


class _Session(NamedTuple):
    row: SessionRow
    seen: float


class _Kept(NamedTuple):
    """Like tables of a database, each by its key."""

    tables: dict[str, _Table]
    entries: dict[tuple[str, int], EntryRow]
    chat: dict[tuple[str, int], LineRow]
    bans: dict[tuple[str, int], BanRow]
    ready: dict[tuple[str, int], ReadyRow]
    sessions: dict[int, _Session]
    played: dict[tuple[int, str], None]
    mutes: dict[MuteRow, None]
    answers: dict[tuple[int, int], AnswerRow]

    def copy(self) -> "_Kept":
        return _Kept(*(table.copy() for table in self))  # type: ignore[arg-type]

    def without(self, code: str, *tables: dict[tuple[str, int], Any]) -> None:
        for table in tables:
            for key in [key for key in table if key[0] == code]:
                del table[key]


class MemoryJournal:
    def __init__(self) -> None:
        self.trouble: str | None = None
        self.fails: JournalUnavailable | None = None
        """The fault that every write raises."""
        self._kept = _Kept({}, {}, {}, {}, {}, {}, {}, {}, {})
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
                _apply(draft, change)
        except (JournalUnavailable, TypeError) as error:  # TypeError: of what cannot be encoded
            return JournalUnavailable(str(error))
        self._kept = draft
        return None

    # Reading

    @property
    def _now(self) -> _Kept:
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
        return [code for code, table in _newest_first(self._now)][keep:]

    async def replays(self, session: int, most: int, before: str | None = None) -> list[ReplayLine]:
        kept = self._now
        own = [code for code, _ in _newest_first(kept) if (session, code) in kept.played]
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

    async def sessions(self) -> list[SessionRow]:
        return [session.row for session in self._now.sessions.values()]

    async def mutes(self) -> list[MuteRow]:
        return list(self._now.mutes)

    async def last_session(self) -> int:
        kept = self._now
        spoken_of = [
            *kept.sessions,
            *(id_ for id_, _ in kept.played),
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
        played = {id_ for id_, _ in kept.played}
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
        played = (code for code, _ in _newest_first(kept) if (session, code) in kept.played)
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


def _newest_first(kept: _Kept) -> list[tuple[str, _Table]]:
    """The matches that are over."""
    over = [(code, table) for code, table in kept.tables.items() if table.ended is not None]
    return sorted(over, key=lambda each: each[1].ended or 0.0, reverse=True)


def _last_ended(kept: _Kept) -> float:
    return max((table.ended or 0.0 for table in kept.tables.values()), default=0.0)


def _new(table: dict[K, V], key: K, value: V) -> None:
    if key in table:
        raise JournalUnavailable(f"{key} is there already")
    table[key] = value


# What is written


def _apply(kept: _Kept, change: Change) -> None:
    if isinstance(change, TableChange):
        _apply_to_table(kept, change)
    elif isinstance(change, PeopleChange):
        _apply_to_people(kept, change)
    elif isinstance(change, SessionChange):
        _apply_to_sessions(kept, change)
    elif not isinstance(change, SeatChange):  # the entries say who sits where
        _prune(kept, change)


def _apply_to_table(kept: _Kept, change: TableChange) -> None:
    match change:
        case NewTable(code, _, setup, seed, version):
            row = TableRow(code, msgspec.json.encode(setup), seed, version)
            _new(kept.tables, code, _Table(row))
        case NewEntry(code, row):
            written = row.written or msgspec.json.encode(row.entry)
            entry = msgspec.json.decode(written, type=Entry)
            _new(kept.entries, (code, row.number), row._replace(entry=entry, written=written))
        case FinishTable(code, ended, line, played):
            if table := kept.tables.get(code):
                not_before = _last_ended(kept) + 0.001
                kept.tables[code] = table._replace(ended=max(ended, not_before), line=line)
            kept.without(code, kept.ready)
            for session in played:
                _new(kept.played, (session, code), None)
        case DropTable(code):
            kept.without(code, kept.entries, kept.chat, kept.bans, kept.ready)
            kept.tables.pop(code, None)
        case DropPeople(code):
            kept.without(code, kept.chat, kept.bans, kept.ready)


def _apply_to_people(kept: _Kept, change: PeopleChange) -> None:
    match change:
        case NewLine(code, line, keep):
            _new(kept.chat, (code, line.number), line)
            for old in [
                key for key in kept.chat if key[0] == code and key[1] <= line.number - keep
            ]:
                del kept.chat[old]
        case SetReady(code, session, entry, ready=True):
            kept.ready[code, session] = ReadyRow(entry, session)
        case SetReady(code, session):
            kept.ready.pop((code, session), None)
        case NewBan(code, ban):
            kept.bans[code, ban.session] = ban
        case LiftBan(code, name):
            for key in [
                key for key, ban in kept.bans.items() if key[0] == code and ban.name == name
            ]:
                del kept.bans[key]
        case SetMute(session, muted, on=True):
            kept.mutes[MuteRow(session, muted)] = None
        case SetMute(session, muted):
            kept.mutes.pop(MuteRow(session, muted), None)


def _apply_to_sessions(kept: _Kept, change: SessionChange) -> None:
    match change:
        case NewSession(id_, token, name, seen):
            if token in {session.row.token for session in kept.sessions.values()}:
                raise JournalUnavailable("this token is given already")
            _new(kept.sessions, id_, _Session(SessionRow(id_, token, name), seen))
        case SessionSeen(id_, name, seen):
            if known := kept.sessions.get(id_):
                kept.sessions[id_] = _Session(known.row._replace(name=name), seen)
        case SessionsHere(ids, now):
            for id_ in kept.sessions.keys() & set(ids):
                kept.sessions[id_] = kept.sessions[id_]._replace(seen=now)
        case ForgetSessions(ids):
            _forget(kept, set(ids))
        case NewAnswer(session, row, keep):
            kept.answers[session, row.number % keep] = row


def _forget(kept: _Kept, ids: set[int]) -> None:
    for id_ in kept.sessions.keys() & ids:
        del kept.sessions[id_]
    for mute in [mute for mute in kept.mutes if not ids.isdisjoint(mute)]:
        del kept.mutes[mute]
    for key in [key for key in kept.answers if key[0] in ids]:
        del kept.answers[key]


def _prune(kept: _Kept, change: Pruning) -> None:
    match change:
        case NoneEndedAfter(now):
            too_late = _last_ended(kept) - now
            for code, table in list(kept.tables.items()):
                if too_late > 0 and table.ended is not None:
                    kept.tables[code] = table._replace(ended=table.ended - too_late)
        case DropRemains():
            for played in [key for key in kept.played if key[1] not in kept.tables]:
                del kept.played[played]
            running = {code for code, table in kept.tables.items() if table.ended is None}
            for code in {key[0] for key in (*kept.chat, *kept.bans, *kept.ready)} - running:
                kept.without(code, kept.chat, kept.bans, kept.ready)
