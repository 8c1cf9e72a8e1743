"""Reading any plain word list: one word a line, blank lines and # comments allowed."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from diadem_shared.lexicon.folding import fold, fold_letters
from diadem_shared.lexicon.lexicon import LONGEST, SHORTEST, Lexicon
from diadem_shared.lexicon.packing import make
from diadem_shared.lexicon.refusal import Fault, WordListRefused

BYTE_ORDER_MARK = "\ufeff"
LINE = re.compile(r"[^\r\n]+")
LONGEST_LINE = 200
"""Characters of a line that may still be a word: letters can be written with marks of their own."""
MOST_WORDS = 2_000_000
MOST_TRIED = 100_000
"""Lines without a word after which a text counts as none of words."""
MOST_EXAMPLES = 3
LONGEST_EXAMPLE = 20


class Unusable(StrEnum):
    """Why a line of a word list gave no word."""

    NO_TILES = "no_tiles"  # a hyphen, a digit, a space, a foreign script ...: on no tile
    ABBREVIATION = "abbreviation"  # a capital past the first letter (M-11)
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"


class LeftOut(NamedTuple):
    """Lines that gave no word, for one reason."""

    lines: int
    examples: tuple[str, ...]
    """The first few."""


class ParsedText(NamedTuple):
    lexicon: Lexicon
    unusable: Mapping[Unusable, LeftOut]


def from_text(text: str, language: str) -> Lexicon:
    return read_text(text, language).lexicon


def read_text(text: str, language: str) -> ParsedText:
    """The list in a text, and which of its lines were of no use, by reason."""
    ways: dict[str, tuple[str, ...]] = {}
    unusable: dict[Unusable, LeftOut] = {}
    for line, word in _sorted_out(text):
        if isinstance(word, Unusable):
            unusable[word] = _with(unusable.get(word), line)
            continue
        before = ways.get(word, ())
        if line not in before:
            ways[word] = (*before, line)
            if len(ways) > MOST_WORDS:
                raise WordListRefused(Fault.TOO_MANY, most=MOST_WORDS)
    if not ways:
        raise WordListRefused(Fault.EMPTY, unusable=sum(each.lines for each in unusable.values()))
    return ParsedText(make(language, ways), unusable)


def left_out(text: str) -> Mapping[Unusable, LeftOut]:
    """Which lines of a text are of no use as words, by reason, without making a list of the others."""
    unusable: dict[Unusable, LeftOut] = {}
    for line, word in _sorted_out(text):
        if isinstance(word, Unusable):
            unusable[word] = _with(unusable.get(word), line)
    return unusable


def _sorted_out(text: str) -> Iterator[tuple[str, "str | Unusable"]]:
    """Each line with its word, or with why it has none."""
    # A list all in capitals says nothing about abbreviations: every word of it looks like one.
    in_capitals = all(line.replace("ß", "ẞ").isupper() for line in _lines(text))
    return ((line, _read(line, in_capitals=in_capitals)) for line in _lines(text))


def _with(before: LeftOut | None, line: str) -> LeftOut:
    count, examples = before or (0, ())
    return LeftOut(count + 1, (*examples, _shortened(line)) if count < MOST_EXAMPLES else examples)


def has_words(text: str) -> bool:
    """Whether one of the first lines may be a word; a file of junk is not read for seconds."""
    tried = islice(_lines(text), MOST_TRIED)
    return any(not isinstance(_read(line, in_capitals=True), Unusable) for line in tried)


def _read(line: str, *, in_capitals: bool) -> str | Unusable:
    """The word of a line, or why it has none."""
    if len(line) > LONGEST_LINE:
        return Unusable.TOO_LONG
    letters = fold_letters(line)
    if letters is None:
        return Unusable.NO_TILES
    if not in_capitals and fold(line) is None:
        return Unusable.ABBREVIATION
    if len(letters) < SHORTEST:
        return Unusable.TOO_SHORT
    return letters if len(letters) <= LONGEST else Unusable.TOO_LONG


def _shortened(line: str) -> str:
    """Fit to be shown, whatever is in the file."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in line[:LONGEST_EXAMPLE])
    return shown if len(line) <= LONGEST_EXAMPLE else f"{shown}..."


def _lines(text: str) -> Iterator[str]:
    """One after the other: a list of all would take many times the text's memory."""
    for found in LINE.finditer(text.removeprefix(BYTE_ORDER_MARK)):
        word = found[0].partition("#")[0].strip()
        if word:
            yield word
