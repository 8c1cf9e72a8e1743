"""The SQL of the journal: how changes are written, and what is selected.

It is portable: SQLite and PostgreSQL both read it, with parameters written `$1` (see `for_sqlite`). What one of
them needs for itself is in its own journal.
"""

from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from diadem_server.storage import result_statements
from diadem_server.storage.changes import (
    Change,
    DropPeople,
    DropRemains,
    DropTable,
    FinishTable,
    ForgetAnswers,
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
    ResultChange,
    SeatChange,
    SessionChange,
    SessionSeen,
    SessionsHere,
    SetMute,
    SetReady,
    TableChange,
)
from diadem_server.storage.records import EntryRow, LineRow
from diadem_server.storage.statement import Row, Statement
from diadem_shared.entries import Entry
from diadem_shared.frames import pack
from diadem_shared.protocol import Said

_ENTRY = msgspec.json.Decoder(Entry)
_SAID = msgspec.json.Decoder(Said)
NEW_ENTRY = "INSERT INTO entries VALUES ($1, $2, $3, $4, $5, $6, $7)"
"""Code, number, entry, session, command, digest, content."""
LINK = ":"
"""Stands between the digest of an entry and its link of the hash chain, where it has one."""
NEW_ANSWER = (
    "INSERT INTO answers VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (session, slot) DO UPDATE"
    " SET number = excluded.number, command = excluded.command, content = excluded.content,"
    " answer = excluded.answer"
)
"""Session, slot, number, command, content, answer."""
DROP_ENTRIES = "DELETE FROM entries WHERE code = $1"
TABLES = "SELECT code, setup, seed, version FROM tables"
ENTRY_ROW = "number, entry, session, command, digest, content"
MOST_LISTED = 500
"""Ids in one statement."""


@cache
def for_sqlite(sql: str) -> str:
    """SQLite numbers its parameters `?1`."""
    return sql.replace("$", "?")


def listed(ids: Sequence[int], first: int = 1) -> str:
    """The parameters of a list, from this number on."""
    return ", ".join(f"${number}" for number in range(first, first + len(ids)))


def chunks(ids: Iterable[int]) -> Iterable[Row]:
    every = tuple(ids)
    return (every[start : start + MOST_LISTED] for start in range(0, len(every), MOST_LISTED))


# What is written


def written(change: Change) -> Iterable[Statement]:
    if isinstance(change, TableChange):
        return _of_table(change)
    if isinstance(change, ResultChange):
        return result_statements.written(change)
    if isinstance(change, SeatChange):
        return ()  # the entries say who sits where
    if isinstance(change, PeopleChange):
        return _of_people(change)
    if isinstance(change, SessionChange):
        return _of_session(change)
    return _of_pruning(change)


def _of_table(change: TableChange) -> Iterable[Statement]:
    match change:
        case NewEntry(code, row):
            digest = f"{row.digest}{LINK}{row.chain.hex()}" if row.chain else row.digest
            written = row.written or msgspec.json.encode(row.entry)
            values = code, row.number, written, row.session, row.command, digest, row.content
            return [Statement(NEW_ENTRY, values)]
        case NewTable(code, made, setup, seed, version):
            sql = (
                "INSERT INTO tables (code, made, setup, seed, version) VALUES ($1, $2, $3, $4, $5)"
            )
            return [Statement(sql, (code, made, msgspec.json.encode(setup), seed, version))]
        case FinishTable():
            return _of_finished(change)
        case DropTable(code):
            return _without(code, "chat", "bans", "ready", "entries", "tables")
        case DropPeople(code):
            return _without(code, "chat", "bans", "ready")


def _of_finished(change: FinishTable) -> Iterable[Statement]:
    code, ended, line, played = change
    return [
        Statement(
            "UPDATE tables SET line = $1, bytes = (SELECT sum(length(entry) + 220) FROM all_entries"
            " WHERE code = $3), ended = (SELECT max(moment) FROM (SELECT $2 AS moment"
            " UNION SELECT coalesce(max(ended), 0) + 0.001 FROM tables) AS moments) WHERE code = $3",
            (pack(line), ended, code),
        ),
        *_without(code, "ready"),
        *(Statement("INSERT INTO played VALUES ($1, $2)", (session, code)) for session in played),
    ]


def _without(code: str, *tables: str) -> list[Statement]:
    return [Statement(f"DELETE FROM {table} WHERE code = $1", (code,)) for table in tables]


