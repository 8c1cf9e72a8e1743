"""Chance from a secret seed.

Not `random`: its streams are only promised within one Python version, and a journal must replay on
any. Nothing is computed before the first number is asked for, so a move without chance costs none.
"""

from collections.abc import Sequence
from hashlib import blake2b
from struct import unpack
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_NUMBERS = 2**32


class Chance:
    """A stream of random numbers that only the holder of the seed can predict."""

    __slots__ = ("_block", "_key", "_label", "_numbers")

    def __init__(self, seed: bytes, label: str = "") -> None:
        self._key = blake2b(seed).digest()
        self._label = label.encode()
        self._block = 0
        self._numbers: list[int] = []

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each as likely as any other."""
        if not 0 < bound <= _NUMBERS:
            raise ValueError(bound)
        fair = _NUMBERS - _NUMBERS % bound
        while (number := self._next()) >= fair:
            pass
        return number % bound

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return tuple(mixed)

    def _next(self) -> int:
        if not self._numbers:
            counted = self._label + self._block.to_bytes(8, "little")
            self._numbers = list(unpack("<16I", blake2b(counted, key=self._key).digest()))
            self._block += 1
        return self._numbers.pop()
