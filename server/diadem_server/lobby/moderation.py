"""What the maker of a table and its viewers ask for against others: kick, ban, mute."""

from ipaddress import ip_network

from diadem_server.lobby.lobby import Lobby
from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import LiftBan, NewBan, SetMute
from diadem_server.storage.records import BanRow
from diadem_server.table import names
from diadem_server.table.table import Table
from diadem_shared.entries import Left
from diadem_shared.match import Phase
from diadem_shared.protocol import Accepted, Ban, Kick, Mute
from diadem_shared.refusals import Code, Refusal, RefusalError

MOST_MUTED = 100
"""By one session."""


async def send_away(lobby: Lobby, table: Table, session: Session, command: Kick | Ban) -> None:
    """By the maker: a player before the start, an onlooker at any time."""
    if isinstance(command, Ban) and _is_banned_already(table, command.name):
        lobby.answer(session, Accepted(command.id))
        return
    id_ = _find(table, command.name, session)
    if table.match.phase is not Phase.GATHERING and table.seating.has_right_to_seat(id_):
        raise RefusalError(Refusal(Code.HAS_SEAT, {"name": command.name}))
    ban = _new_ban(lobby, table, id_, command.name) if isinstance(command, Ban) else None
    written = [NewBan(table.code, ban)] if ban else []
    if id_ in table.seating.owners:
        left = Left(table.seating.owners.index(id_))
        if why := await table.enter(left, session, command.id, also=written):
            raise RefusalError(why)
    else:
        await table.acknowledge(session, Accepted(command.id), *written)
    if ban:
        table.bans.add(ban)
    if person := lobby.session(id_):
        table.remove_viewer(person, Refusal(Code.BANNED) if ban else Refusal(Code.REMOVED))
    table.show(None)


def _is_banned_already(table: Table, name: str) -> bool:
    """Somebody of that name, and nobody else goes by it now."""
    now = _session_of(table, name)
    return any(ban.name == name and now in {None, ban.session} for ban in table.bans.rows)


def _new_ban(lobby: Lobby, table: Table, id_: int, name: str) -> BanRow:
    table.bans.refuse_if_full()
    return BanRow(id_, name, _prefix_to_ban(lobby, table, id_))


def _prefix_to_ban(lobby: Lobby, table: Table, id_: int) -> str:
    """Where a banned person would come from with another token.

    "" for an address that says nothing of who comes from there: one of the local network, or that of
    somebody else who sits here, for a household has one address.
    """
    person = lobby.session(id_)
    if person is None or not _is_public(person.prefix):
        return ""
    seated = [lobby.session(owner) for owner in table.seating.owners if owner != id_]
    is_shared = any(each is not None and each.prefix == person.prefix for each in seated)
    return "" if is_shared else person.prefix


def _is_public(prefix: str) -> bool:
    try:
        return ip_network(prefix).is_global
    except ValueError:
        return False


async def lift_ban(table: Table, session: Session, command: Ban) -> None:
    if command.name not in table.bans.names:
        raise RefusalError(Refusal(Code.NO_SUCH_PERSON, {"name": command.name}))
    lifted = LiftBan(table.code, command.name)
    await table.acknowledge(session, Accepted(command.id), lifted)
    table.bans.lift(command.name)
    table.show(None, only_to=session)


async def mute(table: Table, session: Session, command: Mute) -> None:
    id_ = _find(table, command.name, session)
    if command.on and id_ not in session.muted and len(session.muted) >= MOST_MUTED:
        raise RefusalError(Refusal(Code.LIST_FULL, {"most": MOST_MUTED}))
    change = SetMute(session.id, id_, command.on)
    await table.acknowledge(session, Accepted(command.id), change)
    (session.muted.add if command.on else session.muted.discard)(id_)
    table.show(None, only_to=session)


# Who is meant


def _find(table: Table, name: str, asking: Session) -> int:
    """The session of whom somebody else at the table calls by name."""
    found = _session_of(table, name)
    if found is None:
        raise RefusalError(Refusal(Code.NO_SUCH_PERSON, {"name": name}))
    if found == asking.id:
        raise RefusalError(Refusal(Code.OWN_SEAT))
    return found


def _session_of(table: Table, name: str) -> int | None:
    known = names.sessions_by_name(table.match.players, table.seating, table.chat.lines)
    return next((id_ for each, id_ in known if each == name), None)
