"""Results of matches that ended before results were kept, or were made otherwise then: they are played again."""

import asyncio
import logging

from diadem_server.lobby.lobby import Lobby
from diadem_server.storage.changes import NewResults
from diadem_server.storage.journal import Journal, JournalUnavailable
from diadem_server.storage.records import UnsummedTable
from diadem_server.table.results import Finish
from diadem_server.table.seating import Seating
from diadem_shared import match as rules
from diadem_shared.match import Phase
from diadem_shared.results import VERSION

log = logging.getLogger(__name__)

AT_ONCE = 20
"""Tables asked of the journal at a time."""
PAGE = 100
"""Entries asked of it at a time."""
SLICE_SECONDS = 0.001
PAUSE_SECONDS = 0.01
"""Between two slices of work: all of it takes no more than a tenth of the loop's time."""
RETRY_SECONDS = 600.0


async def sum_up(lobby: Lobby) -> None:
    """All there are, beside the tables that are played at."""
    while True:
        try:
            while tables := await lobby.journal.unsummed(VERSION, AT_ONCE):
                for table in tables:
                    await lobby.journal.write(await _results(lobby.journal, table))
        except JournalUnavailable as error:
            log.error("results of older matches cannot be written: %s", error)
        await asyncio.sleep(RETRY_SECONDS)


async def _results(journal: Journal, table: UnsummedTable) -> NewResults:
    """None, where the match cannot be played again by the rules of this version."""
    try:
        return await _played_again(journal, table)
    except JournalUnavailable:
        raise
    except Exception as error:  # noqa: BLE001, of whatever another version has written
        log.warning("no results are made of %s: %s", table.row.code, error)
        return NewResults(table.row.code, VERSION, ())


async def _played_again(journal: Journal, table: UnsummedTable) -> NewResults:
    row = table.row
    match, seating = rules.reopen_match(row.setup, row.version), Seating()
    if match.game.version != row.version:
        return NewResults(row.code, VERSION, ())
    finish = Finish(row.code, row.seed, match, seating)
    loop = asyncio.get_running_loop()
    slice_ends = loop.time() + SLICE_SECONDS
    while page := await journal.rows_after(row.code, match.entries, PAGE):
        for each in page:
            match, told = rules.apply(match, each.entry, row.seed, recorded=True)
            seating.follow(each.entry, each.session)
            finish.follow(each.entry, told)
            if loop.time() >= slice_ends:
                await asyncio.sleep(PAUSE_SECONDS)
                slice_ends = loop.time() + SLICE_SECONDS
    if match.phase is not Phase.OVER:
        return NewResults(row.code, VERSION, ())
    return finish.results(match, table.ended)
