"""Long work on the event loop, a little at a time: keys are heeded meanwhile."""

import asyncio
import time
from collections.abc import Callable, Generator
from typing import TypeVar

T = TypeVar("T")

SLICE, PAUSE = 0.004, 0.02
"""Seconds for which is worked at a time, and between two of these."""


async def in_slices(
    steps: Generator[int, None, T], done: Callable[[int], None] = lambda _number: None
) -> T:
    """What the steps lead to; `done` is told the last of each slice."""
    number = 0
    while True:
        ends = time.monotonic() + SLICE
        try:
            number = next(steps)
            while time.monotonic() < ends:
                number = next(steps)
        except StopIteration as finished:
            result: T = finished.value
            return result
        done(number)
        await asyncio.sleep(PAUSE)