SET_READY = (
    "INSERT INTO ready VALUES ($1, $2, $3) ON CONFLICT (code, session)"
    " DO UPDATE SET entry = excluded.entry"
)
NEW_BAN = (
    "INSERT INTO bans VALUES ($1, $2, $3, $4) ON CONFLICT (code, session)"
    " DO UPDATE SET name = excluded.name, prefix = excluded.prefix"
)
SET_MUTE = "INSERT INTO mutes VALUES ($1, $2) ON CONFLICT DO NOTHING"


def _of_people(change: PeopleChange) -> Iterable[Statement]:
    match change:
        case NewLine(code, (number, said, session), keep):
            row = code, number, msgspec.json.encode(said), session
            yield Statement("INSERT INTO chat VALUES ($1, $2, $3, $4)", row)
            yield Statement(
                "DELETE FROM chat WHERE code = $1 AND number <= $2", (code, number - keep)
            )
        case SetReady(code, session, entry, ready=True):
            yield Statement(SET_READY, (code, session, entry))
        case SetReady(code, session):
            yield Statement("DELETE FROM ready WHERE code = $1 AND session = $2", (code, session))
        case NewBan(code, ban):
            yield Statement(NEW_BAN, (code, *ban))
        case LiftBan(code, name):
            yield Statement("DELETE FROM bans WHERE code = $1 AND name = $2", (code, name))
        case SetMute(session, muted, on=True):
            yield Statement(SET_MUTE, (session, muted))
        case SetMute(session, muted):
            yield Statement("DELETE FROM mutes WHERE session = $1 AND muted = $2", (session, muted))


NEW_SESSION = "INSERT INTO sessions (id, token, name, seen, origin) VALUES ($1, $2, $3, $4, $5)"


def _of_session(change: SessionChange) -> Iterable[Statement]:
    match change:
        case NewAnswer(session, row, keep):
            return [Statement(NEW_ANSWER, (session, row.number % keep, *row))]
        case NewSession():
            return [Statement(NEW_SESSION, tuple(change))]
        case SessionSeen(id_, name, seen):
            return [
                Statement(
                    "UPDATE sessions SET name = $1, seen = $2 WHERE id = $3", (name, seen, id_)
                )
            ]
        case SessionsHere(ids, now):
            return [
                Statement(
                    f"UPDATE sessions SET seen = $1 WHERE id IN ({listed(some, 2)})", (now, *some)
                )
                for some in chunks(ids)
            ]
        case ForgetAnswers(ids):
            return [
                Statement(f"DELETE FROM answers WHERE session IN ({listed(some)})", some)
                for some in chunks(ids)
            ]
        case ForgetSessions(ids):
            return [
                Statement(f"DELETE FROM {table} WHERE {column} IN ({listed(some)})", some)
                for table, column in OF_SESSIONS
                for some in chunks(ids)
            ]


OF_SESSIONS = (
    ("sessions", "id"),
    ("mutes", "session"),
    ("mutes", "muted"),
    ("answers", "session"),
    ("unlisted", "session"),
)


NONE_ENDED_AFTER = (
    "UPDATE tables SET ended = ended - (SELECT max(ended) FROM tables) + $1"
    " WHERE ended IS NOT NULL AND (SELECT max(ended) FROM tables) > $1"
)
OF_NO_RUNNING_TABLE = "code NOT IN (SELECT code FROM tables WHERE ended IS NULL)"
REMAINS = (
    ("played", "code NOT IN (SELECT code FROM tables)"),
    ("chat", OF_NO_RUNNING_TABLE),
    ("bans", OF_NO_RUNNING_TABLE),
    ("ready", OF_NO_RUNNING_TABLE),
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
    " UNION SELECT max(session) FROM chat UNION SELECT max(session) FROM bans"
    " UNION SELECT max(session) FROM results) AS used"
)
CODES = Statement("SELECT code FROM tables")
SESSIONS = Statement("SELECT id, token, name FROM sessions")
MUTES = Statement("SELECT session, muted FROM mutes")


def entry_row(row: Row) -> EntryRow:
    number, written, session, command, noted, content = row
    digest, _, link = noted.partition(LINK)
    try:
        chain = bytes.fromhex(link)
    except ValueError:  # no link of any entry is like that
        chain = link.encode()
    if isinstance(written, str):  # somebody else has written it
        written = written.encode()
    made = entry(written)
    return EntryRow(number, made, session, command, digest, content, chain, written)


