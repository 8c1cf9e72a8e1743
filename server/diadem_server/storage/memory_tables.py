"""What a journal in memory holds, and how changes are written to it."""

from typing import Any, NamedTuple, TypeVar

import msgspec

from diadem.entries import Entry
from diadem.standings import Line
from diadem_server.storage.changes import (
    Change,
    DropOldResults,
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
    NewResults,
    NewSession,
    NewTable,
    NoneEndedAfter,
    PeopleChange,
    Pruning,
    ResultChange,
    SeatChange,
    SessionChange,
    SessionSeen,
    SessionsHere,
    SetListed,
    SetMute,
    SetReady,
    TableChange,
)
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import (
    AnswerRow,
    BanRow,
    EntryRow,
    FinishedLine,
    LineRow,
    MuteRow,
    ReadyRow,
    SessionRow,
    TableRow,
)

K = TypeVar("K")
V = TypeVar("V")


class KeptTable(NamedTuple):
    row: TableRow
    ended: float | None = None
    line: FinishedLine | None = None
    summed: int = 0


class KeptSession(NamedTuple):
    row: SessionRow
    seen: float


class Kept(NamedTuple):
    """Like tables of a database, each by its key."""

    tables: dict[str, KeptTable]
    entries: dict[tuple[str, int], EntryRow]
    chat: dict[tuple[str, int], LineRow]
    bans: dict[tuple[str, int], BanRow]
    ready: dict[tuple[str, int], ReadyRow]
    sessions: dict[int, KeptSession]
    played: dict[tuple[int, str], None]
    mutes: dict[MuteRow, None]
    answers: dict[tuple[int, int], AnswerRow]
    results: dict[tuple[int, int], Line]
    unlisted: dict[int, None]

    def copy(self) -> "Kept":
        return Kept(*(table.copy() for table in self))  # type: ignore[arg-type]

    def without(self, code: str, *tables: dict[tuple[str, int], Any]) -> None:
        for table in tables:
            for key in [key for key in table if key[0] == code]:
                del table[key]


def newest_first(kept: Kept) -> list[tuple[str, KeptTable]]:
    """The matches that are over."""
    over = [(code, table) for code, table in kept.tables.items() if table.ended is not None]
    return sorted(over, key=lambda each: each[1].ended or 0.0, reverse=True)


def _last_ended(kept: Kept) -> float:
    return max((table.ended or 0.0 for table in kept.tables.values()), default=0.0)


def _new(table: dict[K, V], key: K, value: V) -> None:
    if key in table:
        raise JournalUnavailable(f"{key} is there already")
    table[key] = value


# What is written


def apply(kept: Kept, change: Change) -> None:
    if isinstance(change, TableChange):
        _apply_to_table(kept, change)
    elif isinstance(change, ResultChange):
        _apply_to_results(kept, change)
    elif isinstance(change, PeopleChange):
        _apply_to_people(kept, change)
    elif isinstance(change, SessionChange):
        _apply_to_sessions(kept, change)
    elif not isinstance(change, SeatChange):  # the entries say who sits where
        _prune(kept, change)


def _apply_to_table(kept: Kept, change: TableChange) -> None:
    match change:
        case NewTable(code, _, setup, seed, version):
            row = TableRow(code, msgspec.json.encode(setup), seed, version)
            _new(kept.tables, code, KeptTable(row))
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


def _apply_to_results(kept: Kept, change: ResultChange) -> None:
    match change:
        case NewResults(code, version, lines):
            if table := kept.tables.get(code):
                kept.tables[code] = table._replace(summed=version)
            kept.results.update({(line.match, line.session): line for line in lines})
        case SetListed(session, on=True):
            kept.unlisted.pop(session, None)
        case SetListed(session):
            kept.unlisted[session] = None
        case DropOldResults(keep):
            newest = sorted((line.ended for line in kept.results.values()), reverse=True)[:keep]
            for key in [
                key for key, line in kept.results.items() if newest and line.ended < newest[-1]
            ]:
                del kept.results[key]


def _apply_to_people(kept: Kept, change: PeopleChange) -> None:
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


def _apply_to_sessions(kept: Kept, change: SessionChange) -> None:
    match change:
        case NewSession(id_, token, name, seen):
            if token in {session.row.token for session in kept.sessions.values()}:
                raise JournalUnavailable("this token is given already")
            _new(kept.sessions, id_, KeptSession(SessionRow(id_, token, name), seen))
        case SessionSeen(id_, name, seen):
            if known := kept.sessions.get(id_):
                kept.sessions[id_] = KeptSession(known.row._replace(name=name), seen)
        case SessionsHere(ids, now):
            for id_ in kept.sessions.keys() & set(ids):
                kept.sessions[id_] = kept.sessions[id_]._replace(seen=now)
        case ForgetSessions(ids):
            _forget(kept, set(ids))
        case NewAnswer(session, row, keep):
            kept.answers[session, row.number % keep] = row


def _forget(kept: Kept, ids: set[int]) -> None:
    for id_ in kept.sessions.keys() & ids:
        del kept.sessions[id_]
    for mute in [mute for mute in kept.mutes if not ids.isdisjoint(mute)]:
        del kept.mutes[mute]
    for key in [key for key in kept.answers if key[0] in ids]:
        del kept.answers[key]
    for id_ in kept.unlisted.keys() & ids:
        del kept.unlisted[id_]


def _prune(kept: Kept, change: Pruning) -> None:
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
