"""Reading any plain word list: one word a line, blank lines and # comments allowed."""

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from diadem.lexicon.folding import fold, fold_letters
from diadem.lexicon.lexicon import LONGEST, SHORTEST, Lexicon
from diadem.lexicon.packing import make
from diadem.lexicon.refusal import Fault, WordListRefused

BYTE_ORDER_MARK = "\ufeff"


class Unusable(StrEnum):
    """Why a line of a word list gave no word."""

    NO_WORD = "no_word"  # hyphen, digit, space, foreign script ..., or an abbreviation (M-11)
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"


class ParsedText(NamedTuple):
    lexicon: Lexicon
    unusable: Mapping[Unusable, int]


def from_text(text: str, language: str) -> Lexicon:
    return read_text(text, language).lexicon


def read_text(text: str, language: str) -> ParsedText:
    """The list in a text, and how many of its lines were of no use, by reason."""
    lines = list(_lines(text))
    # A list all in capitals says nothing about abbreviations: every word of it looks like one.
    folding = fold_letters if "\n".join(lines).replace("ß", "ẞ").isupper() else fold
    ways: dict[str, set[str]] = {}
    unusable: Counter[Unusable] = Counter()
    for line in lines:
        word = folding(line)
        if word is None:
            unusable[Unusable.NO_WORD] += 1
        elif len(word) < SHORTEST:
            unusable[Unusable.TOO_SHORT] += 1
        elif len(word) > LONGEST:
            unusable[Unusable.TOO_LONG] += 1
        else:
            ways.setdefault(word, set()).add(line)
    if not ways:
        raise WordListRefused(Fault.EMPTY, unusable=unusable.total())
    return ParsedText(make(language, ways), dict(unusable))


def _lines(text: str) -> Iterator[str]:
    for line in text.removeprefix(BYTE_ORDER_MARK).splitlines():
        word = line.partition("#")[0].strip()
        if word:
            yield word
