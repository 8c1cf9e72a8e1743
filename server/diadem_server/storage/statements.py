"""The SQL of the journal: how changes are written, and what is selected."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Any, NamedTuple, TypeAlias

import msgspec

from diadem.entries import Entry
from diadem.frames import pack
from diadem.protocol import Said
from diadem_server.storage.changes import (
    Change,
    DropChatAndBans,
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
    SessionChange,
    SessionSeen,
    SessionsHere,
    SetMute,
    SetReady,
    TableChange,
)
from diadem_server.storage.records import EntryRow, LineRow

Row: TypeAlias = tuple[Any, ...]


class Statement(NamedTuple):
    sql: str
    values: Row = ()


_ENTRY = msgspec.json.Decoder(Entry)
_SAID = msgspec.json.Decoder(Said)
NEW_ENTRY = "INSERT INTO appended VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)"
NEW_ANSWER = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)"
ONE_MORE = {NEW_ENTRY: ", (NULL, ?, ?, ?, ?, ?, ?, ?)", NEW_ANSWER: ", (?, ?, ?, ?, ?, ?)"}
"""The prefixes of INSERTs that can be coalesced, and the placeholders of one more row."""
MOST_TOGETHER = 64
TABLES = "SELECT code, setup, seed, version FROM tables"
IN_LIST = "IN (SELECT value FROM json_each(?))"


def coalesced(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Coalesce consecutive INSERTs of one kind into one statement: each statement makes the writer's thread
    release and reacquire the GIL, which delays the tables more than the write itself."""
    for sql, run in groupby(statements, key=lambda statement: statement.sql):
        if sql not in ONE_MORE:
            yield from run
            continue
        values = [statement.values for statement in run]
        for start in range(0, len(values), MOST_TOGETHER):
            rows = values[start : start + MOST_TOGETHER]
            yield Statement(sql + ONE_MORE[sql] * (len(rows) - 1), tuple(chain(*rows)))


# What is written


def written(change: Change) -> Iterable[Statement]:
    if isinstance(change, TableChange):
        return _of_table(change)
    if isinstance(change, PeopleChange):
        return _of_people(change)
    if isinstance(change, SessionChange):
        return _of_session(change)
    return _of_pruning(change)


def _of_table(change: TableChange) -> Iterable[Statement]:
    match change:
        case NewEntry(code, (number, entry, *others)):
            return [Statement(NEW_ENTRY, (code, number, msgspec.json.encode(entry), *others))]
        case NewTable(code, made, setup, seed, version):
            sql = "INSERT INTO tables (code, made, setup, seed, version) VALUES (?, ?, ?, ?, ?)"
            return [Statement(sql, (code, made, msgspec.json.encode(setup), seed, version))]
        case FinishTable():
            return _of_finished(change)
        case DropTable(code):
            return _without(code, "chat", "bans", "ready", "entries", "appended", "tables")
        case DropChatAndBans(code):
            return _without(code, "chat", "bans")


def _of_finished(change: FinishTable) -> Iterable[Statement]:
    code, ended, line, played = change
    return [
        Statement(
            "UPDATE tables SET line = ?, ended ="
            " max(?, (SELECT coalesce(max(ended), 0) + 0.001 FROM tables)) WHERE code = ?",
            (pack(line), ended, code),
        ),
        *_without(code, "ready"),
        *(Statement("INSERT INTO played VALUES (?, ?)", (session, code)) for session in played),
    ]


def _without(code: str, *tables: str) -> list[Statement]:
    return [Statement(f"DELETE FROM {table} WHERE code = ?", (code,)) for table in tables]


def _of_people(change: PeopleChange) -> Iterable[Statement]:
    match change:
        case NewLine(code, (number, said, session), keep):
            row = code, number, msgspec.json.encode(said), session
            yield Statement("INSERT INTO chat VALUES (?, ?, ?, ?)", row)
            yield Statement(
                "DELETE FROM chat WHERE code = ? AND number <= ?", (code, number - keep)
            )
        case SetReady(code, session, entry, ready=True):
            yield Statement("INSERT OR REPLACE INTO ready VALUES (?, ?, ?)", (code, session, entry))
        case SetReady(code, session):
            yield Statement("DELETE FROM ready WHERE code = ? AND session = ?", (code, session))
        case NewBan(code, ban):
            yield Statement("INSERT OR REPLACE INTO bans VALUES (?, ?, ?, ?)", (code, *ban))
        case LiftBan(code, name):
            yield Statement("DELETE FROM bans WHERE code = ? AND name = ?", (code, name))
        case SetMute(session, muted, on=True):
            yield Statement("INSERT OR IGNORE INTO mutes VALUES (?, ?)", (session, muted))
        case SetMute(session, muted):
            yield Statement("DELETE FROM mutes WHERE session = ? AND muted = ?", (session, muted))


def _of_session(change: SessionChange) -> Iterable[Statement]:
    match change:
        case NewAnswer(session, row, keep):
            return [Statement(NEW_ANSWER, (session, row.number % keep, *row))]
        case NewSession():
            return [Statement("INSERT INTO sessions VALUES (?, ?, ?, ?)", tuple(change))]
        case SessionSeen(id_, name, seen):
            return [
                Statement("UPDATE sessions SET name = ?, seen = ? WHERE id = ?", (name, seen, id_))
            ]
        case SessionsHere(ids, now):
            return [
                Statement(f"UPDATE sessions SET seen = ? WHERE id {IN_LIST}", (now, _list(ids)))
            ]
        case ForgetSessions(ids):
            return [
                Statement(f"DELETE FROM {table} WHERE {column} {IN_LIST}", (_list(ids),))
                for table, column in OF_SESSIONS
            ]


