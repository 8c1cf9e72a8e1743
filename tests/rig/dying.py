"""A server that kills itself at one step of making an entry: the crash sweep's victim.

    python -m tests.rig.dying FOLDER STEP NTH [PLANT]

SIGKILL, so that nothing is tidied up; with a plant, a fault that the sweep has to notice.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from diadem_server.journal import Journal
from diadem_server.records import Statement
from diadem_server.sessions import Session
from diadem_server.table import Table
from tests.rig.wire import server

STEPS = ("before", "between", "after", "answered", "shown")
"""Before the commit, with all written but not committed, committed, acknowledged, and shown."""
PLANTS = ("acknowledges-first",)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Doom:
    """Counts the entries that reach the journal, and strikes at the n-th."""

    def __init__(self, step: str, nth: int) -> None:
        self._step = step
        self._nth = nth
        self._entries = 0

    @property
    def _has_come(self) -> bool:
        return self._entries >= self._nth

    def commit(self, journal: Journal, jobs: Sequence[Any]) -> Any:
        statements = [statement for job in jobs for statement in job.statements]
        self._entries += sum("INTO entries" in statement.sql for statement in statements)
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


async def main(folder: Path, step: str, nth: int, plant: str = "") -> None:
    doom, hasty = Doom(step, nth), Hasty()
    # Bound as they are, they would not be told whose method they stand for.
    faults: dict[tuple[type, str], Any] = {
        (Journal, "_commit"): lambda *given: doom.commit(*given),  # noqa: PLW0108
        (Session, "answer"): lambda *given: doom.answer(*given),  # noqa: PLW0108
        (Table, "show"): lambda *given: doom.show(*given),  # noqa: PLW0108
    }
    if plant == "acknowledges-first":
        faults[Journal, "write"] = lambda *given: hasty.write(*given)  # noqa: PLW0108
    with ExitStack() as stack:
        for (owner, name), fault in faults.items():
            stack.enter_context(patch.object(owner, name, fault))
        async with server(folder) as app:
            sys.stdout.write(f"{app.port}\n")
            sys.stdout.flush()
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), *sys.argv[4:]))
