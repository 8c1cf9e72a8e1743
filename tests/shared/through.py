"""Going through long work that is done step by step."""

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


def through(steps: Generator[int, None, T]) -> T:
    """What the steps lead to."""
    while True:
        try:
            next(steps)
        except StopIteration as finished:
            result: T = finished.value
            return result
