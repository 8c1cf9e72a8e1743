"""Who sits at a table, who is there to see it, and who is ready: what entries and visits make of it."""

from collections import Counter
from collections.abc import Sequence
from math import inf

from diadem_server.sessions.sessions import Session
from diadem_server.storage.changes import LeaveSeat, SeatChange, TakeSeat
from diadem_shared.entries import (
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
from diadem_shared.game import Seat
from diadem_shared.match import Match, Phase, Player

MOST_ABSENCES = 100
"""Times one player may be away in a match, and have the seat back."""


class Seating:
    def __init__(self) -> None:
        self.owners: list[int | None] = []
        """By seat, the session that sits there; None for a bot, or once its player has resigned."""
        self.resigned: dict[Seat, int] = {}
        """Seats that somebody has resigned from, and which session may take them back."""
        self.handed_over: set[Seat] = set()
        """Seats that their owners have handed to a bot."""
        self.absences: Counter[Seat] = Counter()
        """How often each seat was handed over, resigned from, or lost."""
        self.played: set[int] = set()
        """Every session that has sat here since the start, whatever became of it."""
        self.viewers: dict[Session, int] = {}
        """Who looks at the table, and how many views each was sent."""
        self.programs: set[int] = set()
        """The sessions of programs, as far as they have been here."""
        self.ready: set[int] = set()
        """The sessions that are, here or not, until the next round is dealt."""

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
                self.absences[seat] += 1
            case Returned(seat):
                self.handed_over.discard(seat)
                if seat in self.resigned:
                    self.owners[seat] = self.resigned.pop(seat)
            case TakenOver(seat):
                self.handed_over.add(seat)
                self.ready.discard(self.owners[seat] or 0)
                self.absences[seat] += 1
            case Lost(seat):
                self.ready.discard(self.owners[seat] or 0)
                self.absences[seat] += 1
            case Started() | Changed():
                self.ready.clear()
            case _:
                pass

    def changes(self, code: str, entry: Entry, session: int | None) -> list[SeatChange]:
        """What an entry to come does to who has a seat at all."""
        match entry:
            case Sat(_, None) if session is not None:
                return [TakeSeat(code, session)]
            case Returned(seat) if seat in self.resigned:
                return [TakeSeat(code, self.resigned[seat])]
            case Left(seat) | Resigned(seat) if (owner := self.owners[seat]) is not None:
                return [LeaveSeat(code, owner)]
            case _:
                return []

    # Seats

    @property
    def players(self) -> tuple[int | None, ...]:
        """By seat, the session that sits there or has resigned from it."""
        return tuple(
            self.resigned.get(seat) if owner is None else owner
            for seat, owner in enumerate(self.owners)
        )

    def seat_of(self, session: Session) -> Seat | None:
        return self.owners.index(session.id) if session.id in self.owners else None

    @property
    def owned(self) -> list[Seat]:
        """The seats of people, whoever plays for them."""
        return [seat for seat, owner in enumerate(self.owners) if owner is not None]

    def playing(self, players: Sequence[Player]) -> list[Seat]:
        """The seats of people who play for themselves."""
        return [seat for seat in self.owned if players[seat].played_by is None]

    def shortest_pause(self, players: Sequence[Player]) -> float:
        """The fewest seconds for which anybody who is here and plays wants to be held by the move of a bot."""
        playing = {self.owners[seat] for seat in self.playing(players)}
        here = (person.longest_pause for person in self.viewers if person.id in playing)
        return min(here, default=inf)

    def maker(self, match: Match) -> Seat | None:
        """The first person at the table who plays for themselves decides for it; after the match, the first who is
        still there."""
        if match.phase is Phase.OVER:
            present = self.present
            if here := [seat for seat in self.owned if present[seat]]:
                return here[0]
        return next(iter(self.playing(match.players) or self.owned), None)

    @property
    def all_were_left(self) -> bool:
        """Whether nobody is expected back: each seat is a bot's, or was resigned from, or handed over."""
        return all(seat in self.handed_over for seat in self.owned)

    def is_stood_in_for(self, seat: Seat, match: Match) -> bool:
        """A player that was lost or ran out of time comes back by being here again (C-2)."""
        if match.players[seat].stand_in is None or match.phase is Phase.OVER:
            return False
        return self.absences[seat] <= MOST_ABSENCES and seat not in self.handed_over

    def resigned_from(self, session: Session, phase: Phase) -> Seat | None:
        """The seat that this session may take back (C-2)."""
        if phase is Phase.OVER:
            return None
        return next((seat for seat, owner in self.resigned.items() if owner == session.id), None)

    def has_right_to_seat(self, id_: int) -> bool:
        """Whether this session sits here, or may take a seat back (C-2)."""
        return id_ in self.owners or id_ in self.resigned.values()

    # People

    def come(self, session: Session, views: int = 0) -> None:
        """Somebody is here, who was sent so many views elsewhere."""
        session.came_by = session.outbox
        self.viewers[session] = views or self.viewers.get(session, 0)
        (self.programs.add if session.is_bot else self.programs.discard)(session.id)

    @property
    def program_seats(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, owner in enumerate(self.owners) if owner in self.programs)

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
    def onlookers(self) -> list[Session]:
        """In the order they came in."""
        return [person for person in self.viewers if person.id not in self.owners]
