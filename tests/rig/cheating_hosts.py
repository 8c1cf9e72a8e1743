"""Hosts who cheat: each is an honest server with one fault, planted where a host could plant it."""

from contextlib import ExitStack
from hashlib import blake2b
from typing import Any, cast
from unittest.mock import patch

from msgspec import UNSET
from msgspec.structs import replace

from diadem_server.app import App
from diadem_server.sessions.sessions import Session
from diadem_server.table.commit_reveal import CommitReveal, PendingDeal
from diadem_server.table.history import History
from diadem_server.table.table import Table
from diadem_server.table.views import Logged
from diadem_shared import match as rules
from diadem_shared import shuffle
from diadem_shared.chance import Chance
from diadem_shared.entries import Changed, Entry, Left, Sat, Sealed, Started
from diadem_shared.match import Match
from diadem_shared.protocol import ShuffleLine
from diadem_shared.refusals import Refusal

HOSTS_OWN = b"h" * 32
"""What the host adds in somebody else's name."""


class ChoosesWhenAllIsKnown(Table):
    """Tries other secrets for the round when all have opened, until Bob begins; the commitment stays what it was."""

    async def enter(self, entry: Entry, *given: Any, **named: Any) -> Refusal | None:
        if not isinstance(entry, Started):
            return await super().enter(entry, *given, **named)
        for number in range(100):
            other = blake2b(bytes([number]), digest_size=32).digest()
            with ExitStack() as stack:
                stack.enter_context(patch.object(rules, "seed_of_round", _of_other(other)))
                dealt, _ = rules.apply(self.match, entry, self.secret)
                if dealt.opener == 1:
                    return await super().enter(entry, *given, **named)
        raise AssertionError("no secret has Bob begin")

    @property
    def secret(self) -> bytes:
        return self._seed


def _of_other(secret: bytes) -> Any:
    return lambda _secret, *others: shuffle.seed_of_round(secret, *others)


class SaysNobodyOpened(CommitReveal):
    """Drops what the first seat has opened."""

    def _openings_by_seat(self) -> tuple[str | None, ...]:
        openings = super()._openings_by_seat()
        return openings and (None, *openings[1:])


class SaysNobodyCommitted(CommitReveal):
    """Drops what the first seat has committed to."""

    def _commitments_of_those_here(self) -> tuple[str, ...]:
        return ("", *super()._commitments_of_those_here()[1:])


class AddsForOthers(CommitReveal):
    """Puts something of the host's own in the place of what the first seat adds, and shows everybody the list without it."""

    def _commitments_of_those_here(self) -> tuple[str, ...]:
        told = super()._commitments_of_those_here()
        server = bytes.fromhex(self.server)
        match = self._table.match
        name, round_ = match.players[0].name, len(match.rounds)
        self._told = told  # what clients want to see
        return shuffle.commitment_of_player(server, round_, name, HOSTS_OWN).hex(), *told[1:]

    def follow(self, entry: Entry) -> None:
        super().follow(entry)
        if isinstance(entry, Sealed):
            self._openings[0] = HOSTS_OWN.hex()

    def _waits_for(self, deal: PendingDeal) -> bool:
        return self._table.match.sealed is UNSET and super()._waits_for(deal)

    def line(self, match: Match) -> ShuffleLine | None:
        line = super().line(match)
        return replace(line, added=self._told) if line and line.sealed else line


class BindsItselfAnew(CommitReveal):
    """Tells another commitment of the server once it has heard those of the players."""

    def line(self, match: Match) -> ShuffleLine | None:
        line = super().line(match)
        return replace(line, server="ab" * 32) if line and line.sealed else line


# Hosts who hear openings before they are bound by the list, and try again until a deal suits

TRIES = 3
"""How often they take back what they have heard, before they deal honestly."""


class SealsWithoutEntry(CommitReveal):
    """Shows a list as sealed without an entry, hears what is opened, takes the seal back, and does so again."""

    heard = 0
    """How many openings, before any list was sealed."""
    _shown: tuple[str, ...] = ()

    async def go_on(self) -> Refusal | None:
        deal, table = self._deal, cast("Table", self._table)
        if deal is None:
            return None
        if deal.adding is None:
            self._ask_all(deal)
        if self._waits_for(deal):
            return None
        if not self._shown and self.heard < 2 * TRIES:
            self._shown = self._commitments_of_those_here()
        elif len(self._openings) < len(self._shown):
            return None
        elif self._shown:
            self.heard += len(self._openings)
            self._shown = ()
            self._openings.clear()
            self._commitments.clear()
            self._limit_wait(deal)
        else:
            return await super().go_on()
        table.show(None)
        return None

    def line(self, match: Match) -> ShuffleLine | None:
        line = super().line(match)
        return replace(line, added=self._shown, sealed=True) if line and self._shown else line

    def open(self, session: Session, match: Match, opening: str) -> None:
        if not self._shown:
            return super().open(session, match, opening)
        self._openings[self._seating.owners.index(session.id)] = opening
        self._look_again()
        return None


