"""Which node has which table: looked up, claimed where its node is gone, and given to another.

A table belongs to the node that its row names, as long as that node is in the register. Of the tables of a node that is
gone each other node claims its share, those that somebody waits for at once, and after a while whatever is left.
"""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection
from functools import partial
from typing import NamedTuple

from diadem_server.cluster.journal import PostgresJournal
from diadem_server.cluster.membership import Membership
from diadem_server.cluster.writer import GUARD
from diadem_server.lobby.lobby import Lobby
from diadem_server.lobby.restore import LATELY, knows_rules, take_up
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import TableRow
from diadem_server.storage.statements import Statement

log = logging.getLogger(__name__)

PARKED_SECONDS = 10.0
"""For which somebody waits for a table whose node is gone."""
LOOK_SECONDS = 0.1
"""Between looks at who has such a table."""
SWEEP_SECONDS = 10.0
"""Between looks for tables that nobody has, where there is no other reason to look."""
LEFT_SECONDS = 2.0
"""After which any node claims a table, whose share ever it was."""
BATCH = 20
"""Tables that are claimed at a time, and then opened."""
MOST_REMEMBERED = 10_000
"""Tables of other nodes."""

FIELDS = "tables.code, setup, seed, tables.version"
WHERE = """
SELECT owner, EXISTS (SELECT FROM nodes WHERE id = owner), ended IS NULL FROM tables
WHERE code = $1 AND (ended IS NULL OR ended > $2)
"""
UNOWNED = f"""
SELECT {FIELDS}, owner FROM tables WHERE (ended IS NULL OR ended > $1)
AND NOT EXISTS (SELECT FROM nodes WHERE id = owner)
"""
CLAIM = f"""
WITH mine AS MATERIALIZED ({GUARD})
UPDATE tables SET owner = $1 FROM mine, unnest($2::text[], $3::bigint[]) AS unowned (code, seen)
WHERE tables.code = unowned.code AND tables.owner IS NOT DISTINCT FROM unowned.seen
RETURNING {FIELDS}
"""
"""Of several nodes that claim a table at once, the first has it: the others see its number there."""
OWN = f"SELECT {FIELDS} FROM tables WHERE owner = $1 AND ended IS NULL"
RELEASE = f"""
WITH mine AS MATERIALIZED ({GUARD})
UPDATE tables SET owner = $2 FROM mine WHERE code = $3 AND owner = $1
AND EXISTS (SELECT FROM nodes WHERE id = $2) RETURNING 1
"""


class _Unowned(NamedTuple):
    row: TableRow
    seen: int | None
    """The owner that is gone."""


