"""The SQL of the journal as SQLite gets it."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby

from diadem_server.storage.statement import Statement
from diadem_server.storage.statements import (
    DONE_AT,
    DROP_ENTRIES,
    NEW_ANSWER,
    NEW_ENTRY,
    for_sqlite,
)

FREE_PAGES = Statement("PRAGMA freelist_count")
NEWEST_ENTRY = (
    "SELECT max(number) FROM (SELECT max(number) AS number FROM entries WHERE code = ?1"
    " UNION ALL SELECT max(number) FROM appended WHERE code = ?1)"
)
"""Of a table: of the view of both SQLite would read every entry of it."""
APPEND = "INSERT INTO appended VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)"
REPLACE_ANSWER = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)"
ONE_MORE = {APPEND: ", (NULL, ?, ?, ?, ?, ?, ?, ?)", REPLACE_ANSWER: ", (?, ?, ?, ?, ?, ?)"}
"""The prefixes of INSERTs that can be coalesced, and the placeholders of one more row."""
OWN = {
    NEW_ENTRY: (APPEND,),
    NEW_ANSWER: (REPLACE_ANSWER,),
    DROP_ENTRIES: (for_sqlite(DROP_ENTRIES), "DELETE FROM appended WHERE code = ?"),
}
"""Entries are appended to a table of their own first, see `schema`."""
ANSWERED_OTHERWISE = {
    DONE_AT: (
        "SELECT command, content, number FROM entries INDEXED BY entries_of_commands"
        " WHERE code = ?1 AND session = ?2 AND command = ?3 UNION ALL"
        " SELECT command, content, number FROM appended"
        " WHERE code = ?1 AND session = ?2 AND command = ?3 LIMIT 1"
    )
}
"""Questions for which SQLite would choose another index by itself, and read every entry of a table."""
MOST_TOGETHER = 64


def question(sql: str) -> str:
    return ANSWERED_OTHERWISE.get(sql) or for_sqlite(sql)


def prepared(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Coalesce consecutive INSERTs of one kind into one statement: each statement makes the writer's thread
    release and reacquire the GIL, which delays the tables more than the write itself."""
    translated = (
        Statement(sql, values)
        for general, values in statements
        for sql in OWN.get(general) or (for_sqlite(general),)
    )
    for sql, run in groupby(translated, key=lambda statement: statement.sql):
        if sql not in ONE_MORE:
            yield from run
            continue
        values = [statement.values for statement in run]
        for start in range(0, len(values), MOST_TOGETHER):
            rows = values[start : start + MOST_TOGETHER]
            yield Statement(sql + ONE_MORE[sql] * (len(rows) - 1), tuple(chain(*rows)))
