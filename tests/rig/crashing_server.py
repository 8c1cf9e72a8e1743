"""The server of the crash sweep, which kills itself at one step of writing something.

By SIGKILL, so that nothing is cleaned up. It is forked from a process that has imported it, since to
start an interpreter takes longer than what it does.
"""

import asyncio
import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

from diadem_server.sessions.answers import Answers
from diadem_server.sessions.sessions import Session
from diadem_server.storage import statements
from diadem_server.storage.changes import (
    Change,
    FinishTable,
    NewAnswer,
    NewEntry,
    NewLine,
    NewTable,
    SetReady,
)
from diadem_server.storage.journal import Journal
from diadem_server.storage.sqlite import SqliteJournal
from diadem_server.table.table import Table
from diadem_shared.games import GAMES
from tests.rig.wire import server
from tests.sample_game import Numbers

STEPS = ("before", "between", "after", "answered", "shown")
"""Before the commit, with all written but not committed, committed, acknowledged, and shown."""
WHAT: dict[str, Callable[[Change], int]] = {
    "entry": lambda change: isinstance(change, NewEntry),
    "table": lambda change: isinstance(change, NewTable),
    "chat": lambda change: isinstance(change, NewLine),
    "readiness": lambda change: isinstance(change, SetReady) and change.ready,
    "last move": lambda change: isinstance(change, FinishTable),
    "answer": lambda change: isinstance(change, NewAnswer),
}
"""Kinds of changes, and whether a change is of that kind."""
PLANTS = ("acknowledges-first",)
"""Faults that players notice in their match."""
PLANTS_OF_ANSWERS = ("answers-first", "keeps-no-answers")
"""Faults that players notice in the answers to repeated commands."""


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class CrashPoint:
    """Counts the changes of a kind that reach the journal, and kills the process at the n-th."""

    def __init__(self, what: str, step: str, nth: int) -> None:
        self._counts = WHAT[what]
        self._step = step
        self._nth = nth
        self._written = 0

    def strikes(self, step: str) -> bool:
        return step == self._step and self._written >= self._nth

    def statements(self, change: Change) -> Any:
        self._written += self._counts(change)
        if self.strikes("before"):
            die()
        return WRITTEN(change)

    def answer(self, session: Session, answer: Any) -> None:
        ANSWER(session, answer)
        if self.strikes("answered"):
            die()

    def show(self, table: Table, last: Any) -> None:
        SHOW(table, last)
        if self.strikes("shown"):
            die()


WRITTEN, CONNECT, WRITE = statements.written, sqlite3.connect, SqliteJournal.write
ANSWER, SHOW = Session.answer, Table.show


class CrashingConnection(sqlite3.Connection):
    """The connection of the journal, which kills the process within or after a commit."""

    doom: ClassVar[CrashPoint]

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if self.doom.strikes("between"):
            if sql == "COMMIT":
                die()
            if (
                not self.in_transaction and sql != "BEGIN"
            ):  # a single statement, which SQLite commits by itself
                super().execute("BEGIN")
                super().execute(sql, *values)
                die()
        cursor = super().execute(sql, *values)
        if self.doom.strikes("after") and not self.in_transaction:
            die()
        return cursor


class AcknowledgesFirst:
    """The planted fault: a write is acknowledged, but done with the next one."""

    def __init__(self) -> None:
        self._late: tuple[Change, ...] = ()

    async def write(self, journal: SqliteJournal, *changes: Change) -> None:
        now, self._late = self._late, changes
        await WRITE(journal, *now)


class AnswersFirst:
    """The planted fault: a command that makes no entry is answered before it is written."""

    journal: Journal

    async def acknowledge(
        self, _table: Table, session: Session, answer: Any, *changes: Change
    ) -> None:
        session.answer(answer)
        await self.journal.write(*changes)


def run(ready: Connection, folder: Path, what: str, step: str, nth: int, plant: str) -> None:
    """Sends its port once it listens. `plant` is a fault that the sweep has to notice."""
    asyncio.run(_run(ready, folder, what, step, nth, plant))


async def _run(ready: Connection, folder: Path, what: str, step: str, nth: int, plant: str) -> None:
    doom, hasty, answers_first = CrashPoint(what, step, nth), AcknowledgesFirst(), AnswersFirst()
    CrashingConnection.doom = doom
    GAMES[Numbers.name] = Numbers()
    # Plain functions: bound methods would not be passed the instance.
    faults: dict[tuple[Any, str], Any] = {
        (sqlite3, "connect"): partial(CONNECT, factory=CrashingConnection),
        (statements, "written"): doom.statements,
        (Session, "answer"): lambda *given: doom.answer(*given),  # noqa: PLW0108
        (Table, "show"): lambda *given: doom.show(*given),  # noqa: PLW0108
    }
    if plant == "acknowledges-first":
        faults[SqliteJournal, "write"] = lambda *given: hasty.write(*given)  # noqa: PLW0108
    if plant == "answers-first":
        faults[Table, "acknowledge"] = lambda *given: answers_first.acknowledge(*given)  # noqa: PLW0108
    if plant == "keeps-no-answers":
        faults[Answers, "rows"] = lambda *_: []
    with ExitStack() as stack:
        for (owner, name), fault in faults.items():
            stack.enter_context(patch.object(owner, name, fault))
        async with server(folder) as app:
            answers_first.journal = app.lobby.journal
            ready.send(app.port)
            await asyncio.Event().wait()