class Ownership:
    def __init__(self, lobby: Lobby, journal: PostgresJournal, membership: Membership) -> None:
        self._lobby = lobby
        self._journal = journal
        self._membership = membership
        self._owners: OrderedDict[str, int] = OrderedDict()
        """Tables of other nodes, as far as this one has been told."""
        self._seeking: dict[str, asyncio.Task[int | None]] = {}
        """Tables that somebody waits for."""
        self._unowned_since: dict[str, float] = {}
        self._opening: set[str] = set()
        """Tables of this node that are not open yet."""
        self._look = asyncio.Event()
        self.is_reached: Callable[[int], bool] = lambda node: node in membership.nodes
        """Whether a node can be asked for its tables."""
        self.owned: Callable[[str], None] | None = None
        """Called with each table that this node has from now on."""

    # Routing

    @property
    def node(self) -> int:
        return self._journal.node

    async def owner(self, code: str) -> int | None:
        if code in self._lobby.tables or code in self._lobby.shut:
            return self.node
        node = self._owners.get(code)
        if node is not None and self.is_reached(node):
            self._owners.move_to_end(code)
            return node
        seeking = self._seeking.get(code)
        if seeking is None:
            seeking = self._seeking[code] = asyncio.create_task(self._seek(code))
            seeking.add_done_callback(partial(self._has_sought, code))
        return await asyncio.shield(seeking)  # others may wait for it as well

    def forget(self, code: str) -> None:
        self._owners.pop(code, None)

    def learn(self, code: str, node: int) -> None:
        """Another node says that it has this table."""
        self._owners[code] = node
        self._owners.move_to_end(code)
        if len(self._owners) > MOST_REMEMBERED:
            self._owners.popitem(last=False)

    def _has_sought(self, code: str, seeking: "asyncio.Task[int | None]") -> None:
        del self._seeking[code]
        if not seeking.cancelled():
            seeking.exception()  # for whoever has waited to the end

    async def _seek(self, code: str) -> int | None:
        """Ends when it is known, or when nobody has had it for long."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + PARKED_SECONDS
        while loop.time() < ends:
            asked = Statement(WHERE, (code, self._over_since))
            found = (await self._journal.ask(asked))[0]
            if not found:
                return None
            owner, is_member, is_running = found[0]
            if owner == self.node:
                if code not in self._opening:
                    if is_running:
                        await self._open_own()
                    return self.node
            elif is_member and self.is_reached(node := int(owner)):
                self.learn(code, node)
                return node
            elif not is_member:
                self._look.set()
            await asyncio.sleep(LOOK_SECONDS)
        raise JournalUnavailable(f"nobody has table {code} now")

    # Claiming

    def look(self) -> None:
        """The register has changed: tables may be free."""
        self._look.set()

    async def run(self) -> None:
        try:
            await self._keep_sweeping()
        finally:
            for seeking in self._seeking.values():
                seeking.cancel()

    async def _keep_sweeping(self) -> None:
        while True:
            self._look.clear()
            try:
                await self._sweep()
            except JournalUnavailable as error:
                log.warning("tables of nodes that are gone cannot be claimed: %s", error)
            pause = LOOK_SECONDS if self._unowned_since else SWEEP_SECONDS
            try:
                async with asyncio.timeout(pause):
                    await self._look.wait()
            except TimeoutError:
                await self._open_own_if_possible()

    async def _sweep(self) -> None:
        """Claim this node's share, some at a time, so that others can help."""
        while mine := await self._share():
            claimed = await self._claim(mine[:BATCH])
            try:
                for row in claimed:
                    await self._open(row)
            finally:
                self._opening.difference_update(row.code for row in claimed)
            if not claimed:
                return

    async def _share(self) -> list[_Unowned]:
        rows = (await self._journal.ask(Statement(UNOWNED, (self._over_since,))))[0]
        unowned = [_Unowned(TableRow(*row[:4]), row[4]) for row in rows]
        unowned = [each for each in unowned if knows_rules(each.row)]
        now = asyncio.get_running_loop().time()
        since = {each.row.code: self._unowned_since.get(each.row.code, now) for each in unowned}
        self._unowned_since = since
        takers = self.takers
        if self.node not in takers:
            return []
        mine = [
            each
            for each in unowned
            if (code := each.row.code) in self._seeking
            or now - since[code] >= LEFT_SECONDS
            or taker(code, takers) == self.node
        ]
        return sorted(mine, key=lambda each: each.row.code not in self._seeking)

    @property
    def takers(self) -> Collection[int]:
        """The nodes that tables may go to."""
        taking = (node for node in self._membership.nodes.values() if not node.draining)
        return [node.id for node in taking if node.id != self.node or not self._lobby.is_draining]

    async def _claim(self, unowned: Collection[_Unowned]) -> list[TableRow]:
        codes = [each.row.code for each in unowned]
        self._opening.update(codes)
        try:
            async with self._journal.connection() as connection:
                owners = [each.seen for each in unowned]
                rows = await connection.fetch(CLAIM, self.node, codes, owners)
        except BaseException:
            self._opening.difference_update(codes)
            raise
        claimed = [TableRow(*row) for row in rows]
        self._opening.difference_update(set(codes) - {row.code for row in claimed})
        return claimed

    async def _open(self, row: TableRow) -> None:
        code = row.code
        try:
            table = await take_up(self._lobby, row)
        finally:
            self._opening.discard(code)
        self._unowned_since.pop(code, None)
        self.forget(code)
        if table is not None:
            self._lobby.open(table)
        log.info("table %s goes on here", code)
        if self.owned is not None:
            self.owned(code)

    async def _open_own_if_possible(self) -> None:
        try:
            await self._open_own()
        except JournalUnavailable as error:
            log.warning("it is not known which tables are this node's: %s", error)

    async def _open_own(self) -> None:
        """Tables that were given to this node, or that it claimed without being answered. What was just about to be
        dropped is found once at the most."""
        if first := await self._not_open():
            again = await self._not_open()
            rows = [row for row in again.values() if row.code in first]
            self._opening.update(row.code for row in rows)
            try:
                for row in rows:
                    await self._open(row)
            finally:
                self._opening.difference_update(row.code for row in rows)

    async def _not_open(self) -> dict[str, TableRow]:
        """The tables of this node that are not here."""
        rows = (await self._journal.ask(Statement(OWN, (self.node,))))[0]
        here = (*self._lobby.tables, *self._lobby.shut, *self._opening)
        return {row[0]: TableRow(*row) for row in rows if row[0] not in here}

    @property
    def _over_since(self) -> float:
        return self._lobby.config.now() - LATELY

    # Giving away

    def next_owner(self, code: str) -> int | None:
        """The node that a table goes to when it leaves this one; None if there is no other."""
        others = [node for node in self.takers if node != self.node]
        return taker(code, others) if others else None

    async def release(self, code: str, node: int) -> bool:
        """Give a table that is closed here to another node."""
        async with self._journal.connection() as connection:
            is_released = await connection.fetchval(RELEASE, self.node, node, code)
        if is_released:
            self.learn(code, node)
        return bool(is_released)


def taker(code: str, nodes: Collection[int]) -> int:
    """The same for whoever computes it, and of each node's tables about as many for each other (rendezvous hashing)."""
    return max(nodes, key=lambda node: hashlib.sha256(f"{node} {code}".encode()).digest())
