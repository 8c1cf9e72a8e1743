"""Reads and changes the file of a journal, whether or not a server has it open."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from diadem_server.storage.schema import FILE


def select(folder: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        return connection.execute(sql, values).fetchall()


def pragma(folder: Path, name: str) -> Any:
    return select(folder, f"PRAGMA {name}")[0][0]


def change(folder: Path, sql: str, *values: Any) -> None:
    with closing(sqlite3.connect(folder / FILE)) as connection, connection:
        connection.execute(sql, values)


def bytes_of_rows(folder: Path) -> Counter[str]:
    """What is in each table of a journal, without keys and indexes."""
    found: Counter[str] = Counter()
    for (table,) in select(folder, "SELECT name FROM sqlite_master WHERE type = 'table'"):
        columns = [row[1] for row in select(folder, f"PRAGMA table_info({table})")]
        lengths = " + ".join(f"coalesce(length(CAST({each} AS BLOB)), 0)" for each in columns)
        ((size,),) = select(folder, f"SELECT coalesce(sum({lengths}), 0) FROM {table}")  # noqa: S608
        found[table] = size
    return found


def bytes_on_disk(folder: Path) -> int:
    """Of all files of a journal, once its log is moved into it."""
    pragma(folder, "wal_checkpoint(TRUNCATE)")
    return sum(file.stat().st_size for file in folder.glob(f"{FILE}*"))
