"""Positions to test from, and games played at random."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import Happening
from diadem_shared.games.diadingo.board import LOOSE, SPOTS, THEFT, Card, Spot
from diadem_shared.games.diadingo.game import Diadingo
from diadem_shared.games.diadingo.rules import phase_of
from diadem_shared.games.diadingo.table import (
    DiadingoEvent,
    Hand,
    Move,
    Options,
    PublicState,
    State,
)

GAME = Diadingo()
PLAIN, PROFESSIONAL = Options(), Options(scoring="professional")

LOOSE_SPOTS, FIXED_SPOTS = SPOTS[:LOOSE], SPOTS[LOOSE:]
"""In `position`, as long as nobody took one."""


def position(
    card: Card,
    *hands: Hand,
    deck: Sequence[Card] = (1000, 2000, 3000),
    loose: tuple[Spot, ...] = LOOSE_SPOTS,
    proved: tuple[Spot, ...] = (),
    turn: int = 0,
    options: Options = PLAIN,
) -> State:
    """This card lies open. The last of the deck is on top; the first 26 spots are the loose ones."""
    return State(
        options=options,
        deck=tuple(deck),
        board=(*loose, *FIXED_SPOTS),
        loose=loose,
        proved=proved,
        hands=hands,
        turn=turn,
        phase=phase_of(card),
        card=card,
    )


def play(state: State, move: str) -> tuple[State, list[DiadingoEvent]]:
    """What the seat whose turn it is typed, and what was told of it."""
    after, told = GAME.play(state, state.turn, GAME.parse(move), Chance(b"unused"))
    return after, [happening.event for happening in told]


def over(*hands: Hand, options: Options = PLAIN) -> PublicState:
    """A round that has ended with these hands."""
    state, _ = play(position(THEFT, *PAIR, options=options, deck=()), "decline")
    return replace(GAME.public(state), hands=hands)


PAIR = (Hand(empty=(3000,)), Hand(filled=(3000,)))
"""Two hands between which the first may steal."""


class Step(Struct, frozen=True):
    """A move that was played, and the state it led to; None for the deal."""

    move: Move | None
    state: State
    told: tuple[DiadingoEvent, ...]


def play_at_random(seed: int, seats: int, options: Options) -> Iterator[Step]:
    chance = Chance(seed.to_bytes(8, "little"))
    state, told = GAME.start(options, seats, None, chance)
    yield Step(None, state, _events(told))
    while actors := GAME.actors(GAME.public(state)):
        move = chance.pick(list(GAME.moves(GAME.view(state, actors[0]))))
        state, told = GAME.play(state, actors[0], move, chance)
        yield Step(move, state, _events(told))


def _events(told: Sequence[Happening[Any]]) -> tuple[DiadingoEvent, ...]:
    return tuple(happening.event for happening in told)
