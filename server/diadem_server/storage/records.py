"""What is written in the journal, and what is asked of it, in SQL."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Any, NamedTuple, TypeAlias

import msgspec

from diadem.entries import Entry, Setup
from diadem.protocol import Said

Row: TypeAlias = tuple[Any, ...]


class TableRow(NamedTuple):
    code: str
    packed_setup: bytes
    seed: bytes
    version: int

    @property
    def setup(self) -> Setup:
        return msgspec.json.decode(self.packed_setup, type=Setup)


class EntryRow(NamedTuple):
    number: int
    entry: Entry
    session: int | None
    command: int | None
    digest: str
    content: int | None = None
    """A checksum of that command; None in what an older version has written."""


class LineRow(NamedTuple):
    number: int
    said: Said
    session: int | None
    """Who said it; not known of lines from before that was written down."""


class BanRow(NamedTuple):
    """Somebody who is kept away from a table."""

    session: int
    name: str
    """As others saw it then."""
    prefix: str
    """Of the address that is kept away as well; "" for none."""


class SessionRow(NamedTuple):
    id: int
    token: bytes
    name: str


class AnswerRow(NamedTuple):
    number: int
    """Counts the answers of a session that are kept so."""
    command: int
    content: int
    answer: bytes


class DoneRow(NamedTuple):
    """A command that has made an entry."""

    command: int
    content: int | None
    entry: int


class Statement(NamedTuple):
    sql: str
    values: tuple[Any, ...]


_ENTRY = msgspec.json.Decoder(Entry)
NEW_ENTRY = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)"
NEW_ANSWER = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)"
ONE_MORE = {NEW_ENTRY: ", (?, ?, ?, ?, ?, ?, ?)", NEW_ANSWER: ", (?, ?, ?, ?, ?, ?)"}
"""What is written most often, and how to write another of it in one statement."""
MOST_TOGETHER = 64
FREE_PAGES = Statement("PRAGMA freelist_count", ())
TABLES = "SELECT code, setup, seed, version FROM tables"


def entry_row(row: Row) -> EntryRow:
    return EntryRow(row[0], entry(row[1]), *row[2:])


def line_row(row: Row) -> LineRow:
    return LineRow(row[0], msgspec.json.decode(row[1], type=Said), row[2])


# What is written


def new_table(code: str, made: float, setup: Setup, seed: bytes, version: int) -> Statement:
    return Statement(
        "INSERT INTO tables (code, made, setup, seed, version) VALUES (?, ?, ?, ?, ?)",
        (code, made, msgspec.json.encode(setup), seed, version),
    )


def new_entry(code: str, row: EntryRow) -> Statement:
    number, entry, *others = row
    return Statement(NEW_ENTRY, (code, number, msgspec.json.encode(entry), *others))


def new_answer(session: int, row: AnswerRow, keep: int) -> Statement:
    """An answer, in the place of the one that was given so many answers before."""
    return Statement(NEW_ANSWER, (session, row.number % keep, *row))


def set_ready(code: str, session: int, entry: int, *, ready: bool) -> Statement:
    """Whether somebody is ready, and the last entry there was when they said so."""
    if not ready:
        return Statement("DELETE FROM ready WHERE code = ? AND session = ?", (code, session))
    return Statement("INSERT OR REPLACE INTO ready VALUES (?, ?, ?)", (code, session, entry))


def together(statements: Iterable[Statement]) -> Iterator[Statement]:
    """The same, with rows of a kind that follow on each other in one statement: each makes the writer
    give up the interpreter and wait for it again, which costs the tables more than the writing."""
    for sql, run in groupby(statements, key=lambda statement: statement.sql):
        if sql not in ONE_MORE:
            yield from run
            continue
        values = [statement.values for statement in run]
        for start in range(0, len(values), MOST_TOGETHER):
            rows = values[start : start + MOST_TOGETHER]
            yield Statement(sql + ONE_MORE[sql] * (len(rows) - 1), tuple(chain(*rows)))


def table_over(code: str, when: float, line: bytes, played: Iterable[int]) -> list[Statement]:
    """A match is over: how it is listed from now on, and to whom. Nothing has ended later, even if the
    clock was put back."""
    return [
        Statement(
            "UPDATE tables SET line = ?, ended ="
            " max(?, (SELECT coalesce(max(ended), 0) + 0.001 FROM tables)) WHERE code = ?",
            (line, when, code),
        ),
        drop_readiness(code),
        *(Statement("INSERT INTO played VALUES (?, ?)", (session, code)) for session in played),
    ]


def new_line(code: str, line: LineRow, keep: int) -> tuple[Statement, Statement]:
    """A line of chat, and no more before it than can be told again."""
    return (
        Statement(
            "INSERT INTO chat VALUES (?, ?, ?, ?)",
            (code, line.number, msgspec.json.encode(line.said), line.session),
        ),
        Statement("DELETE FROM chat WHERE code = ? AND number <= ?", (code, line.number - keep)),
    )


def new_ban(code: str, ban: BanRow) -> Statement:
    return Statement("INSERT OR REPLACE INTO bans VALUES (?, ?, ?, ?)", (code, *ban))


def lift_ban(code: str, name: str) -> Statement:
    return Statement("DELETE FROM bans WHERE code = ? AND name = ?", (code, name))


def mute(session: int, muted: int) -> Statement:
    return Statement("INSERT OR IGNORE INTO mutes VALUES (?, ?)", (session, muted))


def unmute(session: int, muted: int) -> Statement:
    return Statement("DELETE FROM mutes WHERE session = ? AND muted = ?", (session, muted))


def drop_company(code: str) -> tuple[Statement, Statement]:
    """What nobody asks for once nobody is left at a table."""
    return (
        Statement("DELETE FROM chat WHERE code = ?", (code,)),
        Statement("DELETE FROM bans WHERE code = ?", (code,)),
    )


def drop_readiness(code: str) -> Statement:
    return Statement("DELETE FROM ready WHERE code = ?", (code,))


def drop_table(code: str) -> tuple[Statement, ...]:
    return (
        *drop_company(code),
        drop_readiness(code),
        Statement("DELETE FROM entries WHERE code = ?", (code,)),
        Statement("DELETE FROM tables WHERE code = ?", (code,)),
    )


def ended_before(now: float) -> Statement:
    """Where the clock was put back, let no match have ended later than now. Their order stays."""
    return Statement(
        "UPDATE tables SET ended = ended - (SELECT max(ended) FROM tables) + ?1"
        " WHERE ended NOT NULL AND (SELECT max(ended) FROM tables) > ?1",
        (now,),
    )


def drop_remains() -> tuple[Statement, ...]:
    """What is left of tables that are gone, and chat and bans where a match is over."""
    return (
        Statement("DELETE FROM played WHERE code NOT IN (SELECT code FROM tables)", ()),
        Statement(
            "DELETE FROM chat WHERE code NOT IN (SELECT code FROM tables WHERE ended IS NULL)", ()
        ),
        Statement(
            "DELETE FROM bans WHERE code NOT IN (SELECT code FROM tables WHERE ended IS NULL)", ()
        ),
    )


def new_session(id_: int, token: bytes, name: str, seen: float) -> Statement:
    return Statement("INSERT INTO sessions VALUES (?, ?, ?, ?)", (id_, token, name, seen))


def session_seen(id_: int, name: str, seen: float) -> Statement:
    return Statement("UPDATE sessions SET name = ?, seen = ? WHERE id = ?", (name, seen, id_))


def sessions_here(ids: Iterable[int], now: float) -> Statement:
    """Whoever stays for long is as well known as who comes anew."""
    return Statement(
        "UPDATE sessions SET seen = ? WHERE id IN (SELECT value FROM json_each(?))",
        (now, msgspec.json.encode(list(ids)).decode()),
    )


def forget_sessions(ids: Iterable[int]) -> tuple[Statement, ...]:
    values = (msgspec.json.encode(list(ids)).decode(),)
    return (
        Statement("DELETE FROM sessions WHERE id IN (SELECT value FROM json_each(?))", values),
        Statement("DELETE FROM mutes WHERE session IN (SELECT value FROM json_each(?))", values),
        Statement("DELETE FROM mutes WHERE muted IN (SELECT value FROM json_each(?))", values),
        Statement("DELETE FROM answers WHERE session IN (SELECT value FROM json_each(?))", values),
    )


# What is asked


def entries_of(code: str) -> Statement:
    return Statement(
        "SELECT number, entry, session, command, digest, content FROM entries WHERE code = ?"
        " ORDER BY number",
        (code,),
    )


def entries_after(code: str, number: int, most: int) -> Statement:
    """The next ones after that number: their numbers, and what they are."""
    return Statement(
        "SELECT number, entry FROM entries WHERE code = ? AND number > ? ORDER BY number LIMIT ?",
        (code, number, most),
    )


def entry(stored: bytes) -> Entry:
    decoded: Entry = _ENTRY.decode(stored)
    return decoded


def superfluous(keep: int) -> Statement:
    """All finished matches but the newest."""
    return Statement(
        "SELECT code FROM tables WHERE ended IS NOT NULL ORDER BY ended DESC LIMIT -1 OFFSET ?",
        (keep,),
    )


def codes() -> Statement:
    return Statement("SELECT code FROM tables", ())


def last_welcome(sessions: Iterable[int]) -> Statement:
    """When one of these was welcomed last."""
    return Statement(
        "SELECT max(seen) FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
        (msgspec.json.encode(list(sessions)).decode(),),
    )


def ready_at(code: str) -> Statement:
    return Statement("SELECT entry, session FROM ready WHERE code = ? ORDER BY entry", (code,))


def answers_to(session: int) -> Statement:
    """What was kept of a session's answers, the oldest first."""
    return Statement(
        "SELECT number, command, content, answer FROM answers WHERE session = ? ORDER BY number",
        (session,),
    )


