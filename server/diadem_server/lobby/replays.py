"""Finished matches. Once a match is over nothing of it is hidden any more."""

from typing import Any

import msgpack
import msgspec
from msgspec import Raw

from diadem.frames import pack
from diadem.protocol import Replay, ReplayLine, Replays
from diadem.refusals import Code, Refusal, Refused
from diadem_server.sessions.sessions import Session
from diadem_server.storage import records
from diadem_server.storage.records import TableRow
from diadem_server.storage.sqlite import Journal

MOST_LISTED = 50
PAGE = 250
"""Entries read and packed in one turn of the loop, which takes half a millisecond."""


async def listed(journal: Journal, session: Session, id_: int) -> Replays:
    rows = await journal.ask(records.lines_of(session.id, MOST_LISTED))
    return Replays(id_, [msgspec.convert(msgpack.unpackb(row[0]), ReplayLine) for row in rows])


async def whole(journal: Journal, session: Session, id_: int, code: str) -> Replay:
    found = await journal.ask(records.finished_table(code, session.id))
    if not found:
        raise Refused(Refusal(Code.NO_SUCH_REPLAY, {"table": code}))
    row = TableRow(*found[0])
    entries = await _entries(journal, code)
    return Replay(id_, code, row.version, row.setup, row.seed, entries)


async def _entries(journal: Journal, code: str) -> list[Any]:
    """Page by page: of a long match all at once would hold up every table for 30 ms and more."""
    packed: list[Any] = []
    last = 0
    while page := await journal.ask(records.entries_after(code, last, PAGE)):
        packed += [Raw(pack(records.entry(stored))) for _, stored in page]
        last = page[-1][0]
    return packed
