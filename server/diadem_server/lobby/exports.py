"""Finished matches as files: lines of JSON, from which anybody who has the rules can play them again.

The lines of the entries are as the journal has them, for the hash chain covers them byte by byte.
"""

import asyncio

import msgspec

from diadem_server.lobby.lobby import Lobby
from diadem_server.sessions.sessions import Session
from diadem_server.storage.journal import Journal
from diadem_server.storage.records import EntryRow, FinishedTable
from diadem_shared.chain import header
from diadem_shared.match_file import End
from diadem_shared.refusals import Code, Refusal, RefusalError

PAGE = 250
"""Entries of a piece."""


async def exported(
    lobby: Lobby, session: Session, code: str, after: int | None
) -> tuple[bytes, int | None]:
    """A piece of a match that was played here, or that the host has brought along. Raises RefusalError."""
    if lobby.imported.has(code):
        return await asyncio.to_thread(lobby.imported.piece, code, after, PAGE)
    return await piece(lobby.journal, await allowed(lobby, session, code), after)


async def allowed(lobby: Lobby, session: Session, code: str) -> FinishedTable:
    """A match that is over, for those who have played it, and for whoever still looks at its end. Raises RefusalError."""
    finished = await lobby.journal.finished_match(code)
    if finished is None or not await _may_see(lobby, session, code):
        raise RefusalError(Refusal(Code.NO_SUCH_REPLAY, {"table": code}))
    return finished


async def _may_see(lobby: Lobby, session: Session, code: str) -> bool:
    table = lobby.tables.get(code)
    if table is not None and session in table.seating.viewers:
        return True
    return await lobby.journal.finished_table(code, session.id) is not None


async def piece(
    journal: Journal, finished: FinishedTable, after: int | None
) -> tuple[bytes, int | None]:
    """The lines behind entry number `after`, and what to go on with; the first piece begins with the header."""
    row = finished.row
    rows = await journal.rows_after(row.code, after or 0, PAGE)
    lines = [each.written for each in rows]
    if after is None:
        lines.insert(0, header(row.seed, row.code, row.version, row.written_setup))
    following = rows[-1].number if len(rows) == PAGE else None
    if following is None:
        newest = rows[-1] if rows else await _row(journal, row.code, after or 0)
        lines.append(_end(finished, newest))
    return b"".join(line + b"\n" for line in lines), following


async def _row(journal: Journal, code: str, number: int) -> EntryRow | None:
    rows = await journal.rows_after(code, number - 1, 1)
    return rows[0] if rows else None


def _end(finished: FinishedTable, newest: EntryRow | None) -> bytes:
    """What was secret while the match ran, and what all of it led to."""
    return msgspec.json.encode(
        End(
            entries=newest.number if newest else 0,
            secret=finished.row.seed.hex(),
            chain=newest.chain.hex() if newest else "",
            digest=newest.digest if newest else "",
            totals=finished.line.totals,
        )
    )