class TakesSealsBack(Table):
    """Shows an entry that seals, with a link, but writes it only once the openings suit: else it was never there."""

    tries = 0
    suits_after = TRIES
    _before: tuple[Match, bytes]
    _sealed: Sealed

    async def enter(self, entry: Entry, *given: Any, **named: Any) -> Refusal | None:
        if isinstance(entry, Sealed):
            self._before, self._sealed = (self.match, self.record.link), entry
            self.show(self._shown(entry))
            return None
        if not isinstance(entry, Started):
            return await super().enter(entry, *given, **named)
        return await self._when_opened(entry)

    def _shown(self, entry: Entry) -> Logged:
        self.match, told = rules.apply(self.match, entry, self._seed)
        return self.keep(self.record.write(entry, self.match), told)

    async def _when_opened(self, started: Started) -> Refusal | None:
        self.take_back()
        if self.tries < self.suits_after:
            self.tries += 1
            cast("ForgetfulShuffling", self.shuffling).forget()
            self.show(None)
            return None
        return await self._deal(started)

    def take_back(self) -> None:
        self.match, self.record.link = self._before
        cast("ForgetfulHistory", self.history).take_back()

    async def _deal(self, started: Started) -> Refusal | None:
        for entry in (self._sealed, started):
            if why := await super().enter(entry):
                return why
        return None


class RenumbersEntries(TakesSealsBack):
    """Puts another entry in the place of the one that sealed, which comes after it, with the same openings."""

    suits_after = 0

    async def _deal(self, started: Started) -> Refusal | None:
        with patch.object(self.shuffling, "refuse_while_dealing"):
            await Table.enter(self, Changed(self.match.setup))
        return await super()._deal(started)


class DropsByAnEntry(Table):
    """Has a bot sit down and leave once it has heard the openings, so that there is another shuffle."""

    tries = 0

    async def enter(self, entry: Entry, *given: Any, **named: Any) -> Refusal | None:
        if not isinstance(entry, Started) or self.tries == TRIES:
            return await super().enter(entry, *given, **named)
        self.tries += 1
        with patch.object(self.shuffling, "refuse_while_dealing"):
            await super().enter(Sat("Zoe", "zombie"))
            self.post(self._deal_again)
            return await super().enter(Left(len(self.match.players) - 1))


class TellsTwoHistories(Table):
    """Shows the second player another list than the first, in which the host adds in the first one's name."""

    def show(self, last: Logged | None, *, only_to: Session | None = None) -> None:
        for viewer in list(self.seating.viewers) if only_to is None else [only_to]:
            is_deceived = self.seating.seat_of(viewer) == 1
            with patch.object(self.shuffling, "line", self._line if is_deceived else self._honest):
                seen = last
                if is_deceived and last and isinstance(last.entry, Sealed):
                    seen = last._replace(entry=Sealed(self._other(last.entry.commitments)))
                super().show(seen, only_to=viewer)

    def _honest(self, match: Match) -> ShuffleLine | None:
        return CommitReveal.line(self.shuffling, match)

    def _line(self, match: Match) -> ShuffleLine | None:
        line = self._honest(match)
        return replace(line, added=self._other(line.added)) if line and line.sealed else line

    def _other(self, commitments: tuple[str, ...]) -> tuple[str, ...]:
        server, first = bytes.fromhex(self.shuffling.server), self.match.players[0].name
        own = shuffle.commitment_of_player(server, len(self.match.rounds), first, HOSTS_OWN)
        return own.hex(), *commitments[1:]


class ForgetfulShuffling(CommitReveal):
    """For hosts who begin a shuffle again."""

    def forget(self) -> None:
        self._commitments.clear()
        self._openings.clear()


class WithdrawsAfterOneOpening(ForgetfulShuffling):
    """Takes the seal back as soon as one player has opened."""

    def open(self, session: Session, match: Match, opening: str) -> None:
        super().open(session, match, opening)
        table = cast("TakesSealsBack", self._table)
        if table.tries < TRIES:
            table.tries += 1
            table.take_back()
            self.forget()
            table.show(None)


class ForgetfulHistory(History):
    def take_back(self) -> None:
        self._latest.pop()


def swap_deck(app: App, table: str) -> None:
    """In the midst of a round of a game with a deck."""
    actor = app.lobby.tables[table]
    state = actor.match.state
    deck = Chance(b"a better one").shuffled(state.deck)
    actor.match = replace(actor.match, state=replace(state, deck=deck))
