"""Finished matches. Once a match is over nothing of it is hidden any more."""

from typing import Any

from msgspec import Raw

from diadem_server.sessions.sessions import Session
from diadem_server.storage.journal import Journal
from diadem_shared.frames import pack
from diadem_shared.protocol import Replay, Replays
from diadem_shared.refusals import Code, Refusal, RefusalError

MOST_LISTED = 50
"""Matches of a page."""
PAGE = 250
"""Entries read and packed in one turn of the loop, which takes half a millisecond."""


async def listed(journal: Journal, session: Session, id_: int, before: str | None) -> Replays:
    found = await journal.replays(session.id, MOST_LISTED + 1, before)
    return Replays(id_, found[:MOST_LISTED], more=len(found) > MOST_LISTED)


async def whole(journal: Journal, session: Session, id_: int, code: str) -> Replay:
    row = await journal.finished_table(code, session.id)
    if row is None:
        raise RefusalError(Refusal(Code.NO_SUCH_REPLAY, {"table": code}))
    entries = await _entries(journal, code)
    return Replay(id_, code, row.version, row.setup, row.seed, entries)


async def _entries(journal: Journal, code: str) -> list[Any]:
    """Page by page: of a long match all at once would hold up every table for 30 ms and more."""
    packed: list[Any] = []
    last = 0
    while page := await journal.entries_after(code, last, PAGE):
        packed += [Raw(pack(entry)) for _, entry in page]
        last = page[-1][0]
    return packed
