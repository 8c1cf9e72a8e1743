"""Which node has which table: looked up, claimed where its node is gone, and given to another.

A table belongs to the node that its row names, as long as that node is in the register. Of the tables of a node that is
gone each other node claims its share, those that somebody waits for at once, and after a while whatever is left.
"""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import NamedTuple

from diadem_server.cluster.journal import PostgresJournal
from diadem_server.cluster.lookups import Lookups
from diadem_server.cluster.membership import Membership
from diadem_server.cluster.writer import GUARD
from diadem_server.lobby.lobby import Lobby
from diadem_server.lobby.restore import LATELY, knows_rules, load_table
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import TableRow
from diadem_server.storage.statement import Statement

log = logging.getLogger(__name__)

PARKED_SECONDS = 10.0
"""For which somebody waits for a table whose node is gone."""
LOOK_SECONDS = 0.1
"""Between looks at who has such a table."""
SWEEP_SECONDS = 10.0
"""Between looks for tables that nobody has, where there is no other reason to look."""
GIVEN_SECONDS = 1.0
"""Between looks for tables that others give to this node."""
LEFT_SECONDS = 2.0
"""After which any node claims a table, whose share ever it was."""
BATCH = 20
"""Tables that are claimed at a time, and then opened."""
MOST_REMEMBERED = 10_000
"""Tables of other nodes."""
MOST_NODES = (1 << 63) - 1
"""No node has this number."""

FIELDS = "tables.code, setup, seed, tables.version"
UNOWNED = f"""
WITH gaps AS (
    SELECT id AS above, lead(id, 1, {MOST_NODES}) OVER (ORDER BY id) AS below
    FROM (SELECT 0 AS id UNION ALL SELECT id FROM nodes) AS numbers
)
SELECT unowned.* FROM gaps, LATERAL (
    SELECT {FIELDS}, owner FROM tables WHERE ended IS NULL AND owner > above AND owner < below
    ORDER BY owner
) AS unowned
UNION ALL
SELECT {FIELDS}, owner FROM tables
WHERE ended > $1 AND NOT EXISTS (SELECT FROM nodes WHERE id = owner)
"""
"""By the index of owners, between the numbers of one node and the next: tables that have one are not looked at."""
CLAIM = f"""
WITH mine AS MATERIALIZED ({GUARD})
UPDATE tables SET owner = $1 FROM mine, unnest($2::text[], $3::bigint[]) AS unowned (code, seen)
WHERE tables.code = unowned.code AND tables.owner = unowned.seen
RETURNING {FIELDS}
"""
"""Of several nodes that claim a table at once, the first has it: the others see its number there."""
OWN = "SELECT code FROM tables WHERE owner = $1 AND ended IS NULL"
OWN_OF_THESE = f"""
SELECT {FIELDS} FROM tables
WHERE code = ANY($2::text[]) AND owner = $1 AND (ended IS NULL OR ended > $3)
"""
RELEASE = f"""
WITH mine AS MATERIALIZED ({GUARD})
UPDATE tables SET owner = $2 FROM mine WHERE code = $3 AND owner = $1
AND EXISTS (SELECT FROM nodes WHERE id = $2) RETURNING 1
"""

SHARES = "SELECT owner, count(*) FROM tables WHERE ended IS NULL GROUP BY owner"


class _Unowned(NamedTuple):
    row: TableRow
    seen: int
    """The owner that is gone."""


