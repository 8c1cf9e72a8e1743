"""What a server that runs for years must not keep for ever."""

import asyncio
import logging

from diadem_server.lobby.lobby import Hall
from diadem_server.storage import records
from diadem_server.storage.sqlite import JournalUnavailable

log = logging.getLogger(__name__)

DAY = 24 * 60 * 60.0
PAUSE = 10 * 60.0
"""Seconds from one time to the next."""
SESSION_DAYS = 90
"""For which a player who was here before is known again."""
STRANGER_DAYS = 1 / 144
"""For which one is who has nothing here: no seat, and no finished match to look back on."""


async def keep_tidy(hall: Hall) -> None:
    """After a start everybody has a while to come back before anybody is forgotten."""
    work = prune
    while True:
        try:
            await work(hall)
        except JournalUnavailable as error:
            log.error("old matches are not pruned, the journal cannot be written: %s", error)
        await asyncio.sleep(PAUSE)
        work = tidy


async def tidy(hall: Hall) -> None:
    await prune(hall)
    await _forget_sessions(hall)
    hall.sessions.forget_answers()


async def prune(hall: Hall) -> None:
    """All but players, who may be on their way back."""
    _end_forsaken_matches(hall)
    await _drop_old_replays(hall)
    await _give_back_codes(hall)
    await hall.journal.shrink()


def _end_forsaken_matches(hall: Hall) -> None:
    for table in hall.tables.values():
        if table.lifetime.is_forsaken:
            table.post(table.lifetime.end_if_forsaken)


async def _drop_old_replays(hall: Hall) -> None:
    """One after another, so that no move waits for all of them."""
    await hall.journal.write(records.ended_before(hall.config.now()))
    for (code,) in await hall.journal.ask(records.superfluous(hall.config.keep_replays)):
        await hall.journal.write(*records.drop_table(code))
    await hall.journal.write(*records.drop_remains())


async def _give_back_codes(hall: Hall) -> None:
    """Those of replays that are kept no longer."""
    before = hall.codes.in_use()
    kept = {row[0] for row in await hall.journal.ask(records.codes())}
    hall.codes.give_back(*before - kept - hall.tables.keys())


async def _forget_sessions(hall: Hall) -> None:
    now = hall.config.now()
    here = [session.id for session in hall.sessions if session.outbox is not None]
    await hall.journal.write(records.sessions_here(here, now))
    before = now - SESSION_DAYS * DAY, now - STRANGER_DAYS * DAY
    long_gone = await hall.journal.ask(records.long_gone(*before))
    if gone := hall.sessions.forget({row[0] for row in long_gone}):
        await hall.journal.write(*records.forget_sessions(gone))