OF_SESSIONS = (
    ("sessions", "id"),
    ("mutes", "session"),
    ("mutes", "muted"),
    ("answers", "session"),
)


def _list(ids: Iterable[int]) -> str:
    return msgspec.json.encode(list(ids)).decode()


NONE_ENDED_AFTER = (
    "UPDATE tables SET ended = ended - (SELECT max(ended) FROM tables) + ?1"
    " WHERE ended NOT NULL AND (SELECT max(ended) FROM tables) > ?1"
)
OF_NO_RUNNING_TABLE = "code NOT IN (SELECT code FROM tables WHERE ended IS NULL)"
REMAINS = (
    ("played", "code NOT IN (SELECT code FROM tables)"),
    ("chat", OF_NO_RUNNING_TABLE),
    ("bans", OF_NO_RUNNING_TABLE),
)


def _of_pruning(change: Pruning) -> Iterable[Statement]:
    match change:
        case NoneEndedAfter(now):
            return [Statement(NONE_ENDED_AFTER, (now,))]
        case DropRemains():
            return [Statement(f"DELETE FROM {table} WHERE {where}") for table, where in REMAINS]


# What is asked, and how it is read


LAST_SESSION = Statement(
    "SELECT max(id) FROM (SELECT max(id) AS id FROM sessions"
    " UNION SELECT max(session) FROM all_entries UNION SELECT max(session) FROM played"
    " UNION SELECT max(session) FROM chat UNION SELECT max(session) FROM bans)"
)
CODES = Statement("SELECT code FROM tables")
SESSIONS = Statement("SELECT id, token, name FROM sessions")
MUTES = Statement("SELECT session, muted FROM mutes")
FREE_PAGES = Statement("PRAGMA freelist_count")


def entry_row(row: Row) -> EntryRow:
    return EntryRow(row[0], entry(row[1]), *row[2:])


def entry(stored: bytes) -> Entry:
    decoded: Entry = _ENTRY.decode(stored)
    return decoded


def line_row(row: Row) -> LineRow:
    return LineRow(row[0], _SAID.decode(row[1]), row[2])


def tables(over_since: float) -> Statement:
    return Statement(f"{TABLES} WHERE ended IS NULL OR ended > ?", (over_since,))


def parts_of(code: str) -> list[Statement]:
    """Entries, chat, bans and who is ready."""
    selected = (
        ("number, entry, session, command, digest, content FROM all_entries", "number"),
        ("number, line, session FROM chat", "number"),
        ("session, name, prefix FROM bans", "session"),
        ("entry, session FROM ready", "entry"),
    )
    return [
        Statement(f"SELECT {what} WHERE code = ? ORDER BY {order}", (code,))
        for what, order in selected
    ]


def superfluous(keep: int) -> Statement:
    return Statement(
        "SELECT code FROM tables WHERE ended IS NOT NULL ORDER BY ended DESC LIMIT -1 OFFSET ?",
        (keep,),
    )


def replays(session: int, most: int) -> Statement:
    return Statement(
        "SELECT line FROM tables JOIN played USING (code) WHERE session = ?"
        " ORDER BY ended DESC LIMIT ?",
        (session, most),
    )


def finished_table(code: str, session: int) -> Statement:
    return Statement(
        f"{TABLES} JOIN played USING (code) WHERE code = ? AND session = ?", (code, session)
    )


def entries_after(code: str, number: int, most: int) -> Statement:
    return Statement(
        "SELECT number, entry FROM all_entries WHERE code = ? AND number > ? ORDER BY number LIMIT ?",
        (code, number, most),
    )


def newest_entry(code: str) -> Statement:
    return Statement("SELECT max(number) FROM all_entries WHERE code = ?", (code,))


def last_welcome(sessions: Iterable[int]) -> Statement:
    return Statement(f"SELECT max(seen) FROM sessions WHERE id {IN_LIST}", (_list(sessions),))


def long_gone(before: float, unless_played: float) -> Statement:
    return Statement(
        "SELECT id FROM sessions WHERE id NOT IN ("
        " SELECT session FROM all_entries JOIN tables USING (code)"
        " WHERE ended IS NULL AND session NOT NULL"
        ") AND (seen < ? OR seen < ? AND id NOT IN (SELECT session FROM played))",
        (before, unless_played),
    )


def answers_to(session: int) -> Statement:
    return Statement(
        "SELECT number, command, content, answer FROM answers WHERE session = ? ORDER BY number",
        (session,),
    )


def done_lately(session: int, most: int) -> Statement:
    return Statement(
        "SELECT command, content, number FROM all_entries WHERE code ="
        " (SELECT code FROM tables JOIN played USING (code) WHERE session = ?1"
        "  ORDER BY ended DESC LIMIT 1)"
        " AND session = ?1 AND command NOT NULL ORDER BY number DESC LIMIT ?2",
        (session, most),
    )


def done_at(code: str, session: int, command: int) -> Statement:
    return Statement(
        "SELECT command, content, number FROM all_entries"
        " WHERE code = ? AND session = ? AND command = ? LIMIT 1",
        (code, session, command),
    )
