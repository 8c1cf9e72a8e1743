"""A player's own statistics, from the results of their matches."""

import asyncio
from math import inf

from diadem_server.sessions.sessions import Session
from diadem_server.storage.journal import Journal
from diadem_shared.protocol import OwnStatistics
from diadem_shared.standings import Line
from diadem_shared.statistics import Statistics

MOST_COUNTED = 1_000
"""The newest matches; to count them takes some 10 ms."""
PAGE = 100
"""Results read and counted in one turn of the loop."""


async def own(journal: Journal, session: Session, id_: int) -> OwnStatistics:
    newest_first: list[Line] = []
    before = inf
    while page := await journal.results_of(session.id, before, PAGE):
        newest_first += page
        before = page[-1].ended
        if len(newest_first) >= MOST_COUNTED:
            break
    statistics = Statistics()
    oldest_first = newest_first[:MOST_COUNTED][::-1]
    for start in range(0, len(oldest_first), PAGE):
        statistics.add(line.result for line in oldest_first[start : start + PAGE])
        await asyncio.sleep(0)
    return OwnStatistics(id_, statistics.games)
