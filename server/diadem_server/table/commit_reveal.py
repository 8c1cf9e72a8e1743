"""What people add to the chance of the next round: each client commits to it, and opens it once nobody can change theirs."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from msgspec import UNSET

from diadem_server.sessions.sessions import Session
from diadem_server.table.jobs import Work
from diadem_server.table.seating import Seating
from diadem_shared import match as rules
from diadem_shared.entries import Changed, Entry, Left, Sat, Sealed, Started
from diadem_shared.game import Seat
from diadem_shared.lesson import is_lesson
from diadem_shared.match import Match
from diadem_shared.protocol import ShuffleLine
from diadem_shared.refusals import Code, Refusal, RefusalError
from diadem_shared.shuffle import commitment_of_server

WAITS_SECONDS = 2.0
"""For commitments, and then for openings, of those who are connected and add to the chance."""
RETURN_SECONDS = 10.0
"""After a table was taken up again: for those who sat there, and are on their way back."""


class Dealt(Protocol):
    """What is asked of the table whose rounds are dealt."""

    @property
    def match(self) -> Match: ...

    @property
    def seating(self) -> Seating: ...

    def post(self, work: Work) -> None: ...

    async def enter(
        self, entry: Entry, session: Session | None = None, command: int = 0
    ) -> Refusal | None: ...


@dataclass(slots=True)
class PendingDeal:
    """A round that is being dealt."""

    session: Session | None
    command: int
    """Who has asked for it by what command; nobody where all were ready."""
    adding: Sequence[Session] | None = None
    """Whose commitments are waited for, and once these are sealed, whose openings; None while somebody is on their way back."""
    timer: asyncio.TimerHandle | None = None
    """Runs while they are waited for."""


Refuse: TypeAlias = Callable[[Session, int, Refusal], None]


class CommitReveal:
    def __init__(self, table: Dealt, secret: bytes, refuse: Refuse) -> None:
        """`refuse` answers a command by which a round was to be dealt."""
        self.server = commitment_of_server(secret).hex()
        self._table = table
        self._secret = secret
        self._refuse = refuse
        self._seating = table.seating
        self._commitments: dict[int, str] = {}
        """By session, of those who have a seat."""
        self._openings: dict[Seat, str] = {}
        self._deal: PendingDeal | None = None
        self._returning: set[int] = set()
        """Sessions that sat here when the table was taken up again."""
        self._return_ends = 0.0

    @property
    def is_dealing(self) -> bool:
        """Whether a round is being dealt now."""
        return self._deal is not None

    @property
    def keeps_seats(self) -> bool:
        """Whether seats and setup stay as they are, while all else goes on: a round is being dealt, or was when the server
        ended. Who has heard what others add gets no other shuffle."""
        return self._deal is not None or self._table.match.sealed is not UNSET

    def expect(self, sessions: Iterable[int]) -> None:
        """A table was taken up again: wait for those who sat there with the first round, if it is dealt at once."""
        self._returning = set(sessions)
        self._return_ends = asyncio.get_running_loop().time() + RETURN_SECONDS

    def follow(self, entry: Entry) -> None:
        if isinstance(entry, Sat | Left | Changed | Sealed | Started):
            self._openings.clear()
        if isinstance(entry, Sealed | Started):  # what is opened is not committed to again
            self._commitments.clear()
        if isinstance(entry, Left):
            self._commitments = {
                owner: self._commitments[owner]
                for owner in self._seating.owners
                if owner is not None and owner in self._commitments
            }

    def line(self, match: Match) -> ShuffleLine | None:
        if not match.phase.is_before_round:
            return None
        if match.sealed is UNSET:
            return ShuffleLine(self.server, self._added(), sealed=False)
        return ShuffleLine(self.server, match.sealed, sealed=True)

    # What clients say

    def commit(self, session: Session, match: Match, commitment: str) -> None:
        if self._seating.seat_of(session) is None:
            raise RefusalError(Refusal(Code.NO_SEAT))
        if not match.phase.is_before_round:
            raise RefusalError(Refusal(rules.OUT_OF_PHASE[match.phase]))
        if match.sealed is not UNSET:
            raise RefusalError(Refusal(Code.ALREADY_STARTED))
        if is_lesson(match.setup):
            raise RefusalError(Refusal(Code.LESSON_IS_FIXED))
        session.adds_chance = True
        self._commitments[session.id] = commitment
        self._look_again()

    def open(self, session: Session, match: Match, opening: str) -> None:
        seat = self._seating.seat_of(session)
        if seat is None:
            raise RefusalError(Refusal(Code.NO_SEAT))
        if not rules.is_opening(match, seat, opening, self._secret):
            raise RefusalError(Refusal(Code.BAD_SHUFFLE, {"seat": seat}))
        self._openings[seat] = opening
        self._look_again()

    # Dealing: a table goes on with it whenever something was done there

    def begin(self, session: Session | None = None, command: int = 0) -> Refusal | None:
        """Begin to deal the next round, or say why not. The command is answered when it is dealt."""
        match = self._table.match
        if self._deal is not None:
            return Refusal(Code.ALREADY_STARTED)
        if why := rules.explain(match, Started()):
            return why
        self._deal = PendingDeal(session, command)
        return None

    def _ask_all(self, deal: PendingDeal) -> None:
        """Begin to wait for what they add."""
        match = self._table.match
        here = [] if is_lesson(match.setup) else self._people_here
        if match.sealed is UNSET:
            here = [each for each in here if each.adds_chance and each.outbox is not None]
        deal.adding = here
        self._limit_wait(deal)

    async def go_on(self) -> Refusal | None:
        """Seal what was committed to, and deal, each once nobody is waited for; why it could not be written."""
        deal, table = self._deal, self._table
        if deal is None or self._awaits_return(deal):
            return None
        if deal.adding is None:
            self._ask_all(deal)
        if self._waits_for(deal):
            return None
        if table.match.sealed is UNSET:
            for each in deal.adding or ():
                each.adds_chance = each.id in self._commitments
            commitments = self._commitments_of_those_here()
            if any(commitments):
                if why := await table.enter(Sealed(commitments)):
                    return self._end(why)
                deal.adding = self._people_here
                self._limit_wait(deal)
                if self._waits_for(deal):
                    return None
        started = Started(self._openings_by_seat())
        return self._end(await table.enter(started, deal.session, deal.command))

    def give_up(self, why: Refusal) -> None:
        """Deal nothing, since the table ends."""
        if self._deal is not None:
            self._end(why)

    def refuse_while_dealing(self, entry: Entry, session: Session | None) -> None:
        """Nobody changes seats or setup meanwhile, but who does not come back loses the seat. Raises RefusalError."""
        is_kept = self.keeps_seats if session is not None else self.is_dealing
        if is_kept and isinstance(entry, Sat | Left | Changed):
            raise RefusalError(Refusal(Code.ALREADY_STARTED))

    def _end(self, why: Refusal | None) -> Refusal | None:
        """It is dealt, or not; whoever has asked for it is told why not."""
        deal, self._deal = self._deal, None
        if deal is None:
            return why
        if deal.timer is not None:
            deal.timer.cancel()
        if why is not None and deal.session is not None:
            self._refuse(deal.session, deal.command, why)
            return None
        return why

    def _awaits_return(self, deal: PendingDeal) -> bool:
        loop = asyncio.get_running_loop()
        left = self._return_ends - loop.time()
        if deal.adding is not None or left <= 0:
            return False
        if self._returning <= {each.id for each in self._seating.viewers}:
            return False
        if deal.timer is None:
            deal.timer = loop.call_later(left, self._wait_ends, deal)
        return True

    def _waits_for(self, deal: PendingDeal) -> bool:
        if deal.timer is None or deal.adding is None:
            return False
        sealed = self._table.match.sealed
        if sealed is UNSET:
            return any(each.id not in self._commitments for each in deal.adding)
        seats = [self._seating.seat_of(each) for each in deal.adding]
        return any(
            seat is not None and sealed[seat] and seat not in self._openings for seat in seats
        )

    def _limit_wait(self, deal: PendingDeal) -> None:
        if deal.timer is not None:
            deal.timer.cancel()
        loop = asyncio.get_running_loop()
        deal.timer = loop.call_later(WAITS_SECONDS, self._wait_ends, deal)

    def _wait_ends(self, deal: PendingDeal) -> None:
        deal.timer = None
        self._look_again()

    def _look_again(self) -> None:
        if self._deal is not None and not self._waits_for(self._deal):
            self._table.post(_nothing)

    @property
    def _people_here(self) -> list[Session]:
        owners = self._seating.owners
        return [each for each in self._seating.viewers if each.id in owners]

    def _commitments_of_those_here(self) -> tuple[str, ...]:
        here = {each.id for each in self._people_here}
        added = zip(self._seating.owners, self._added(), strict=True)
        return tuple(each if owner in here else "" for owner, each in added)

    def _openings_by_seat(self) -> tuple[str | None, ...]:
        sealed = enumerate(self._table.match.commitments)
        return tuple(self._openings.get(seat) if each else "" for seat, each in sealed)

    def _added(self) -> tuple[str, ...]:
        return tuple(self._commitments.get(owner or 0, "") for owner in self._seating.owners)


async def _nothing() -> None:
    """Is done at a table so that it goes on dealing."""
