"""Faults that are planted into a node, to see that the checker of histories finds what comes of them.

python -m tests.cluster.plants PLANT ... starts `game-server` with one of them.
"""

import asyncio
import sys
from typing import Any

from diadem_server.cli import main
from diadem_server.cluster.journal import PostgresJournal


def acknowledge_first() -> None:
    """What was asked for counts as written at once."""
    submit = PostgresJournal.submit

    def promised(self: PostgresJournal, *changes: Any) -> "asyncio.Future[None]":
        submit(self, *changes).add_done_callback(asyncio.Future.exception)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    PostgresJournal.submit = promised  # type: ignore[method-assign]


if __name__ == "__main__":
    globals()[sys.argv.pop(1)]()
    main()
