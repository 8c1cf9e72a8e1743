"""What a server that runs for years must not keep for ever."""

import asyncio
import logging
from functools import partial

from diadem_server.lobby.idle_answers import forget_those_before
from diadem_server.lobby.lobby import Lobby
from diadem_server.lobby.statistics import MOST_COUNTED
from diadem_server.storage.changes import (
    DropRemains,
    DropResults,
    DropTable,
    ForgetSessions,
    NoneEndedAfter,
    SessionsHere,
)
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.table.table import Table

log = logging.getLogger(__name__)

DAY = 24 * 60 * 60.0
PAUSE = 10 * 60.0
"""Seconds from one time to the next."""
SESSION_DAYS = 90
"""For which a player who was here before is known again."""
STRANGER_DAYS = 1 / 144
"""For which one is who has nothing here: no seat, and no finished match to look back on."""
KEPT_RESULTS = 50_000
"""Of one player and one match each, some 300 bytes."""
KEPT_RESULTS_OF_EACH = 2 * MOST_COUNTED
"""Of one player: the newest half of them is counted in their statistics, all in standings."""
AT_ONCE = 100
"""Results that are dropped in one write."""


async def keep_tidy(lobby: Lobby) -> None:
    """After a start everybody has a while to come back before anybody is forgotten."""
    work = prune
    while True:
        try:
            await work(lobby)
        except JournalUnavailable as error:
            log.error("old matches are not pruned, the journal cannot be written: %s", error)
        await asyncio.sleep(PAUSE)
        work = tidy


async def tidy(lobby: Lobby) -> None:
    await prune(lobby)
    here = [session.id for session in lobby.sessions if session.outbox is not None]
    await lobby.journal.write(SessionsHere(here, lobby.config.now()))
    async with lobby.registry.pruning() as is_mine:
        if is_mine:
            await _forget_sessions(lobby)
    lobby.sessions.forget_answers()


async def prune(lobby: Lobby) -> None:
    """All but players, who may be on their way back."""
    _end_expired_matches(lobby)
    async with lobby.registry.pruning() as is_mine:
        if is_mine:
            await _drop_old_replays(lobby)
            await _give_back_codes(lobby)
    await lobby.journal.shrink()


def _end_expired_matches(lobby: Lobby) -> None:
    for table in lobby.tables.values():
        if table.lifetime.has_expired(table.match):
            table.post(partial(_end_if_expired, table))


async def _end_if_expired(table: Table) -> None:
    """Somebody may have come while this waited."""
    if table.lifetime.has_expired(table.match):
        await table.end()


async def _drop_old_replays(lobby: Lobby) -> None:
    """One after another, so that no move waits for all of them."""
    await lobby.journal.write(NoneEndedAfter(lobby.config.now()))
    config, journal = lobby.config, lobby.journal
    for code in await journal.superfluous(config.keep_replays, config.keep_bytes):
        await journal.write(DropTable(code))
    await journal.write(DropRemains())
    results = await journal.superfluous_results(KEPT_RESULTS, KEPT_RESULTS_OF_EACH)
    for start in range(0, len(results), AT_ONCE):
        await journal.write(DropResults(results[start : start + AT_ONCE]))


async def _give_back_codes(lobby: Lobby) -> None:
    """Those of replays that are kept no longer."""
    before = await lobby.registry.codes()
    kept = await lobby.journal.codes()
    await lobby.registry.give_back_codes(before - kept - lobby.tables.keys())


async def _forget_sessions(lobby: Lobby) -> None:
    now = lobby.config.now()
    before = now - SESSION_DAYS * DAY, now - STRANGER_DAYS * DAY
    long_gone = await lobby.journal.long_gone(*before)
    if gone := lobby.sessions.forget(long_gone):
        await lobby.journal.write(ForgetSessions(gone))
    await forget_those_before(lobby, now - STRANGER_DAYS * DAY)
