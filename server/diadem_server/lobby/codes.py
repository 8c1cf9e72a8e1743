"""The codes of tables, by which players find them."""

import itertools
import secrets
from collections.abc import Iterable, Iterator

# Without letters and digits that are read for each other.
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
PUBLIC_LENGTH = 4
PRIVATE_LENGTH = 8
"""Long enough that nobody finds a private table by guessing."""
TRIES = 20
"""Codes drawn at one length before a longer one is tried: few are free at this one."""


class Codes:
    """Every code in use, by a table or by the replay of one; none of them is given to another table."""

    def __init__(self, in_use: Iterable[str] = ()) -> None:
        self._in_use = set(in_use)

    def add(self, codes: Iterable[str]) -> None:
        """Codes that are in use already."""
        self._in_use.update(codes)

    def __contains__(self, code: str) -> bool:
        return code in self._in_use

    def __len__(self) -> int:
        return len(self._in_use)

    def take(self, *, private: bool) -> str:
        """A free code, in use from now on."""
        code = next(code for code in drawn(private=private) if code not in self._in_use)
        self._in_use.add(code)
        return code

    def give_back(self, *codes: str) -> None:
        self._in_use.difference_update(codes)

    def in_use(self) -> frozenset[str]:
        return frozenset(self._in_use)


def drawn(*, private: bool) -> Iterator[str]:
    """Codes to try; the longer, the more of them were in use."""
    for length in itertools.count(PRIVATE_LENGTH if private else PUBLIC_LENGTH):
        for _ in range(TRIES):
            yield "".join(secrets.choice(CODE_LETTERS) for _ in range(length))
