"""Finished matches. Once a match is over nothing of it is hidden any more."""

import msgpack
import msgspec

from diadem.game import Refusal, Refused
from diadem.protocol import Replay, ReplayLine, Replays
from diadem_server import records
from diadem_server.journal import Journal
from diadem_server.records import TableRow
from diadem_server.sessions import Session

MOST_LISTED = 50


async def listed(journal: Journal, session: Session, id_: int) -> Replays:
    rows = await journal.ask(records.lines_of(session.id, MOST_LISTED))
    return Replays(id_, [msgspec.convert(msgpack.unpackb(row[0]), ReplayLine) for row in rows])


async def whole(journal: Journal, session: Session, id_: int, code: str) -> Replay:
    found = await journal.ask(records.finished_table(code, session.id))
    if not found:
        raise Refused(Refusal("no_such_replay", {"table": code}))
    row = TableRow(*found[0])
    entries = map(records.entry_row, await journal.ask(records.entries_of(code)))
    plain = [msgspec.to_builtins(each.entry) for each in entries]
    return Replay(id_, code, row.version, row.setup, row.seed, plain)
