"""Faults that are planted into a node, to see that the tests find what comes of them.

`python -c "from tests.cluster import plants; plants.run()" PLANT ...` starts `game-server` with one of them.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Any

from diadem_server.cli import main
from diadem_server.cluster import journal, node, writer
from diadem_server.cluster.journal import PostgresJournal
from diadem_server.cluster.membership import BEAT_SECONDS, DEAD_SECONDS, Membership
from diadem_server.cluster.writer import Connect

ANYBODY = "SELECT 1 WHERE $1::bigint > 0"
BY_WALL_CLOCK = "ALTER TABLE nodes ADD COLUMN IF NOT EXISTS seen DOUBLE PRECISION"


def acknowledge_first() -> None:
    """What was asked for counts as written at once."""
    submit = PostgresJournal.submit

    def promised(self: PostgresJournal, *changes: Any) -> "asyncio.Future[None]":
        submit(self, *changes).add_done_callback(asyncio.Future.exception)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    PostgresJournal.submit = promised  # type: ignore[method-assign]


def no_fence(put: Callable[[Any, str, Any], None] = setattr) -> None:
    """A node writes whether it is in the register or not."""
    guard = writer.GUARD
    for name in ("APPEND", "APPEND_AND_ANSWER", "GUARD"):
        put(writer, name, getattr(writer, name).replace(guard, ANYBODY))
    put(journal, "GUARD", ANYBODY)


def expiry_by_wall_clock(put: Callable[[Any, str, Any], None] = setattr) -> None:
    """A node is dead when the time that it has put into the register is long past, by the clock of whoever looks."""
    put(node, "Membership", ByWallClock)


class ByWallClock(Membership):
    def __init__(self, connect: Connect, node: int, **told: Any) -> None:
        super().__init__(connect, node, **told)
        self.reach, self.number = connect, node

    async def run(self) -> None:
        expiring = asyncio.create_task(self.expire())
        try:
            await super().run()
        finally:
            expiring.cancel()

    async def expire(self) -> None:
        connection = await self.reach()
        await connection.execute(BY_WALL_CLOCK)
        while True:
            now = time.time()
            await connection.execute("UPDATE nodes SET seen = $2 WHERE id = $1", self.number, now)
            await connection.execute("DELETE FROM nodes WHERE seen < $1", now - DEAD_SECONDS)
            await asyncio.sleep(BEAT_SECONDS)


def run() -> None:
    globals()[sys.argv.pop(1)]()
    main()
