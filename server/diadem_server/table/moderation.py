"""Who is kept away from a table, and who is muted by whom."""

from collections.abc import Iterator, Sequence
from ipaddress import ip_network
from itertools import islice
from typing import TYPE_CHECKING

from diadem.entries import Left
from diadem.match import Phase
from diadem.protocol import MOST_ONLOOKERS_NAMED, Accepted, Ban, Kick, Mute
from diadem.refusals import Code, Refusal, Refused
from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import LiftBan, NewBan, SetMute
from diadem_server.storage.records import BanRow

if TYPE_CHECKING:
    from diadem_server.lobby.lobby import Lobby
    from diadem_server.table.table import Table

MOST_BANNED = 32
"""At one table."""
MOST_MUTED = 100
"""By one session."""


class Moderation:
    def __init__(self, table: "Table", lobby: "Lobby") -> None:
        self.bans: list[BanRow] = []
        self._table = table
        self._lobby = lobby

    def is_banned(self, session: Session) -> bool:
        """By who they are, or by where they come from."""
        return any(
            ban.session == session.id or (ban.prefix and ban.prefix == session.prefix)
            for ban in self.bans
        )

    @property
    def banned(self) -> tuple[str, ...]:
        """The names they had then."""
        return tuple(dict.fromkeys(ban.name for ban in self.bans))

    def muted_by(self, viewers: Sequence[Session]) -> dict[Session, tuple[str, ...]]:
        """The names that each of them who muted somebody here would know them by."""
        muting = [viewer for viewer in viewers if viewer.muted]
        known = list(dict.fromkeys(self._known(MOST_ONLOOKERS_NAMED))) if muting else []
        return {
            viewer: tuple(dict.fromkeys(name for name, id_ in known if id_ in viewer.muted))
            for viewer in muting
        }

    # What is asked for

    async def send_away(self, session: Session, command: Kick | Ban) -> None:
        """By the maker: a player before the start, an onlooker at any time."""
        table = self._table
        if isinstance(command, Ban) and self._is_banned_already(command.name):
            self._lobby.answer(session, Accepted(command.id))
            return
        id_ = self._find(command.name, session)
        if table.match.phase is not Phase.GATHERING and table.seating.has_right_to_seat(id_):
            raise Refused(Refusal(Code.HAS_SEAT, {"name": command.name}))
        ban = self._new_ban(id_, command.name) if isinstance(command, Ban) else None
        written = [NewBan(table.code, ban)] if ban else []
        if id_ in table.seating.owners:
            left = Left(table.seating.owners.index(id_))
            if why := await table.enter(left, session, command.id, also=written):
                raise Refused(why)
        else:
            await table.acknowledge(session, Accepted(command.id), *written)
        if ban:
            self.bans.append(ban)
        if person := self._lobby.sessions.get(id_):
            table.seating.remove_viewer(
                person, Refusal(Code.BANNED) if ban else Refusal(Code.REMOVED)
            )
        table.show(None)

    def _is_banned_already(self, name: str) -> bool:
        """Somebody of that name, and nobody else goes by it now."""
        now = self._session_of(name)
        return any(ban.name == name and now in {None, ban.session} for ban in self.bans)

    def _new_ban(self, id_: int, name: str) -> BanRow:
        if len(self.bans) >= MOST_BANNED:
            raise Refused(Refusal(Code.LIST_FULL, {"most": MOST_BANNED}))
        return BanRow(id_, name, self._prefix_to_ban(id_))

    def _prefix_to_ban(self, id_: int) -> str:
        """Where a banned person would come from with another token.

        "" for an address that says nothing of who comes from there: one of the local network, or that of
        somebody else who sits here, for a household has one address.
        """
        person, seating = self._lobby.sessions.get(id_), self._table.seating
        if person is None or not _is_public(person.prefix):
            return ""
        seated = [
            seating.person_in(seat) for seat, owner in enumerate(seating.owners) if owner != id_
        ]
        is_shared = any(each is not None and each.prefix == person.prefix for each in seated)
        return "" if is_shared else person.prefix

    async def lift_ban(self, session: Session, command: Ban) -> None:
        if command.name not in self.banned:
            raise Refused(Refusal(Code.NO_SUCH_PERSON, {"name": command.name}))
        lifted = LiftBan(self._table.code, command.name)
        await self._table.acknowledge(session, Accepted(command.id), lifted)
        self.bans = [ban for ban in self.bans if ban.name != command.name]
        self._table.show(None, only_to=session)

    async def mute(self, session: Session, command: Mute) -> None:
        id_ = self._find(command.name, session)
        if command.on and id_ not in session.muted and len(session.muted) >= MOST_MUTED:
            raise Refused(Refusal(Code.LIST_FULL, {"most": MOST_MUTED}))
        change = SetMute(session.id, id_, command.on)
        await self._table.acknowledge(session, Accepted(command.id), change)
        (session.muted.add if command.on else session.muted.discard)(id_)
        self._table.show(None, only_to=session)

    # Who is meant

    def _find(self, name: str, asking: Session) -> int:
        """The session of whom somebody else at the table calls by name."""
        found = self._session_of(name)
        if found is None:
            raise Refused(Refusal(Code.NO_SUCH_PERSON, {"name": name}))
        if found == asking.id:
            raise Refused(Refusal(Code.OWN_SEAT))
        return found

    def _session_of(self, name: str) -> int | None:
        return next((id_ for known, id_ in self._known() if known == name), None)

    def _known(self, most_onlookers: int | None = None) -> Iterator[tuple[str, int]]:
        """Every person who sits here, looks on or has said something lately: name and session."""
        table = self._table
        for owner, player in zip(table.seating.owners, table.match.players, strict=True):
            if owner is not None:
                yield player.name, owner
        for onlooker in islice(table.seating.onlookers, most_onlookers):
            yield onlooker.name, onlooker.id
        for line in reversed(table.chat.lines):
            if line.session is not None:
                yield line.said.name, line.session


def _is_public(prefix: str) -> bool:
    try:
        return ip_network(prefix).is_global
    except ValueError:
        return False
