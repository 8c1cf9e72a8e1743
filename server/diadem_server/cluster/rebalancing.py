"""Rebalancing: tables move from nodes that have many to nodes that have few.

A node that joins has no tables, and one that was started again has none either: what it gave away when it ended is elsewhere. So
every few seconds each node counts the tables of all, works out by itself which moves would even them out, and makes those that
start at itself. All work it out from the same counts by the same rule, so that two nodes do not fill a third one twice.

What keeps players from noticing it, and tables from moving to and fro:

- A table moves between turns alone: see `is_between_turns`. Whoever is there goes along with the line open.
- Few move in a minute, and none while nodes come and go, or one is draining.
- A difference that is small is left alone, and a table that has just come stays for a while.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from math import ceil, inf

from diadem_server.storage.journal import JournalUnavailable
from diadem_server.table.table import Table
from diadem_shared.match import Phase

log = logging.getLogger(__name__)

ROUND_SECONDS = 10.0
"""Between two looks at how many tables each node has."""
RECEIVING_SECONDS = 1.0
"""The same at a node that is given some: a table at which nobody is, is opened there once it is found."""
LOOKING_SECONDS = 60.0
"""For which it looks for them after it was to be given some last."""
STEADY_SECONDS = 30.0
"""For which the same nodes must have been there before a table is moved."""
HERE_SECONDS = 60.0
"""For which a table stays that has come here, or was made here."""
ONE_IN = 300
"""A node gives one table of so many in each round, and at least one: six a minute, or 2 % of its tables."""
LEAST_GAP = 3
"""Tables that the fullest node has more than the emptiest before one is moved. With two, a table that ends would be
reason enough to move one back."""
PART_OF_MEAN = 20
"""The same where nodes have many tables: one in so many of the mean."""


def planned(shares: Mapping[int, int], node: int) -> list[int]:
    """The nodes to which this one gives a table each in this round, by how many tables each node has.

    Time and again one goes from the fullest node that may still give one to the emptiest, until they are about even. A node near the
    mean gives none while others are above it, so that it does not receive one later in place of what it gave.
    """
    if node not in shares:
        return []
    left, given = dict(shares), list[int]()
    quotas = {each: max(1, count // ONE_IN) for each, count in shares.items()}
    mean = sum(shares.values()) / len(shares)
    gap = max(LEAST_GAP, int(mean) // PART_OF_MEAN)
    while quotas:
        fullest = max(quotas, key=lambda each: (left[each], -each))
        emptiest = min(left, key=lambda each: (left[each], each))
        is_near_mean = left[fullest] <= ceil(mean) < max(left.values())
        if left[fullest] - left[emptiest] < gap or is_near_mean:
            break
        left[fullest] -= 1
        left[emptiest] += 1
        quotas[fullest] -= 1
        if not quotas[fullest]:
            del quotas[fullest]
        if fullest == node:
            given.append(emptiest)
    return given


def is_between_turns(table: Table) -> bool:
    """Whether nobody who is there is to move: a round has not begun, or it is the turn of bots and of people who are away. Not
    while a round is dealt, which waits for clients, nor once the match is over: such a table ends soon."""
    match, present = table.match, table.seating.present
    if match.phase is Phase.OVER or match.commitments or table.shuffling.is_dealing:
        return False
    return not any(present[seat] and match.players[seat].played_by is None for seat in match.actors)


class Rebalancing:
    def __init__(
        self,
        node: int,
        tables: Mapping[str, Table],
        shares: Callable[[], Awaitable[Mapping[int, int]]],
        give: Callable[[Table, int], Awaitable[bool]],
        look: Callable[[], None] = lambda: None,
    ) -> None:
        """`tables` of this node, by code. `shares`: how many tables each node has that takes some. `give` moves a table to a node, if
        nothing goes on there just then, and says whether it has. `look` finds and opens tables that were given to this node."""
        self._node = node
        self._tables = tables
        self._shares = shares
        self._give = give
        self._look = look
        self._here_since: dict[str, float] = {}
        self._nodes: frozenset[int] = frozenset()
        self._steady_since = 0.0
        """Since when there are these nodes."""
        self._receives = False
        self._received_at = -inf

    async def run(self) -> None:
        while True:
            await asyncio.sleep(RECEIVING_SECONDS if self._receives else ROUND_SECONDS)
            try:
                await self._make_round()
            except JournalUnavailable as error:
                log.warning("tables are not moved to emptier nodes: %s", error)

    async def _make_round(self) -> None:
        shares, now = await self._shares(), asyncio.get_running_loop().time()
        self._look_for_given(shares, now)
        self._here_since = {code: self._here_since.get(code, now) for code in self._tables}
        if shares.keys() != self._nodes:
            self._nodes, self._steady_since = frozenset(shares), now
        if now - self._steady_since < STEADY_SECONDS:
            return
        tables = iter(self._movable(now))
        for node in planned(shares, self._node):
            await self._give_one(tables, node)

    def _look_for_given(self, shares: Mapping[int, int], now: float) -> None:
        """Where nobody came along with a table, nobody has it opened."""
        self._receives = any(self._node in planned(shares, other) for other in shares)
        if self._receives:
            self._received_at = now
        here = [each for each in self._tables.values() if each.match.phase is not Phase.OVER]
        is_due = now - self._received_at < LOOKING_SECONDS
        if is_due and shares.get(self._node, 0) > len(here):
            self._look()

    async def _give_one(self, tables: Iterable[Table], node: int) -> None:
        for table in tables:
            if await self._give(table, node):
                return

    def _movable(self, now: float) -> list[Table]:
        """First those at which nobody is."""
        settled = (
            table
            for code, table in self._tables.items()
            if now - self._here_since[code] >= HERE_SECONDS and is_between_turns(table)
        )
        return sorted(settled, key=lambda table: len(table.seating.viewers))
