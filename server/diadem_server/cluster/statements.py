"""The SQL of the journal as PostgreSQL gets it: what is shared by the nodes is written with what it belongs to."""

from collections.abc import Iterable

from diadem_server.storage import statements
from diadem_server.storage.changes import (
    Change,
    DropTable,
    FinishTable,
    ForgetAnswers,
    ForgetSessions,
    LeaveSeat,
    NewTable,
    TakeSeat,
)
from diadem_server.storage.statement import Statement

ONE_SEAT = "seats_pkey"
"""The constraint that a second seat of a session violates."""
TAKE_SEAT = "INSERT INTO seats VALUES ($1, $2)"
SEAT_OF = "SELECT code FROM seats WHERE session = $1"
NOT_CONNECTED = "NOT EXISTS (SELECT FROM connections WHERE connections.session = sessions.id)"
FORGET = (
    f"DELETE FROM sessions WHERE id = ANY($1::bigint[]) AND {NOT_CONNECTED}",
    *(
        f"DELETE FROM {table} WHERE {column} = ANY($1::bigint[])"
        f" AND NOT EXISTS (SELECT FROM sessions WHERE id = {column})"
        for table, column in statements.OF_SESSIONS
        if table != "sessions"
    ),
)
"""Whoever is connected is not forgotten, whatever node they came to."""
FORGET_ANSWERS = (
    "DELETE FROM answers WHERE session = ANY($1::bigint[])"
    " AND NOT EXISTS (SELECT FROM connections WHERE connections.session = answers.session)"
)


def written(change: Change, node: int) -> Iterable[Statement]:
    """By this node."""
    match change:
        case TakeSeat(code, session):
            yield Statement(TAKE_SEAT, (session, code))
        case LeaveSeat(code, session):
            leave = "DELETE FROM seats WHERE session = $1 AND code = $2"
            yield Statement(leave, (session, code))
        case ForgetAnswers(ids):
            yield Statement(FORGET_ANSWERS, (list(ids),))
        case ForgetSessions(ids):
            for sql in FORGET:
                yield Statement(sql, (list(ids),))
        case _:
            yield from statements.written(change)
            yield from _of_table(change, node)


def _of_table(change: Change, node: int) -> Iterable[Statement]:
    match change:
        case NewTable(code):
            yield Statement("UPDATE tables SET owner = $1 WHERE code = $2", (node, code))
        case FinishTable(code):
            yield Statement("DELETE FROM seats WHERE code = $1", (code,))
        case DropTable(code):
            yield Statement("DELETE FROM seats WHERE code = $1", (code,))
            yield Statement("DELETE FROM codes WHERE code = $1", (code,))
        case _:
            pass
