"""Random play through the contract, to reach the states that players reach."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any

import msgspec
from msgspec import Struct

from diadem_shared.chance import Chance
from diadem_shared.game import AnyGame, Happening, Seat
from diadem_shared.refusals import RefusalError
from tests.rig import Broken

LONGEST_ROUND = 100_000


class Step(Struct, frozen=True):
    """One move of a walk: what was, what was done, what came of it."""

    seats: int
    before: Any
    seat: Seat
    move: Any
    chance: str
    """The label of the chance this move drew on, under the walk's seed."""
    after: Any
    told: Sequence[Happening[Any]]


def option_sets(game: AnyGame) -> Iterator[Any]:
    """Every combination of the game's options: all choices where they are few, else the default."""
    info = msgspec.inspect.type_info(game.options_type)
    assert isinstance(info, msgspec.inspect.StructType)
    choices = [_choices(field) for field in info.fields]
    names = [field.name for field in info.fields]
    for values in product(*choices):
        yield game.options_type(**dict(zip(names, values, strict=True)))


def _choices(field: msgspec.inspect.Field) -> Sequence[object]:
    match field.type:
        case msgspec.inspect.LiteralType(values=values):
            return sorted(values, key=lambda value: (value != field.default, str(value)))
        case msgspec.inspect.BoolType():
            return [False, True]
        case _:
            return [field.default]


def options_for(game: AnyGame, seed: int) -> Any:
    """Another combination of options for every seed, all of them in turn."""
    sets = list(islice(option_sets(game), 64))
    return sets[seed % len(sets)]


def seats_for(game: AnyGame, seed: int) -> int:
    return game.seats[seed % len(game.seats)]


def walk(game: AnyGame, options: Any, seats: int, seed: bytes) -> Iterator[Step]:
    """A round of random moves, step by step to its end."""
    state, _ = game.start(options, seats, None, Chance(seed, "deal"))
    chooser = Chance(seed, "moves")
    for number in range(LONGEST_ROUND):
        actors = game.actors(game.public(state))
        if not actors:
            return
        seat = chooser.pick(actors)
        move = game.any_move(game.view(state, seat), chooser)
        label = f"move {number}"
        try:
            after, told = game.play(state, seat, move, Chance(seed, label))
        except RefusalError as refused:
            raise Broken(f"a listed move is not refused: {move} {refused.refusal}") from refused
        yield Step(seats, state, seat, move, label, after, told)
        state = after
    raise Broken(f"a round of random play comes to its end: {game.name} {options} {seats} {seed!r}")
