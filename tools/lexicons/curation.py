"""From the words of a source to a list: what the source has, as corrected by hand."""

from collections.abc import Iterable
from pathlib import Path

from diadem_shared.lexicon import LONGEST, SHORTEST, Lexicon, fold, make

CURATED = Path(__file__).parent / "curated"


def curate(language: str, source: Iterable[str]) -> Lexicon:
    """The two-letter words are those read by hand, and no others; the rest is the source's, without what was
    dropped and with what was added by hand."""
    dropped = {*read_curated(language, "dropped"), *read_curated(language, "names")}
    dropped -= {*read_curated(language, "kept")}
    ways: dict[str, set[str]] = {}
    for written in source:
        word = fold(written)
        if word and SHORTEST < len(word) <= LONGEST and written not in dropped:
            ways.setdefault(word, set()).add(written)
    for written in read_curated(language, "added"):
        ways.setdefault(_folded(written, range(SHORTEST + 1, LONGEST + 1)), set()).add(written)
    for written in read_curated(language, "two-letters"):
        ways.setdefault(_folded(written, range(SHORTEST, SHORTEST + 1)), set()).add(written)
    return make(language, ways)


def _folded(written: str, lengths: range) -> str:
    word = fold(written)
    if word is None or len(word) not in lengths:
        raise ValueError(f"{written} is not a word of {lengths[0]} to {lengths[-1]} letters")
    return word


def read_curated(language: str, kind: str) -> list[str]:
    """The words of a file, none where there is no file. What follows # on a line says what they mean."""
    file = CURATED / f"{language}-{kind}.txt"
    if not file.exists():
        return []
    lines = file.read_text("utf-8").splitlines()
    return [word for line in lines for word in line.partition("#")[0].split()]
