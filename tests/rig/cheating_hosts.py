"""Hosts who cheat: each is an honest server with one fault, planted where a host could plant it."""

from contextlib import ExitStack
from hashlib import blake2b
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from diadem import match as rules
from diadem import shuffle
from diadem.chance import Chance
from diadem.entries import Entry, Started
from diadem.match import Match
from diadem.protocol import ShuffleLine
from diadem.refusals import Refusal
from diadem_server.app import App
from diadem_server.sessions.sessions import Session
from diadem_server.table.shuffling import Shuffling
from diadem_server.table.table import Table

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


class SaysNobodyOpened(Shuffling):
    """Drops what the first seat has opened."""

    def _openings_by_seat(self) -> tuple[str | None, ...]:
        openings = super()._openings_by_seat()
        return openings and (None, *openings[1:])


class SaysNobodyCommitted(Shuffling):
    """Drops what the first seat has committed to."""

    def _commitments_of_those_here(self) -> tuple[str, ...]:
        return ("", *super()._commitments_of_those_here()[1:])


class AddsForOthers(Shuffling):
    """Puts something of the host's own in the place of what the first seat adds, and shows everybody the list without it."""

    def _commitments_of_those_here(self) -> tuple[str, ...]:
        told = super()._commitments_of_those_here()
        server = bytes.fromhex(self.server)
        match = self._table.match
        name, round_ = match.players[0].name, len(match.rounds)
        self._told = told  # what clients want to see
        return shuffle.commitment_of_player(server, round_, name, HOSTS_OWN).hex(), *told[1:]

    def _openings_by_seat(self) -> tuple[str | None, ...]:
        openings = super()._openings_by_seat()
        return openings and (HOSTS_OWN.hex(), *openings[1:])

    def open(self, session: Session, match: Match, opening: str) -> None:
        if self._seating.seat_of(session) != 0:
            super().open(session, match, opening)
        else:
            self._openings[0] = opening
            self._look_again()

    def line(self, match: Match) -> ShuffleLine | None:
        line = super().line(match)
        return replace(line, added=self._told) if line and line.sealed else line


class BindsItselfAnew(Shuffling):
    """Tells another commitment of the server once it has heard those of the players."""

    def line(self, match: Match) -> ShuffleLine | None:
        line = super().line(match)
        return replace(line, server="ab" * 32) if line and line.sealed else line


def swap_deck(app: App, table: str) -> None:
    """In the midst of a round of a game with a deck."""
    actor = app.lobby.tables[table]
    state = actor.match.state
    deck = Chance(b"a better one").shuffled(state.deck)
    actor.match = replace(actor.match, state=replace(state, deck=deck))
