"""The register of nodes: heartbeats, and the fence.

No clocks of two machines are compared. A node is dead when its beat has not moved for a while by the clock of
whoever looks; whoever cannot beat itself starts to look anew, so that nobody is fenced because the database was away.
"""

import asyncio
import logging
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import asyncpg

from diadem_server.cluster.failures import ENDED, LOST, describe_error
from diadem_server.cluster.writer import LOCK_CLASS, Connect, Connection

log = logging.getLogger(__name__)

BEAT_SECONDS = 1.0
ANSWER_SECONDS = 1.0
"""For which a beat waits for the database."""
DEAD_SECONDS = 5.0
"""Without a beat, after which a node is fenced."""
UNLOCKED_SECONDS = 1.5
"""The same for a node whose connection has ended: its process is gone."""
LOOK_SECONDS = 0.05
"""Between two looks at the least."""

BEAT = "UPDATE nodes SET beat = beat + 1 WHERE id = $1 RETURNING 1"
NODES = """
SELECT id, beat, address, version, fingerprint, draining, EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = id AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
) AS is_locked FROM nodes
"""
FENCE = "DELETE FROM nodes WHERE id = $1 AND beat = $2 RETURNING 1"
"""Waits for an append under way; of several nodes that fence, one has the row."""


class Node(NamedTuple):
    id: int
    address: str
    """Where other nodes reach it."""
    version: str
    fingerprint: str
    """Of its certificate."""
    draining: bool
    """It gives its tables away, and takes none."""


class _Seen(NamedTuple):
    beat: int
    since: float
    """When this beat was first seen."""


class Membership:
    def __init__(
        self,
        connect: Connect,
        node: int,
        *,
        fenced: Callable[[], None],
        died: Callable[[int], None] = lambda _: None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`fenced` is called when this node is not in the register any more; `died` with each that this node has
        fenced, whose tables are free to be claimed; `changed` when the register has."""
        self._connect = connect
        self._node = node
        self._fenced = fenced
        self._died = died
        self._changed = changed
        self._seen: dict[int, _Seen] = {}
        self._next_death = math.inf
        """When a node would be dead, if its beat does not move until then."""
        self._look = asyncio.Event()
        self._fencing: dict[int, asyncio.Task[None]] = {}
        self.nodes: Mapping[int, Node] = {}
        """Those in the register, by number, this one among them."""
        self.trouble: str | None = None

    def look(self) -> None:
        """Something has happened to a node: beat and watch soon, instead of after a second."""
        self._look.set()

    async def run(self) -> None:
        """Beat and watch, until this node is fenced."""
        connection: Connection | None = None
        try:
            while True:
                try:
                    async with asyncio.timeout(ANSWER_SECONDS):
                        connection = connection or await self._connect()
                        is_member = await self._beat(connection)
                    self.trouble = None
                except (*LOST, *ENDED, asyncpg.PostgresError) as error:
                    self.trouble = describe_error(error)
                    if connection is not None:
                        connection.terminate()
                    connection = None
                    self._next_death = math.inf
                    self._seen.clear()  # whoever seems not to beat may be as cut off as this node was
                else:
                    if not is_member:
                        self._fenced()
                        return
                await self._until_next()
        finally:
            for task in self._fencing.values():
                task.cancel()
            if connection is not None:
                connection.terminate()

    async def _until_next(self) -> None:
        now = asyncio.get_running_loop().time()
        with suppress(TimeoutError):
            async with asyncio.timeout(min(BEAT_SECONDS, max(0.0, self._next_death - now))):
                await asyncio.sleep(LOOK_SECONDS)
                await self._look.wait()
        self._look.clear()

    async def _beat(self, connection: Connection) -> bool:
        if not await connection.fetchval(BEAT, self._node):
            return False
        rows = await connection.fetch(NODES, LOCK_CLASS)
        nodes = {row["id"]: Node(*(row[field] for field in Node._fields)) for row in rows}
        if nodes != self.nodes:
            self.nodes = nodes
            self._changed()
        now = asyncio.get_running_loop().time()
        before, self._seen = self._seen, {}
        self._next_death = math.inf
        for row in rows:
            id_, beat = row["id"], row["beat"]
            seen = before.get(id_)
            seen = self._seen[id_] = seen if seen and seen.beat == beat else _Seen(beat, now)
            limit = DEAD_SECONDS if row["is_locked"] else UNLOCKED_SECONDS
            if id_ == self._node or id_ in self._fencing:
                continue
            if now - seen.since < limit:
                self._next_death = min(self._next_death, seen.since + limit)
            else:
                task = asyncio.create_task(self._fence(id_, beat))
                self._fencing[id_] = task
                task.add_done_callback(partial(self._is_done, id_))
        return True

    def _is_done(self, node: int, _: "asyncio.Task[None]") -> None:
        """By this node or another one: its tables are free."""
        del self._fencing[node]
        self.look()

    async def _fence(self, node: int, beat: int) -> None:
        """Over a connection of its own: the node's last append may be under way."""
        try:
            connection = await self._connect()
            try:
                if await connection.fetchval(FENCE, node, beat):
                    log.warning("node %d does not beat any more; it is fenced", node)
                    await connection.execute("DELETE FROM commits WHERE node = $1", node)
                    self._died(node)
            finally:
                connection.terminate()
        except (*LOST, *ENDED, asyncpg.PostgresError) as error:
            log.warning("node %d could not be fenced: %s", node, describe_error(error))
