"""Matches among bots that several tests look at: each is played once in a process, and only as far as a test asks."""

from collections.abc import Iterator, Sequence
from itertools import count

from diadem_shared.entries import Setup
from diadem_shared.playout import Step, play_out

_PLAYED: dict[tuple[str, tuple[str, ...], bytes], tuple[list[Step], Iterator[Step]]] = {}


def playout(setup: Setup, levels: Sequence[str], seed: bytes) -> Iterator[Step]:
    key = repr(setup), tuple(levels), seed
    steps, more = _PLAYED.setdefault(key, ([], play_out(setup, levels, seed)))
    for number in count():
        if number == len(steps):
            if (step := next(more, None)) is None:
                return
            steps.append(step)
        yield steps[number]
