"""Reads a journal's file over connections of its own, in threads of its own, so that no commit waits for a long read.

The writer hands a question on once all is committed that was asked for before it (see `sqlite`). In WAL mode a reader sees the
last commit before its transaction began, and holds up nobody.
"""

import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.schema import open_reader
from diadem_server.storage.sqlite_statements import question
from diadem_server.storage.statement import Row, Statement

READERS = 2
Found = list[list[Row]]
Told = Callable[[Found | None, Exception | None], None]
"""Called in a reader's thread with what was found, or with why nothing was."""


class Question(NamedTuple):
    statements: Sequence[Statement]
    told: Told


class SqliteReaders:
    """So many threads, which share what is asked: a short question does not wait for a long one."""

    def __init__(self, path: Path) -> None:
        self._questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self._connections = [open_reader(path) for _ in range(READERS)]
        # Daemons: a start that fails half way does not wait for them.
        self._threads = [
            threading.Thread(target=self._run, args=[each], name="journal reader", daemon=True)
            for each in self._connections
        ]

    def start(self) -> None:
        for each in self._threads:
            each.start()

    def close(self) -> None:
        """Answer what is queued, then close."""
        running = [each for each in self._threads if each.is_alive()]
        for _ in running:
            self._questions.put(None)
        for each in running:
            each.join()
        for connection in self._connections:
            connection.close()

    def ask(self, asked: Question) -> None:
        self._questions.put(asked)

    def _run(self, connection: sqlite3.Connection) -> None:
        while asked := self._questions.get():
            try:
                found = _read(connection, asked.statements)
            except sqlite3.Error as error:
                asked.told(None, JournalUnavailable(str(error)))
            else:
                asked.told(found, None)


def _read(connection: sqlite3.Connection, asked: Sequence[Statement]) -> Found:
    """All of it as of one moment."""
    if len(asked) == 1:
        return [_rows(connection, asked[0])]
    connection.execute("BEGIN")
    try:
        return [_rows(connection, each) for each in asked]
    finally:
        with suppress(sqlite3.Error):
            connection.execute("COMMIT")


def _rows(connection: sqlite3.Connection, asked: Statement) -> list[Row]:
    with closing(connection.cursor()) as cursor:
        return cursor.execute(question(asked.sql), asked.values).fetchall()