def entry(stored: bytes) -> Entry:
    decoded: Entry = _ENTRY.decode(stored)
    return decoded


def line_row(row: Row) -> LineRow:
    return LineRow(row[0], _SAID.decode(row[1]), row[2])


def tables(over_since: float) -> Statement:
    return Statement(f"{TABLES} WHERE ended IS NULL OR ended > $1", (over_since,))


def parts_of(code: str) -> list[Statement]:
    """Entries, chat, bans and who is ready."""
    selected = (
        (f"{ENTRY_ROW} FROM all_entries", "number"),
        ("number, line, session FROM chat", "number"),
        ("session, name, prefix FROM bans", "session"),
        ("entry, session FROM ready", "entry"),
    )
    return [
        Statement(f"SELECT {what} WHERE code = $1 ORDER BY {order}", (code,))
        for what, order in selected
    ]


def replays(session: int, most: int, before: str | None) -> Statement:
    own = "FROM tables JOIN played USING (code) WHERE session = $1"
    newest_first = "ORDER BY ended DESC, code DESC LIMIT $2"
    if before is None:
        return Statement(f"SELECT line, ended {own} {newest_first}", (session, most))
    older = f"(ended, code) < (SELECT ended, code {own} AND code = $3)"
    return Statement(
        f"SELECT line, ended {own} AND {older} {newest_first}", (session, most, before)
    )


def finished_table(code: str, session: int) -> Statement:
    return Statement(
        f"{TABLES} JOIN played USING (code) WHERE code = $1 AND session = $2", (code, session)
    )


def finished_match(code: str) -> Statement:
    return Statement(
        "SELECT code, setup, seed, version, line FROM tables WHERE code = $1 AND ended IS NOT NULL",
        (code,),
    )


def rows_after(code: str, number: int, most: int) -> Statement:
    return Statement(
        f"SELECT {ENTRY_ROW} FROM all_entries WHERE code = $1 AND number > $2 ORDER BY number LIMIT $3",
        (code, number, most),
    )


def entries_after(code: str, number: int, most: int) -> Statement:
    return Statement(
        "SELECT number, entry FROM all_entries WHERE code = $1 AND number > $2 ORDER BY number LIMIT $3",
        (code, number, most),
    )


def last_welcome(sessions: Iterable[int]) -> Statement:
    """Of those at one table."""
    ids = tuple(sessions)
    return Statement(f"SELECT max(seen) FROM sessions WHERE id IN ({listed(ids) or 'NULL'})", ids)


OF_RUNNING_TABLES = (
    "SELECT session FROM all_entries JOIN tables USING (code)"
    " WHERE ended IS NULL AND session IS NOT NULL"
)


def answered_long_ago(before: float) -> Statement:
    return Statement(
        "SELECT id FROM sessions WHERE seen < $1"
        " AND EXISTS (SELECT 1 FROM answers WHERE session = id)"
        f" AND id NOT IN ({OF_RUNNING_TABLES})",
        (before,),
    )


def long_gone(before: float, unless_played: float) -> Statement:
    return Statement(
        f"SELECT id FROM sessions WHERE id NOT IN ({OF_RUNNING_TABLES}"
        ") AND (seen < $1 OR seen < $2 AND id NOT IN ("
        " SELECT session FROM played UNION SELECT session FROM results))",
        (before, unless_played),
    )


def answers_to(session: int) -> Statement:
    return Statement(
        "SELECT number, command, content, answer FROM answers WHERE session = $1 ORDER BY number",
        (session,),
    )


def done_lately(session: int, most: int) -> Statement:
    return Statement(
        "SELECT command, content, number FROM all_entries WHERE code ="
        " (SELECT code FROM tables JOIN played USING (code) WHERE session = $1"
        "  ORDER BY ended DESC LIMIT 1)"
        " AND session = $1 AND command IS NOT NULL ORDER BY number DESC LIMIT $2",
        (session, most),
    )


DONE_AT = (
    "SELECT command, content, number FROM all_entries"
    " WHERE code = $1 AND session = $2 AND command = $3 LIMIT 1"
)


def done_at(code: str, session: int, command: int) -> Statement:
    return Statement(DONE_AT, (code, session, command))
