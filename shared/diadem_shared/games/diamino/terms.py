"""The facts of a table that decide what a play may do, besides board, hand and words."""

from enum import StrEnum
from typing import Protocol

import msgspec

BONUS_HAND = 12
OPENING_LENGTHS = range(2, 9)


class RuleSet(StrEnum):
    RUMMY = "rummy"
    BONUS = "bonus"


class WordList(Protocol):
    """The words of a language, folded to A-Z (M-9)."""

    @property
    def lengths(self) -> tuple[int, ...]: ...

    def __contains__(self, word: object, /) -> bool: ...

    def packed(self, length: int) -> bytes:
        """All words of a length, sorted and joined."""
        ...


class Terms(msgspec.Struct, frozen=True):
    rules: RuleSet
    reserve: int
    """How many tiles the reserve holds before the play."""

    @property
    def black_needs_empty_reserve(self) -> bool:
        """M-30; in Rummy the reserve matters only where a green gives from it (M-22)."""
        return self.rules is RuleSet.BONUS

    @property
    def green_draws(self) -> bool:
        return self.rules is RuleSet.RUMMY and self.reserve > 0

    def draws(self, left: int, greens: int) -> int:
        """How many tiles a player with `left` tiles takes after covering `greens` (M-20, M-25)."""
        wanted = greens if self.rules is RuleSet.RUMMY else max(0, BONUS_HAND - left)
        return min(wanted, self.reserve)
