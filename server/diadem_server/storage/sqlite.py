"""A journal in SQLite, in a folder of this server's own.

One thread writes, and others read (see `sqlite_reader`): a question is handed on once all is committed that was asked for
before it. The writer works for all tables, with group commit: what is asked for in one turn of the loop, and until the outcome
of the commit before is known, goes into one transaction. A commit never waits for more to come.
A future is done when its commit is.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from diadem_server.storage import statements
from diadem_server.storage.changes import Change, NewEntry
from diadem_server.storage.entry_numbers import EntryNumbers
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.schema import FILE, merge_entries, open_file, take_folder
from diadem_server.storage.sql_reader import SqlReader
from diadem_server.storage.sqlite_reader import Found, Question, SqliteReaders
from diadem_server.storage.sqlite_statements import FREE_PAGES, NEWEST_ENTRY, prepared
from diadem_server.storage.statement import Row, Statement

KEPT_FREE = 256
"""Free pages that the file keeps for later writes."""
GIVEN_BACK_AT_ONCE = 64
"""Pages that are vacuumed at once, in a few milliseconds."""
MOST_APPENDED = 4096
"""Appended entries that trigger a merge, which takes ten milliseconds."""


class _Job(NamedTuple):
    changes: Sequence[Change]
    done: "asyncio.Future[None]"


class _Errand(NamedTuple):
    run: Callable[[], object]
    """Called by the writer between two commits."""
    done: "asyncio.Future[None]"


class _Outcome(NamedTuple):
    done: "asyncio.Future[Any]"
    found: Any = None
    """The result of a question."""
    error: Exception | None = None


_Task: TypeAlias = _Job | _Errand | Question


class SqliteJournal(SqlReader):
    def __init__(self, folder: Path) -> None:
        self._gathered: list[_Task] = []
        """What the writer is yet to be given."""
        self._handed_over: queue.SimpleQueue[list[_Task] | None] = queue.SimpleQueue()
        self._lock = take_folder(folder)
        try:
            self._connection = open_file(folder / FILE)
            self._readers = SqliteReaders(folder / FILE)
        except BaseException:
            self._lock.close()
            raise
        self._numbers = EntryNumbers(self._newest_entry)
        self._appended = 0
        """Entries appended since the last merge."""
        # A daemon: a start that fails half way does not wait for it.
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._loop: asyncio.AbstractEventLoop
        self.trouble: str | None = None
        """Why the last write failed; None if it did not."""
        self.read_trouble: str | None = None
        """None: a file that was opened can be read."""
        self._unsettled = 0
        """Jobs that the writer was given and has not told the outcome of."""
        self._unanswered = 0
        """Questions that the writer was given, and no reader has answered."""

    @property
    def waiting(self) -> int:
        """Writes and questions that are not settled yet; none, where the writer is given them in this turn."""
        handed_over = self._unsettled + self._unanswered
        return handed_over and handed_over + len(self._gathered)

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._writer.start()
        self._readers.start()

    async def close(self) -> None:
        """Write what is queued, then close."""
        if self._writer.is_alive():
            self._hand_over()
            self._handed_over.put(None)
            self._writer.join()
        self._readers.close()
        self._connection.close()
        self._lock.close()

    # Writing

    async def write(self, *changes: Change) -> None:
        await self.submit(*changes)

    def submit(self, *changes: Change) -> "asyncio.Future[None]":
        done = self._loop.create_future()
        self._gather(_Job(changes, done))
        return done

    async def settled(self) -> None:
        if self._writer.is_alive():
            with suppress(JournalUnavailable):
                await self.submit()

    async def shrink(self) -> None:
        """Vacuum free pages, a few at a time."""
        last = None
        while (free := await self._free_pages()) > KEPT_FREE and (last is None or free < last):
            last = free
            await self._between_commits(f"PRAGMA incremental_vacuum({GIVEN_BACK_AT_ONCE})")
        if last is not None:
            await self._between_commits("PRAGMA wal_checkpoint(PASSIVE)")

    async def _free_pages(self) -> int:
        count: int = (await self.ask(FREE_PAGES))[0][0][0]
        return count

    # Reading

    async def ask(self, *asked: Statement) -> list[list[Row]]:
        done: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        self._gather(Question(asked, partial(self._answer, done)))
        return await done

    def _answer(
        self, done: "asyncio.Future[Found]", found: Found | None, error: Exception | None
    ) -> None:
        """Called in a reader's thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._answered, _Outcome(done, found, error))

    def _answered(self, outcome: _Outcome) -> None:
        self._unanswered -= 1
        _deliver(outcome)

    # What is handed to the writer

    def _gather(self, job: _Task) -> None:
        """Coalesce jobs: waking the writer costs more than a write, and so does a commit."""
        self._gathered.append(job)
        if len(self._gathered) == 1 and not self._unsettled:
            self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        """At the end of a turn of the loop, once the outcome of the jobs before is known."""
        if self._gathered:
            questions = sum(isinstance(each, Question) for each in self._gathered)
            self._unanswered += questions
            self._unsettled += len(self._gathered) - questions
            self._handed_over.put(self._gathered)
            self._gathered = []

    def _write(self) -> None:
        while jobs := self._handed_over.get():
            if writing := [job for job in jobs if isinstance(job, _Job)]:
                self._tell(self._settle(writing))
                self._merge_if_due()
            for job in jobs:
                if isinstance(job, Question):
                    self._readers.ask(job)
                elif isinstance(job, _Errand):
                    self._tell([self._run(job)])

    def _settle(self, jobs: Sequence[_Job]) -> list[_Outcome]:
        error = self._commit(jobs)
        if error is not None and len(jobs) > 1:
            # One of them may have made the transaction fail: try each by itself.
            outcomes = [_Outcome(job.done, error=self._commit([job])) for job in jobs]
        else:
            outcomes = [_Outcome(job.done, error=error) for job in jobs]
        last = outcomes[-1].error
        self.trouble = None if last is None else str(last)
        return outcomes

    def _commit(self, jobs: Sequence[_Job]) -> Exception | None:
        try:
            changes = [change for job in jobs for change in job.changes]
            numbers = self._numbers.after(changes)
            written = list(prepared(chain.from_iterable(map(statements.written, changes))))
            self._execute(written)
        except Exception as error:  # noqa: BLE001, the writer must outlive whatever it was given
            with suppress(sqlite3.Error):  # SQLite rolls back by itself when the disk fails
                self._connection.execute("ROLLBACK")
            return error
        self._numbers.keep(numbers)
        self._appended += sum(isinstance(change, NewEntry) for change in changes)
        return None

    def _execute(self, written: Sequence[Statement]) -> None:
        if len(written) == 1:  # SQLite makes a transaction of it by itself
            self._connection.execute(*written[0])
            return
        self._connection.execute("BEGIN")
        for statement in written:
            self._connection.execute(*statement)
        self._connection.execute("COMMIT")

    def _merge_if_due(self) -> None:
        """Merge appended entries; a merge that fails is tried again after as many more."""
        if self._appended >= MOST_APPENDED:
            self._appended = 0
            with suppress(sqlite3.Error):
                merge_entries(self._connection)

    def _newest_entry(self, code: str) -> int:
        """Over the writer's own connection, within its transaction."""
        with closing(self._connection.cursor()) as cursor:
            ((newest,),) = cursor.execute(NEWEST_ENTRY, (code,)).fetchall()
        return newest or 0

    def _tell(self, outcomes: Sequence[_Outcome]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._heard, outcomes)

    def _heard(self, outcomes: Sequence[_Outcome]) -> None:
        self._unsettled -= len(outcomes)
        if self._gathered and not self._unsettled:
            self._loop.call_soon(self._hand_over)
        for each in outcomes:
            _deliver(each)

    # On the disk

    async def _between_commits(self, sql: str) -> None:
        """Run a PRAGMA that takes several steps, of which `execute` would take only the first."""
        done = self._loop.create_future()
        self._gather(_Errand(partial(self._connection.executescript, sql), done))
        await done

    def _run(self, errand: _Errand) -> _Outcome:
        try:
            errand.run()
        except sqlite3.Error as error:
            return _Outcome(errand.done, error=error)
        return _Outcome(errand.done)


def _deliver(outcome: _Outcome) -> None:
    if outcome.done.done():
        return
    if outcome.error is None:
        outcome.done.set_result(outcome.found)
    else:
        outcome.done.set_exception(JournalUnavailable(str(outcome.error)))
