"""Reads a journal's file over a connection of its own, in a thread of its own, so that no commit waits for a long read.

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

Found = list[list[Row]]
Told = Callable[[Found | None, Exception | None], None]
"""Called in the reader's thread with what was found, or with why nothing was."""


class Question(NamedTuple):
    statements: Sequence[Statement]
    told: Told


class SqliteReader:
    def __init__(self, path: Path) -> None:
        self._connection = open_reader(path)
        self._questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        # A daemon: a start that fails half way does not wait for it.
        self._thread = threading.Thread(target=self._run, name="journal reader", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Answer what is queued, then close."""
        if self._thread.is_alive():
            self._questions.put(None)
            self._thread.join()
        self._connection.close()

    def ask(self, asked: Question) -> None:
        self._questions.put(asked)

    def _run(self) -> None:
        while asked := self._questions.get():
            try:
                found = self._read(asked.statements)
            except sqlite3.Error as error:
                asked.told(None, JournalUnavailable(str(error)))
            else:
                asked.told(found, None)

    def _read(self, asked: Sequence[Statement]) -> Found:
        """All of it as of one moment."""
        if len(asked) == 1:
            return [self._rows(asked[0])]
        self._connection.execute("BEGIN")
        try:
            return [self._rows(each) for each in asked]
        finally:
            with suppress(sqlite3.Error):
                self._connection.execute("COMMIT")

    def _rows(self, asked: Statement) -> list[Row]:
        with closing(self._connection.cursor()) as cursor:
            return cursor.execute(question(asked.sql), asked.values).fetchall()
