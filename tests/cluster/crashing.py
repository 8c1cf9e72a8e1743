"""A node that kills itself at one step of the next entry after it is told to, by SIGUSR1.

    python -m tests.cluster.crashing STEP OPTION ...

By SIGKILL, so that nothing is cleaned up, and the steps of the sweep that servers alone are put to.
"""

import asyncio
import signal
import sys
from collections.abc import Sequence
from typing import Any

from diadem_server.cli import main
from diadem_server.cluster.writer import Writer
from diadem_server.sessions.sessions import Session
from diadem_server.storage.statement import Statement
from diadem_server.storage.statements import NEW_ENTRY
from diadem_server.table.table import Table
from tests.rig.crashing_server import STEPS, die

UNDER_WAY = 5
"""Turns of the loop after which a statement has been sent, and is not answered."""
COMMIT, ANSWER, SHOW = Writer.commit, Session.answer, Table.show


class Crash:
    def __init__(self, step: str) -> None:
        assert step in STEPS, step
        self._step = step
        self._is_told = False
        self._is_written = False
        """The entry at which it is to end."""
        signal.signal(signal.SIGUSR1, self._told)

    def _told(self, *_: object) -> None:
        self._is_told = True

    async def commit(self, writer: Writer, statements: Sequence[Statement]) -> None:
        is_next = self._is_told and any(sql == NEW_ENTRY for sql, _ in statements)
        if is_next and self._step == "before":
            die()
        committing = asyncio.create_task(COMMIT(writer, statements))
        if is_next and self._step == "between":
            for _ in range(UNDER_WAY):
                await asyncio.sleep(0)
            die()
        await committing
        if is_next and self._step == "after":
            die()
        self._is_written = self._is_written or is_next

    def answer(self, session: Session, answer: Any) -> None:
        ANSWER(session, answer)
        if self._is_written and self._step == "answered":
            die()

    def show(self, table: Table, *given: Any, **named: Any) -> None:
        SHOW(table, *given, **named)
        if self._is_written and self._step == "shown":
            die()


def run(step: str) -> None:
    crash = Crash(step)
    # Plain functions: bound methods would not be passed the instance.
    Writer.commit = lambda *given: crash.commit(*given)  # type: ignore[method-assign]  # noqa: PLW0108
    Session.answer = lambda *given: crash.answer(*given)  # type: ignore[method-assign]  # noqa: PLW0108
    Table.show = lambda *given, **named: crash.show(*given, **named)  # type: ignore[method-assign]  # noqa: PLW0108
    main()


if __name__ == "__main__":
    run(sys.argv.pop(1))
