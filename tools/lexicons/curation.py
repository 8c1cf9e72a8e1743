"""From the words of a source to a list: what the source has, as corrected by hand."""

from collections.abc import Iterable
from pathlib import Path

from diadem.lexicon import LONGEST, SHORTEST, Lexicon, fold, make

CURATED = Path(__file__).parent / "curated"


def curate(language: str, source: Iterable[str]) -> Lexicon:
    """The two-letter words are those read by hand, and no others; the rest is the source's."""
    two_letters = read_curated(language, "two-letters")
    dropped = frozenset(read_curated(language, "dropped"))
    ways: dict[str, set[str]] = {}
    for written in source:
        word = fold(written)
        if word and SHORTEST < len(word) <= LONGEST and written not in dropped:
            ways.setdefault(word, set()).add(written)
    for written in two_letters:
        word = fold(written)
        if word is None or len(word) != SHORTEST:
            raise ValueError(f"{written} is not a word of two letters")
        ways.setdefault(word, set()).add(written)
    return make(language, ways)


def read_curated(language: str, kind: str) -> list[str]:
    """A word a line; what follows # says what it means."""
    lines = (CURATED / f"{language}-{kind}.txt").read_text("utf-8").splitlines()
    words = (line.partition("#")[0].strip() for line in lines)
    return [word for word in words if word]
