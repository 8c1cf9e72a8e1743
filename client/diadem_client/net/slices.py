"""Long work beside which keys are heeded: on the event loop a little at a time, or in a thread."""

import asyncio
import time
from collections.abc import Callable, Generator
from threading import Event
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


def until_left(
    steps: Generator[int, None, T], left: Event, done: Callable[[int], None] = lambda _number: None
) -> T | None:
    """What the steps lead to, for a thread of its own; None once the player has `left`. `done` is told each step."""
    try:
        while not left.is_set():
            done(next(steps))
    except StopIteration as finished:
        result: T = finished.value
        return result
    return None
