"""What is left of the time of each seat in a round, in milliseconds, where the match has a budget for it."""

from collections.abc import Sequence
from typing import TypeAlias

from diadem_shared.entries import Clock, GameClock
from diadem_shared.game import Seat

Left: TypeAlias = tuple[int, ...]

RETURN_GRACE = 30_000
"""What a returning player has at the least."""


def charged(clock: Clock, left: Sequence[int], seat: Seat, spent: int) -> Left:
    """After a move; one made as time ran out costs what was left."""
    if not isinstance(clock, GameClock):
        return ()
    after = list(left)
    after[seat] = max(0, after[seat] - spent) + clock.increment * 1000
    return tuple(after)


def used_up(left: Sequence[int], seat: Seat) -> Left:
    return tuple(0 if other == seat else each for other, each in enumerate(left))


def at_least_some(left: Sequence[int], seat: Seat) -> Left:
    """Who comes back to a clock that ran out has time to look at the table."""
    return tuple(
        max(each, RETURN_GRACE) if other == seat else each for other, each in enumerate(left)
    )
