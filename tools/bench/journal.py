"""What it costs to write an entry, by how entries lie in SQLite: docs/decisions has what was chosen.

Nothing but the statements: no thread, no event loop. Bytes are all that this process hands to the
system, so pages of the log and of the file.
"""

import os
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from diadem_server.storage.schema import FILE, SCHEMAS, merge_entries
from diadem_server.storage.sqlite import MOST_APPENDED

ENTRIES = 20_000
MOVE = b'{"type":"moved","seat":2,"move":"draw 12 34","spent":1234}'
COLUMNS = 7
LAYOUTS = {
    "sorted by table": ("entries", ""),
    "appended, with an index": ("appended", "CREATE INDEX by_code ON appended (code, number)"),
    "appended and merged": ("appended", ""),
}
LOADS = ((25, 1), (25, 8), (100, 16), (1_000, 16))
"""Tables that are played at, and how many of them move before each commit."""


class Cost(NamedTuple):
    processor: float
    """Microseconds an entry."""
    written: float
    """Bytes an entry."""


def run() -> Iterator[str]:
    for tables, together in LOADS:
        for name, (table, index) in LAYOUTS.items():
            cost = _cost(tables, together, table, index)
            yield (
                f"{tables} tables, {together} entries a commit, {name}:"
                f" {cost.processor:.1f} us of processor and {cost.written:.0f} bytes an entry"
            )


def _cost(tables: int, together: int, table: str, index: str) -> Cost:
    with TemporaryDirectory() as folder, closing(_opened(Path(folder), index)) as connection:
        before, started = _written(), time.process_time()
        number = since = 0
        for entries in _moves(tables, together):
            row = f"({'NULL, ' if table == 'appended' else ''}{', '.join('?' * COLUMNS)})"
            rows = ", ".join([row] * together)
            connection.execute(f"INSERT INTO {table} VALUES {rows}", entries)  # noqa: S608, ours
            number, since = number + together, since + together
            if table == "appended" and not index and since >= MOST_APPENDED:
                merge_entries(connection)
                since = 0
        processor = time.process_time() - started
        return Cost(processor / number * 1e6, (_written() - before) / number)


def _opened(folder: Path, index: str) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    connection.executescript(
        "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        + "".join(SCHEMAS)
        + index
    )
    return connection


def _moves(tables: int, together: int) -> Iterator[list[Any]]:
    """What some tables enter, in the columns of as many rows."""
    chance, numbers = random.Random(1), [0] * tables
    for _ in range(ENTRIES // together):
        columns: list[Any] = []
        for table in chance.sample(range(tables), together):
            numbers[table] += 1
            columns += [f"T{table:03}", numbers[table], MOVE, table, numbers[table]]
            columns += [f"{numbers[table]:016x}", 1 << 30]
        yield columns


def _written() -> int:
    fields = dict(
        line.split(": ") for line in Path(f"/proc/{os.getpid()}/io").read_text().split("\n") if line
    )
    return int(fields["wchar"])
