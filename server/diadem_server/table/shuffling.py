"""What people add to the chance of the next round: each client commits to it, and opens it once nobody can change theirs."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from msgspec import UNSET

from diadem import match as rules
from diadem.entries import Changed, Entry, Left, Sat, Sealed, Started
from diadem.game import Seat
from diadem.match import Match
from diadem.protocol import ShuffleLine
from diadem.refusals import Code, Refusal, RefusalError
from diadem.shuffle import commitment_of_server
from diadem_server.sessions.sessions import Session
from diadem_server.table.seating import Seating

WAITS_SECONDS = 2.0
"""For commitments, and then for openings, of those who are connected and add to the chance."""


class Dealt(Protocol):
    """What is asked of the table whose rounds are dealt."""

    @property
    def match(self) -> Match: ...

    @property
    def seating(self) -> Seating: ...

    async def enter(
        self, entry: Entry, session: Session | None = None, command: int = 0
    ) -> Refusal | None: ...


class Shuffling:
    def __init__(self, table: Dealt, secret: bytes) -> None:
        self.server = commitment_of_server(secret).hex()
        self._table = table
        self._secret = secret
        self._seating = table.seating
        self._commitments: dict[int, str] = {}
        """By session, of those who have a seat."""
        self._openings: dict[Seat, str] = {}
        self._changed = asyncio.Event()
        self._is_closing = False

    def follow(self, entry: Entry) -> None:
        if isinstance(entry, Sat | Left | Changed | Sealed | Started):
            self._openings.clear()
        if isinstance(entry, Started):
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
        session.adds_chance = True
        self._commitments[session.id] = commitment
        self._changed.set()

    def open(self, session: Session, match: Match, opening: str) -> None:
        seat = self._seating.seat_of(session)
        if seat is None:
            raise RefusalError(Refusal(Code.NO_SEAT))
        if not rules.is_opening(match, seat, opening, self._secret):
            raise RefusalError(Refusal(Code.BAD_SHUFFLE, {"seat": seat}))
        self._openings[seat] = opening
        self._changed.set()

    # What the table waits for

    async def deal(self, session: Session | None = None, command: int = 0) -> Refusal | None:
        """Deal the next round, by a chance to which all have added who are here, or say why not."""
        table = self._table
        if why := rules.explain(table.match, Started()):
            return why
        if table.match.sealed is UNSET:
            commitments = await self._commitments_of_those_here()
            if any(commitments) and (why := await table.enter(Sealed(commitments))):
                return why
        openings = await self._openings_of_those_here()
        if openings is None:
            return Refusal(Code.SERVER_CLOSING)
        return await table.enter(Started(openings), session, command)

    def close(self) -> None:
        """Wait for nobody any more."""
        self._is_closing = True
        self._changed.set()

    async def _commitments_of_those_here(self) -> tuple[str, ...]:
        """By seat, once all have said theirs who are connected, and whose client has done so before."""
        owners = self._seating.owners
        here = {each.id: each for each in self._seating.viewers if each.id in owners}
        adding = [each for each in here.values() if each.adds_chance and each.outbox is not None]
        await self._until(lambda: all(each.id in self._commitments for each in adding))
        for each in adding:
            each.adds_chance = each.id in self._commitments
        added = zip(owners, self._added(), strict=True)
        return tuple(each if owner in here else "" for owner, each in added)

    async def _openings_of_those_here(self) -> tuple[str | None, ...] | None:
        """By seat, of what was sealed; nothing at all where the server ends before all have come."""
        match, here = self._table.match, self._seating.present
        sealed = match.commitments
        waited_for = [seat for seat, each in enumerate(sealed) if each and here[seat]]
        await self._until(lambda: all(seat in self._openings for seat in waited_for))
        if self._is_closing and any(seat not in self._openings for seat in waited_for):
            return None
        return tuple(self._openings.get(seat) if each else "" for seat, each in enumerate(sealed))

    def _added(self) -> tuple[str, ...]:
        return tuple(self._commitments.get(owner or 0, "") for owner in self._seating.owners)

    async def _until(self, is_done: Callable[[], bool]) -> None:
        """For two seconds at the most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WAITS_SECONDS):
                while not (self._is_closing or is_done()):
                    self._changed.clear()
                    await self._changed.wait()
