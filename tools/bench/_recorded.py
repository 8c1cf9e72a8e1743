"""A match that was played before, so that who measures servers need not think: which command comes next
is known, and so is what everybody is shown after it."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from diadem_shared.chance import SEED_BYTES
from diadem_shared.entries import Moved, Setup
from diadem_shared.match import Match, Told
from diadem_shared.playout import Step, play_out
from diadem_shared.protocol import AnyCommand, Happened, Play, PlayerLine, Start, TablePublic

PLAYERS = 4
SETUP = Setup("diamoniak", rounds=20)
SEED = bytes(SEED_BYTES)
"""A server that deals by this one plays the same match."""


class Made(NamedTuple):
    """An entry, by the seat that it is made from."""

    seat: int
    move: str | None
    """None deals a round."""

    def command(self, id_: int) -> AnyCommand:
        return Start(id_) if self.move is None else Play(id_, self.move)


class Shown(NamedTuple):
    """What a table looks like after an entry: to all, and to each seat besides."""

    number: int
    public: TablePublic
    private: list[object]
    happened: list[list[Happened]]


@cache
def made() -> list[Made]:
    """From the first deal on, with which the match goes on after all have sat down."""
    return [_made(step) for step in _steps()]


def shown(most: int) -> list[Shown]:
    """After each of so many entries."""
    return [_shown(step.match, step.told) for step in islice(_steps(), most)]


def _steps() -> Iterator[Step]:
    return islice(play_out(SETUP, ["zombie"] * PLAYERS, SEED), PLAYERS, None)


def _made(step: Step) -> Made:
    match step.entry:
        case Moved(seat, move):
            return Made(seat, move)
        case _:
            return Made(0, None)


def _shown(match: Match, told: Told) -> Shown:
    seats = range(PLAYERS)
    players = tuple(
        PlayerLine(f"player {seat}", bot=None, away=False, present=True, ready=False)
        for seat in seats
    )
    public = TablePublic(
        setup=SETUP,
        players=players,
        phase=match.phase,
        maker=0,
        actors=match.actors,
        rounds=match.rounds,
        watchers=0,
        left=(),
        deadline=None,
        game=match.game.public(match.state),
    )
    return Shown(
        match.entries,
        public,
        [match.game.private(match.state, seat) for seat in seats],
        [[Happened(match.entries, each.told(seat)) for each in told] for seat in seats],
    )