def done_lately(session: int, most: int) -> Statement:
    """The commands that have made entries of the match that this session played to its end last."""
    return Statement(
        "SELECT command, content, number FROM entries WHERE code ="
        " (SELECT code FROM tables JOIN played USING (code) WHERE session = ?1"
        "  ORDER BY ended DESC LIMIT 1)"
        " AND session = ?1 AND command NOT NULL ORDER BY number DESC LIMIT ?2",
        (session, most),
    )


def long_gone(before: float, unless_played: float) -> Statement:
    """Sessions not welcomed since, or not so lately and without a finished match to look back on."""
    return Statement(
        "SELECT id FROM sessions WHERE id NOT IN ("
        " SELECT session FROM entries JOIN tables USING (code)"
        " WHERE ended IS NULL AND session NOT NULL"
        ") AND (seen < ? OR seen < ? AND id NOT IN (SELECT session FROM played))",
        (before, unless_played),
    )


def chat_of(code: str) -> Statement:
    return Statement(
        "SELECT number, line, session FROM chat WHERE code = ? ORDER BY number", (code,)
    )


def bans_of(code: str) -> Statement:
    return Statement("SELECT session, name, prefix FROM bans WHERE code = ?", (code,))


def lines_of(session: int, most: int) -> Statement:
    """The matches a session played to their end, the newest first."""
    return Statement(
        "SELECT line FROM tables JOIN played USING (code) WHERE session = ?"
        " ORDER BY ended DESC LIMIT ?",
        (session, most),
    )


def finished_table(code: str, session: int) -> Statement:
    return Statement(
        f"{TABLES} JOIN played USING (code) WHERE code = ? AND session = ?", (code, session)
    )
