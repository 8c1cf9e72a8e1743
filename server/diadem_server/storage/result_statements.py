"""The SQL of results of matches, by player; portable like that of `statements`."""

from collections.abc import Iterable

import msgspec

from diadem_server.storage.changes import DropResults, NewResults, ResultChange, SetListed
from diadem_server.storage.records import TableRow, UnsummedTable
from diadem_server.storage.statement import Row, Statement
from diadem_shared.frames import pack
from diadem_shared.results import Result
from diadem_shared.standings import Line

_RESULT = msgspec.msgpack.Decoder(Result)
NEW_RESULT = (
    "INSERT INTO results VALUES ($1, $2, $3, $4, $5) ON CONFLICT (match_id, session) DO UPDATE"
    " SET game = excluded.game, ended = excluded.ended, result = excluded.result"
)
DROP = "DELETE FROM results WHERE match_id = $1 AND session = $2"


def written(change: ResultChange) -> Iterable[Statement]:
    match change:
        case NewResults(code, version, lines):
            yield Statement("UPDATE tables SET summed = $1 WHERE code = $2", (version, code))
            for each in lines:
                row = each.match, each.session, each.result.game, each.ended, pack(each.result)
                yield Statement(NEW_RESULT, row)
        case SetListed(session, on=True):
            yield Statement("DELETE FROM unlisted WHERE session = $1", (session,))
        case SetListed(session):
            yield Statement("INSERT INTO unlisted VALUES ($1) ON CONFLICT DO NOTHING", (session,))
        case DropResults(results):
            yield from (Statement(DROP, each) for each in results)


def unsummed(version: int, most: int) -> Statement:
    return Statement(
        "SELECT code, setup, seed, version, ended FROM tables"
        " WHERE ended IS NOT NULL AND coalesce(summed, 0) < $1 ORDER BY ended LIMIT $2",
        (version, most),
    )


def unsummed_table(row: Row) -> UnsummedTable:
    *table, ended = row
    return UnsummedTable(TableRow(*table), ended)


def results_of(session: int, before: float, most: int) -> Statement:
    return Statement(
        "SELECT match_id, session, ended, result FROM results WHERE session = $1 AND ended < $2"
        " ORDER BY ended DESC LIMIT $3",
        (session, before, most),
    )


def line(row: Row) -> Line:
    match, session, ended, packed = row
    return Line(match, session, ended, _RESULT.decode(packed))


def results_after(game: str, last: Line | None, since: float, until: float, most: int) -> Statement:
    key = (since, -1, -1) if last is None else (last.ended, last.match, last.session)
    return Statement(
        "SELECT match_id, session, ended, result FROM results WHERE game = $1 AND ended < $2"
        " AND (ended, match_id, session) > ($3, $4, $5) ORDER BY ended, match_id, session LIMIT $6",
        (game, until, *key, most),
    )


def count_results(game: str, until: float) -> Statement:
    return Statement("SELECT count(*) FROM results WHERE game = $1 AND ended < $2", (game, until))


def first_result(game: str, since: float) -> Statement:
    return Statement(
        "SELECT min(ended) FROM results WHERE game = $1 AND ended >= $2", (game, since)
    )


def listed_players(game: str) -> Statement:
    return Statement(
        "SELECT id, name FROM sessions WHERE id IN (SELECT session FROM results WHERE game = $1)"
        " AND id NOT IN (SELECT session FROM unlisted)",
        (game,),
    )


def is_unlisted(session: int) -> Statement:
    return Statement("SELECT 1 FROM unlisted WHERE session = $1", (session,))
