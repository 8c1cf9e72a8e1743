"""Answers of sessions that have nothing to come back to: they are forgotten in memory and in the journal.

A command is sent again by a player who lost the connection at a table. Who holds no seat, and has played no match that is still
open, asks for nothing again that would matter; kept answers of strangers would only fill memory and disk.
"""

from contextlib import suppress

from diadem_server.lobby.lobby import Lobby
from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import ForgetAnswers
from diadem_server.storage.journal import JournalUnavailable


async def forget_unless_seated(lobby: Lobby, session: Session) -> None:
    """Once the connection of this session is lost, and all that it has asked for is answered."""
    await session.answers.idle()
    with suppress(JournalUnavailable):
        if await _has_a_seat(lobby, session) or session.outbox is not None:
            return
        has_rows = session.answers.has_rows
        session.answers.forget()
        if has_rows:
            await lobby.journal.write(ForgetAnswers([session.id]))


async def _has_a_seat(lobby: Lobby, session: Session) -> bool:
    """Now, or until a moment ago at a table that is still open."""
    if any(session.id in table.seating.played for table in lobby.tables.values()):
        return True
    return await lobby.registry.seat_of(session.id) is not None


async def forget_those_before(lobby: Lobby, before: float) -> None:
    """Of all who have not been here since that moment and whom no match waits for."""
    old = await lobby.journal.answered_long_ago(before)
    absent = {id_ for id_ in old if _is_absent(lobby.session(id_))}
    if absent:
        await lobby.journal.write(ForgetAnswers(absent))


def _is_absent(session: Session | None) -> bool:
    return session is None or session.outbox is None
