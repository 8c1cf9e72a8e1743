"""A server that kills itself at one step of writing something: the crash sweep's victim.

    python -m tests.rig.dying FOLDER WHAT STEP NTH [PLANT]

SIGKILL, so that nothing is tidied up; with a plant, a fault that the sweep has to notice.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from diadem.games import GAMES
from diadem_server.sessions.answers import Answers
from diadem_server.sessions.sessions import Session
from diadem_server.storage.records import Statement
from diadem_server.storage.sqlite import Journal
from diadem_server.table.table import Table
from tests.rig.wire import server
from tests.sample_game import Numbers

STEPS = ("before", "between", "after", "answered", "shown")
"""Before the commit, with all written but not committed, committed, acknowledged, and shown."""
WHAT: dict[str, Callable[[Statement], int]] = {
    "entry": lambda statement: "INTO entries" in statement.sql,
    "table": lambda statement: "INTO tables" in statement.sql,
    "chat": lambda statement: "INTO chat" in statement.sql,
    "readiness": lambda statement: "INTO ready" in statement.sql,
    "refusal": lambda statement: "INTO answers" in statement.sql and _refuses(statement),
    "last move": lambda statement: "UPDATE tables SET line" in statement.sql,
    "answer": lambda statement: "INTO answers" in statement.sql,
}
"""What is written, and how to tell by a statement."""
PLANTS = ("acknowledges-first",)
"""Noticed by what players see of their match."""
PLANTS_OF_ANSWERS = ("answers-first", "keeps-no-answers")
"""Noticed by what is answered when they repeat themselves."""


def _refuses(statement: Statement) -> bool:
    return any(isinstance(value, bytes) and b"refused" in value for value in statement.values)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Doom:
    """Counts what reaches the journal, and strikes at the n-th of its kind."""

    def __init__(self, what: str, step: str, nth: int) -> None:
        self._counts = WHAT[what]
        self._step = step
        self._nth = nth
        self._written = 0

    @property
    def _has_come(self) -> bool:
        return self._written >= self._nth

    def commit(self, journal: Journal, jobs: Sequence[Any]) -> Any:
        statements = [statement for job in jobs for statement in job.statements]
        self._written += sum(map(self._counts, statements))
        if self._has_come and self._step == "before":
            die()
        if self._has_come and self._step == "between":
            journal._connection.execute("BEGIN")
            for statement in statements:
                journal._connection.execute(*statement)
            die()
        error = COMMIT(journal, jobs)
        if self._has_come and self._step == "after":
            die()
        return error

    def answer(self, session: Session, answer: Any) -> None:
        ANSWER(session, answer)
        if self._has_come and self._step == "answered":
            die()

    def show(self, table: Table, last: Any) -> None:
        SHOW(table, last)
        if self._has_come and self._step == "shown":
            die()


COMMIT, ANSWER, SHOW, WRITE = Journal._commit, Session.answer, Table.show, Journal.write


class Hasty:
    """The planted fault: what is to be written waits for the next, but is called written."""

    def __init__(self) -> None:
        self._late: tuple[Statement, ...] = ()

    async def write(self, journal: Journal, *statements: Statement) -> None:
        now, self._late = self._late, statements
        await WRITE(journal, *now)


async def answers_first(table: Table, session: Session, answer: Any, *written: Statement) -> None:
    """The planted fault: a command that makes no entry is answered before it is written."""
    session.answer(answer)
    await table._lobby.journal.write(*written)


async def main(folder: Path, what: str, step: str, nth: int, plant: str = "") -> None:
    doom, hasty = Doom(what, step, nth), Hasty()
    GAMES[Numbers.name] = Numbers()
    # Bound as they are, they would not be told whose method they stand for.
    faults: dict[tuple[type, str], Any] = {
        (Journal, "_commit"): lambda *given: doom.commit(*given),  # noqa: PLW0108
        (Session, "answer"): lambda *given: doom.answer(*given),  # noqa: PLW0108
        (Table, "show"): lambda *given: doom.show(*given),  # noqa: PLW0108
    }
    if plant == "acknowledges-first":
        faults[Journal, "write"] = lambda *given: hasty.write(*given)  # noqa: PLW0108
    if plant == "answers-first":
        faults[Table, "acknowledge"] = answers_first
    if plant == "keeps-no-answers":
        faults[Answers, "rows"] = lambda *_: []
    with ExitStack() as stack:
        for (owner, name), fault in faults.items():
            stack.enter_context(patch.object(owner, name, fault))
        async with server(folder) as app:
            sys.stdout.write(f"{app.port}\n")
            sys.stdout.flush()
            await asyncio.Event().wait()


if __name__ == "__main__":
    given_folder, given_what, given_step, given_nth, *given_plant = sys.argv[1:]
    asyncio.run(main(Path(given_folder), given_what, given_step, int(given_nth), *given_plant))
