"""Who sits at a table, who is there to see it, and who is waited for."""

import asyncio
from typing import TYPE_CHECKING

from diadem.entries import (
    Changed,
    Entry,
    Left,
    Lost,
    Resigned,
    Returned,
    Sat,
    Started,
    TakenOver,
)
from diadem.game import Seat
from diadem.match import Phase
from diadem.protocol import Accepted, Gone
from diadem.refusals import Code, Refusal
from diadem_server.sessions.sessions import Session
from diadem_server.table.views import Presence

if TYPE_CHECKING:
    from diadem_server.lobby.lobby import Lobby
    from diadem_server.table.table import Table

BEFORE_THE_START = 120
"""Seconds a seat is kept for who is away, at a table that otherwise would wait for ever."""
AFTER_THE_END = 120
"""Seconds a finished table is kept for who has lost the line, and has not seen how it ended."""


class Seating:
    def __init__(self, table: "Table", lobby: "Lobby") -> None:
        self.owners: list[int | None] = []
        """By seat, the session that sits there; None is a bot, or whoever has resigned."""
        self.resigned: dict[Seat, int] = {}
        """Seats that somebody has resigned from, and which session may take them back."""
        self.handed_over: set[Seat] = set()
        """Seats that their owners have handed to a bot."""
        self.played: set[int] = set()
        """Every session that has sat here since the start, whatever became of it."""
        self.viewers: dict[Session, int] = {}
        """Who looks at the table, and how many views each was sent."""
        self.ready: set[int] = set()
        """The sessions that are, here or not, until the next round is dealt."""
        self._table = table
        self._lobby = lobby
        self._waits: dict[int, asyncio.TimerHandle] = {}

    def follow(self, entry: Entry, session: int | None) -> None:
        """What an entry, made by this session, does to who sits where."""
        match entry:
            case Sat(_, bot):
                owner = None if bot else session
                self.owners.append(owner)
                self.played |= {owner} if owner else set()
            case Left(seat):
                owner = self.owners.pop(seat)
                self.played.discard(owner or 0)
                self.ready.discard(owner or 0)
            case Resigned(seat):
                if (owner := self.owners[seat]) is not None:
                    self.resigned[seat] = owner
                    self.ready.discard(owner)
                self.owners[seat] = None
            case Returned(seat):
                self.handed_over.discard(seat)
                if seat in self.resigned:
                    self.owners[seat] = self.resigned.pop(seat)
            case TakenOver(seat):
                self.handed_over.add(seat)
                self.ready.discard(self.owners[seat] or 0)
            case Lost(seat):
                self.ready.discard(self.owners[seat] or 0)
            case Started() | Changed():
                self.ready.clear()
            case _:
                pass

    def seat_of(self, session: Session) -> Seat | None:
        return self.owners.index(session.id) if session.id in self.owners else None

    def plays(self, seat: Seat) -> bool:
        """Whether somebody plays for themselves in this seat."""
        return self.owners[seat] is not None and self._table.match.players[seat].played_by is None

    def was_left(self, seat: Seat) -> bool:
        """Whether nobody is expected back: it is a bot's, or was resigned from, or handed over."""
        return self.owners[seat] is None or seat in self.handed_over

    def resigned_from(self, session: Session) -> Seat | None:
        """The seat that this session may take back (C-2)."""
        if self._table.match.phase is Phase.OVER:
            return None
        return next((seat for seat, owner in self.resigned.items() if owner == session.id), None)

    def has_right_to_seat(self, id_: int) -> bool:
        """Whether this session sits here, or may take a seat back (C-2)."""
        return id_ in self.owners or id_ in self.resigned.values()

    def person_in(self, seat: Seat) -> Session | None:
        return self._lobby.sessions.get(self.owners[seat])

    @property
    def present(self) -> list[bool]:
        """By seat. Bots always are."""
        return self._are_among({person.id for person in self.viewers})

    @property
    def is_ready(self) -> list[bool]:
        return self._are_among(self.ready)

    def _are_among(self, sessions: set[int]) -> list[bool]:
        return [owner is None or owner in sessions for owner in self.owners]

    @property
    def maker(self) -> Seat | None:
        """The first person at the table who plays for herself decides for it."""
        people = [seat for seat, owner in enumerate(self.owners) if owner is not None]
        players = self._table.match.players
        for seat in people:
            if players[seat].played_by is None:
                return seat
        return people[0] if people else None

    @property
    def onlookers(self) -> list[Session]:
        """In the order they came in."""
        return [person for person in self.viewers if person.id not in self.owners]

    @property
    def presence(self) -> Presence:
        onlookers = [each.name for each in self.onlookers]
        return Presence(self.present, self.is_ready, self.maker, onlookers)

    # Coming

    async def join(self, session: Session, command: int = 0) -> None:
        """Somebody comes to the table: back to a seat, or to look on."""
        table = self._table
        seat = self.seat_of(session)
        if why := self.refusal(session):
            if session.table == table.code:
                session.table = None
            self._lobby.refuse(session, command, why)
            return
        self.viewers.setdefault(session, 0)
        if waiting := self._waits.pop(session.id, None):
            waiting.cancel()
        made = table.done.get(session.id, {}).get(command)
        session.answer(Accepted(command, made.entry if made else table.match.entries))
        table.chat.recall(session)
        if seat is not None:
            table.autoplay.clocks.release(seat)
        if seat is None or not self._was_stood_in_for(seat) or await table.enter(Returned(seat)):
            table.show(None)

    def refusal(self, session: Session) -> Refusal | None:
        """Why they may not come, if they have no seat here, and none to take back."""
        if self.seat_of(session) is not None or self.resigned_from(session) is not None:
            return None
        if self._table.moderation.is_banned(session):
            return Refusal(Code.BANNED)
        return Refusal(Code.NO_SPECTATORS) if self._is_closed else None

    @property
    def _is_closed(self) -> bool:
        """To those who only want to look on."""
        match = self._table.match
        return match.phase is not Phase.GATHERING and not match.setup.spectators

    def _was_stood_in_for(self, seat: Seat) -> bool:
        """A player that was lost or ran out of time comes back by being here again (C-2)."""
        match = self._table.match
        if match.players[seat].stand_in is None or match.phase is Phase.OVER:
            return False
        return seat not in self.handed_over

    # Going

    async def leave(self, session: Session, *, is_lost: bool = False) -> None:
        """Somebody has gone, of her own will or not."""
        if self.viewers.pop(session, None) is None:
            return
        is_over = self._table.match.phase is Phase.OVER
        if is_lost if is_over else self.seat_of(session) is not None:
            self._wait_for(session)
        self._table.show(None)
        self._lobby.lobby_changed()

    def wait_for_the_absent(self) -> None:
        """At a table that is opened, perhaps again: nobody's time runs before she has come."""
        for seat in range(len(self.owners)):
            person = self.person_in(seat)
            if person is not None and person not in self.viewers:
                self._wait_for(person)
                if self._table.match.phase is not Phase.GATHERING:
                    self._table.autoplay.clocks.hold(seat)

    def _wait_for(self, session: Session) -> None:
        match = self._table.match
        patience = match.setup.patience
        if match.phase is Phase.GATHERING:
            patience = patience or BEFORE_THE_START
        elif match.phase is Phase.OVER:
            patience = AFTER_THE_END
        if patience is not None:
            loop = asyncio.get_running_loop()
            job = self._table.job(lambda: self.end_grace_period(session))
            self._waits[session.id] = loop.call_later(patience, job)

    @property
    def is_waiting(self) -> bool:
        return bool(self._waits)

    def wait_until_the_end(self) -> None:
        """The match is over: whoever is waited for comes soon, or need not come."""
        for person in [self._lobby.sessions.get(id_) for id_ in self._waits]:
            if person is not None:
                self._waits.pop(person.id).cancel()
                self._wait_for(person)

    async def end_grace_period(self, session: Session) -> None:
        """She was waited for, and has not come."""
        self._waits.pop(session.id, None)
        seat, match = self.seat_of(session), self._table.match
        if seat is None or session in self.viewers:
            return
        entry: Entry
        if match.phase is Phase.GATHERING:
            entry = Left(seat)
        elif match.phase is Phase.OVER or match.players[seat].played_by or not match.setup.patience:
            return
        else:
            entry = Lost(seat)
        if await self._table.enter(entry):
            self._table.later(lambda: self.end_grace_period(session))

    def remove_onlookers(self) -> None:
        """A table that is not to be looked on is begun. Who may take a seat back may stay."""
        if self._is_closed and self._table.match.phase is not Phase.OVER:
            for session in self.onlookers:
                if self.resigned_from(session) is None:
                    self.remove_viewer(session, Refusal(Code.NO_SPECTATORS))

    def remove_viewer(self, session: Session, why: Refusal) -> None:
        self.viewers.pop(session, None)
        if session.table == self._table.code:
            session.table = None
            self._lobby.tell(session, Gone(self._table.code, why))

    def remove_all_viewers(self, why: Refusal) -> None:
        for session in list(self.viewers):
            self.remove_viewer(session, why)

    def close(self) -> None:
        for handle in self._waits.values():
            handle.cancel()
