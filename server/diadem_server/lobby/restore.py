"""The server is started again: every match that was not over goes on where it was."""

import asyncio
import logging

from diadem_server.lobby.lobby import Lobby
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.records import TableRow
from diadem_server.table.bans import Bans
from diadem_server.table.table import Table
from diadem_shared import match as rules
from diadem_shared.game import digest
from diadem_shared.refusals import Code, Refusal, RefusalError

log = logging.getLogger(__name__)

SLICE_SECONDS = 0.001
"""For which entries are folded before others may have a turn."""
LATELY = 60 * 60.0
"""Seconds for which a match that is over can be come back to: its players may not have seen the end."""


class NotReplayable(Exception):
    """A journal that does not lead to a table; it is kept as it is."""


async def restore(lobby: Lobby) -> None:
    """All that a lobby has to know before anybody is let in."""
    await lobby.sessions.load()
    await lobby.registry.add_codes(await lobby.journal.codes())
    for row in await lobby.journal.tables(over_since=lobby.config.now() - LATELY):
        try:
            table = await load_table(lobby, row)
        except JournalUnavailable as error:
            _shut(lobby, row, f"its journal cannot be read: {error}")
        else:
            if table is not None:
                lobby.tables[row.code] = table
    for table in lobby.tables.values():
        lobby.open(table)


async def load_table(lobby: Lobby, row: TableRow) -> Table | None:
    """The table as its journal has it, yet to be opened; None where that makes no table, which is remembered."""
    try:
        return await _restored(lobby, row)
    except JournalUnavailable:
        raise
    except NotReplayable as error:
        _shut(lobby, row, str(error))
    except Exception as error:
        log.exception("table %s", row.code)
        _shut(lobby, row, f"its journal cannot be read: {error}")
    return None


def _shut(lobby: Lobby, row: TableRow, why: str) -> None:
    log.error("table %s is kept but not opened: %s", row.code, why)
    lobby.shut[row.code] = Refusal(Code.TABLE_KEPT, {"table": row.code})


def knows_rules(row: TableRow) -> bool:
    """Whether this program has the rules that the table was begun under."""
    try:
        return rules.reopen_match(row.setup, row.version).game.version == row.version
    except Exception:  # noqa: BLE001, of whatever another version has written
        return False


async def _restored(lobby: Lobby, row: TableRow) -> Table:
    try:
        match = rules.reopen_match(row.setup, row.version)
        if match.game.version != row.version:
            raise NotReplayable(f"it was begun under rules version {row.version}")
        table = Table(lobby, row.code, row.seed, match, row.written_setup)
        recorded = digest(match)
        stored = await lobby.journal.load(row.code)
        loop = asyncio.get_running_loop()
        slice_ends = loop.time() + SLICE_SECONDS
        for entry_row in stored.entries:
            if loop.time() >= slice_ends:
                await asyncio.sleep(0)
                slice_ends = loop.time() + SLICE_SECONDS
            if entry_row.number != match.entries + 1:
                raise NotReplayable(f"entry {match.entries + 1} is missing")
            match, told = rules.apply(match, entry_row.entry, row.seed, recorded=True)
            linked = table.record.verify_link(entry_row)
            if linked is None:
                number = entry_row.number
                raise NotReplayable(f"entry {number} or one before it was changed in the journal")
            table.keep(linked, told)
            # What comes after may have ended it.
            table.seating.ready |= {
                each.session for each in stored.ready if each.entry == entry_row.number
            }
            recorded = entry_row.digest
    except RefusalError as refused:
        raise NotReplayable(f"an entry of its journal is refused: {refused}") from None
    if digest(match) != recorded:
        raise NotReplayable("its journal leads to another state than it did")
    table.match = match
    owners = [owner for owner in table.seating.owners if owner is not None]
    table.shuffling.expect(owners)
    seen = await lobby.journal.last_welcome(owners)
    if seen is not None:
        table.lifetime.unseen_for(lobby.config.now() - seen)
    table.chat.lines = list(stored.chat)
    table.bans = Bans(stored.bans)
    return table