class Ownership:
    def __init__(self, lobby: Lobby, journal: PostgresJournal, membership: Membership) -> None:
        self._lobby = lobby
        self._journal = journal
        self._membership = membership
        self._owners: OrderedDict[str, int] = OrderedDict()
        """Tables of other nodes, as the database had it when it was last asked."""
        self._lookups = Lookups(journal, lambda: self._over_since)
        self._seeking: dict[str, asyncio.Task[int | None]] = {}
        """Tables that somebody waits for."""
        self._unowned_since: dict[str, float] = {}
        self._opening: set[str] = set()
        """Tables of this node that are not open yet."""
        self._opening_own = asyncio.Lock()
        self._may_have_more = True
        """There may be tables of this node that are not open here."""
        self._look = asyncio.Event()
        self.is_reached: Callable[[int], bool] = lambda node: node in membership.nodes
        """Whether a node can be asked for its tables."""

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
        """Another node has this table."""
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
            found = await self._lookups.find(code)
            if found is None:
                return None
            if found.owner == self.node:
                if code not in self._opening:
                    await (self._open_own() if found.is_running else self._open_over(code))
                    return self.node
            elif found.is_member and self.is_reached(found.owner):
                self.learn(code, found.owner)
                return found.owner
            elif not found.is_member:
                self._look.set()
            await asyncio.sleep(LOOK_SECONDS)
        raise JournalUnavailable(f"nobody has table {code} now")

    # Claiming

    def look(self) -> None:
        """The register has changed: tables may be free, or given to this node."""
        self._may_have_more = True
        self._look.set()

    async def run(self) -> None:
        try:
            await self._keep_sweeping()
        finally:
            self._lookups.close()
            for seeking in self._seeking.values():
                seeking.cancel()

    async def _keep_sweeping(self) -> None:
        while True:
            self._look.clear()
            try:
                await self._sweep()
                if self._may_have_more:
                    self._may_have_more = self._is_given_tables
                    await self._open_own()
            except JournalUnavailable as error:
                self._may_have_more = True
                log.warning("tables of nodes that are gone cannot be claimed: %s", error)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._look.wait()

    @property
    def _pause(self) -> float:
        if self._unowned_since:
            return LOOK_SECONDS
        return GIVEN_SECONDS if self._may_have_more else SWEEP_SECONDS

    @property
    def _is_given_tables(self) -> bool:
        """Another node gives its tables away. Once it has, it leaves the register."""
        return any(node.draining for node in self._membership.nodes.values())

    async def _sweep(self) -> None:
        """Claim this node's share, some at a time, so that others can help."""
        left = {each.row.code: each for each in await self._unowned()}
        share = iter(self._share(left))
        while left and self.node in self.takers:
            sought = [code for code in self._seeking if code in left]
            others = (code for code in share if code in left and code not in sought)
            codes = [*sought, *islice(others, max(0, BATCH - len(sought)))]
            if not codes:
                return
            claimed = await self._claim([left.pop(code) for code in codes])
            try:
                for row in claimed:
                    await self._open(row)
            finally:
                self._opening.difference_update(row.code for row in claimed)

    async def _unowned(self) -> list[_Unowned]:
        rows = (await self._journal.ask(Statement(UNOWNED, (self._over_since,))))[0]
        unowned = [_Unowned(TableRow(*row[:4]), row[4]) for row in rows]
        unowned = [each for each in unowned if knows_rules(each.row)]
        now = asyncio.get_running_loop().time()
        since = self._unowned_since
        self._unowned_since = {each.row.code: since.get(each.row.code, now) for each in unowned}
        return unowned

    def _share(self, codes: Iterable[str]) -> list[str]:
        """Those that this node is to claim."""
        now, takers = asyncio.get_running_loop().time(), self.takers
        return [
            code
            for code in codes
            if now - self._unowned_since[code] >= LEFT_SECONDS
            or (takers and taker(code, takers) == self.node)
        ]

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
            table = await load_table(self._lobby, row)
        finally:
            self._opening.discard(code)
        self._unowned_since.pop(code, None)
        self.forget(code)
        if table is not None:
            self._lobby.open(table)
        log.info("table %s goes on here", code)

    async def _open_own(self) -> None:
        """Tables that were given to this node, or that it claimed without being answered; all are there when it ends.
        What was just about to be dropped is found once at the most."""
        async with self._opening_own:  # whoever comes second waits for what the first opens
            if (first := await self._not_open()) and (codes := first & await self._not_open()):
                await self._open_these(codes)

    async def _open_over(self, code: str) -> None:
        """A table of this node whose match is over, and that somebody comes to who may not have seen the end."""
        async with self._opening_own:
            if code not in self._lobby.tables and code not in self._opening:
                await self._open_these({code})

    async def _open_these(self, codes: set[str]) -> None:
        self._opening |= codes
        try:
            asked = Statement(OWN_OF_THESE, (self.node, list(codes), self._over_since))
            for row in (await self._journal.ask(asked))[0]:
                await self._open(TableRow(*row))
        finally:
            self._opening -= codes

    async def _not_open(self) -> set[str]:
        """The tables of this node that are not here."""
        rows = (await self._journal.ask(Statement(OWN, (self.node,))))[0]
        codes = {code for (code,) in rows}
        return codes.difference(self._lobby.tables, self._lobby.shut, self._opening)

    @property
    def _over_since(self) -> float:
        return self._lobby.config.now() - LATELY

    # Giving away

    async def shares(self) -> dict[int, int]:
        """How many tables each node has, of those between which tables may be moved: of the same version as this one, so that they know
        the same rules, and linked with it. None while one of them gives all of its tables away."""
        rows = (await self._journal.ask(Statement(SHARES)))[0]
        counts: dict[int, int] = {row[0]: row[1] for row in rows}
        nodes = self._membership.nodes
        if self.node not in nodes or any(each.draining for each in nodes.values()):
            return {}
        version = nodes[self.node].version
        alike = (each.id for each in nodes.values() if each.version == version)
        return {
            id_: counts.get(id_, 0) for id_ in alike if id_ == self.node or self.is_reached(id_)
        }

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
