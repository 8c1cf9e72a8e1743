"""Reads and changes the file of a journal, whether or not a server has it open."""

import sqlite3
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
