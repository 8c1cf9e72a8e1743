"""Finished matches. Once a match is over nothing of it is hidden any more."""

import msgspec

from diadem.entries import Sat
from diadem.game import Refusal, Refused
from diadem.match import replay
from diadem.protocol import Replay, ReplayLine, Replays
from diadem_server.journal import EntryRow, Journal
from diadem_server.sessions import Session

MOST_LISTED = 50


def listed(journal: Journal, session: Session, id_: int) -> Replays:
    lines = []
    for row in journal.tables(over=True):
        entries = journal.entries(row.code)
        if _took_part(entries, session):
            match = replay(row.setup, [each.entry for each in entries], row.seed)
            names = tuple(player.name for player in match.players)
            lines.append(ReplayLine(row.code, row.setup.game, names, match.totals))
        if len(lines) == MOST_LISTED:
            break
    return Replays(id_, lines)


def whole(journal: Journal, session: Session, id_: int, code: str) -> Replay:
    row = journal.finished(code)
    entries = journal.entries(code)
    if row is None or not _took_part(entries, session):
        raise Refused(Refusal("no_such_replay", {"table": code}))
    plain = [msgspec.to_builtins(each.entry) for each in entries]
    return Replay(id_, code, row.version, row.setup, row.seed, plain)


def _took_part(entries: list[EntryRow], session: Session) -> bool:
    return any(each.session == session.id and isinstance(each.entry, Sat) for each in entries)
