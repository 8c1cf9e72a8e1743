"""A round of Rummy as a race: in how many turns somebody is likely out, and who is first.

With two players a round takes some four turns each. Whoever moves first needs as many as the other and wins nine rounds
of ten between strong bots, so that what counts is not how many tiles are laid but whether a turn more or less is needed.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import fsum, prod

OUT = (1.0, 1.0, 1.0, 1.0, 0.98, 0.97, 0.93, 0.87, 0.62, 0.35, 0.22, 0.13, 0.05, 0.03, 0.01, 0.0)
"""By tiles, how often all of them are laid in one turn: counted in some 350 rounds between strong bots."""
MANY = 16
LAID_OF_MANY, LAID_OF_FEW = 11.0, 8.0
"""Tiles that a turn gets rid of which is not the last, as counted there."""
TURNS = 8
"""So many are looked at; a round that takes longer is as good as lost to each."""


def likely_out(tiles: float) -> float:
    """How likely so many are laid in one turn."""
    least = int(tiles)
    if least + 1 >= len(OUT):
        return 0.0
    return OUT[least] + (tiles - least) * (OUT[least + 1] - OUT[least])


def usually_laid(tiles: float) -> float:
    return LAID_OF_MANY if tiles >= MANY else LAID_OF_FEW


def course(held: float, out: float, laid: float) -> list[float]:
    """How likely somebody with so many tiles is out after one turn, after two ...: `out` is that of the first, in which
    they lay so many otherwise."""
    chances, left = [out], held - laid
    for _ in range(TURNS - 1):
        last = likely_out(left) if left > 0 else 1.0
        chances.append(chances[-1] + (1 - chances[-1]) * last)
        left -= usually_laid(left)
    return chances


def wins(mine: Sequence[float], others: Iterable[Sequence[float]], *, to_move: bool) -> float:
    """How likely I am out before the others, whether it is my turn or theirs."""
    still_in = [prod(1 - chance for chance in turn) for turn in zip(*others, strict=True)]
    open_before = [1.0, *still_in] if to_move else still_in
    last = [after - before for before, after in pairwise([0.0, *mine])]
    return fsum(out * still for out, still in zip(last, open_before, strict=False))
