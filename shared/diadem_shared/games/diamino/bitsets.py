"""A lexicon as bitsets: one integer per question, one bit per word.

Words of a length are numbered in sorted order; bit n of an answer is word n. Everything is made
when first asked for. Make one index per lexicon and share it: in German it grows to 30 MB.
"""

from bisect import bisect_left
from functools import cached_property, lru_cache
from itertools import chain
from struct import iter_unpack

from diadem_shared.games.diamino.terms import WordList

A = ord("A")
ALPHABET = 26
ANY_LETTER = (1 << ALPHABET) - 1
CROSSINGS_KEPT = 1 << 14

# One table a letter: that letter becomes the digit 1, any other byte the digit 0.
_DIGITS = [bytes(ord("1") if byte == A + n else ord("0") for byte in range(256)) for n in range(26)]


def number(letter: str) -> int:
    """The number of a letter, 0 for A, whichever its case."""
    return ord(letter.upper()) - A


class WordBits:
    """The words of one length."""

    def __init__(self, length: int, packed: bytes) -> None:
        self.length = length
        self.packed = packed
        self.count = len(packed) // length
        self.every = (1 << self.count) - 1

    @cached_property
    def at(self) -> list[list[int]]:
        """By position and letter: the words with that letter there."""
        last = (self.count - 1) * self.length
        columns = [self.packed[last + n :: -self.length] for n in range(self.length)]
        if not self.count:
            columns = [b"0"] * self.length
        return [[int(column.translate(ones), 2) for ones in _DIGITS] for column in columns]

    @cached_property
    def from_end(self) -> list[list[int]]:
        """The same, by position from the end: what an upward reading asks."""
        return self.at[::-1]

    @cached_property
    def holding(self) -> list[list[int]]:
        """By letter and k: the words with at least k of that letter; no list ends in 0."""
        return [self._holding(letter) for letter in range(ALPHABET)]

    def _holding(self, letter: int) -> list[int]:
        least = [self.every]
        for column in self.at:
            here = column[letter]
            least.append(least[-1] & here)
            for k in range(len(least) - 2, 0, -1):
                least[k] |= least[k - 1] & here
            if not least[-1]:
                least.pop()
        return least

    @cached_property
    def both_ways(self) -> int:
        """The words that are words backward too."""
        unpack = f"{self.length}s"
        words = [word for (word,) in iter_unpack(unpack, self.packed)]
        mirrored = set(words).intersection(chain(*iter_unpack(unpack, self.packed[::-1])))
        return sum(1 << bisect_left(words, word) for word in mirrored)

    def one_of(self, position: int, letters: int) -> int:
        """The words with one of some letters at a position; the letters are given as bits."""
        here = self.at[position]
        bits = 0
        while letters:
            lowest = letters & -letters
            bits |= here[lowest.bit_length() - 1]
            letters ^= lowest
        return bits

    def word(self, n: int) -> str:
        return self.packed[n * self.length : (n + 1) * self.length].decode("ascii")

    def bit_of(self, word: str) -> int:
        """The bit of a word, 0 if there is none such."""
        n = bisect_left(range(self.count), word, key=self.word)
        return 1 << n if n < self.count and self.word(n) == word else 0


class Index:
    """All lengths of a lexicon, and the letters that fit between others."""

    def __init__(self, lexicon: WordList) -> None:
        self._lexicon = lexicon
        self._words: dict[int, WordBits] = {}
        self.letters_between = lru_cache(CROSSINGS_KEPT)(self._letters_between)

    def words(self, length: int) -> WordBits:
        words = self._words.get(length)
        if words is None:
            words = self._words[length] = WordBits(length, self._lexicon.packed(length))
        return words

    def _letters_between(self, before: str, after: str, *, upward: bool) -> int:
        """The letters, as bits, that make a word of the run they complete (M-7, M-8)."""
        words = self.words(len(before) + 1 + len(after))
        found = _between(words, before, after)
        return found | _between(words, after[::-1], before[::-1]) if upward else found


def _between(words: WordBits, before: str, after: str) -> int:
    fitting = words.every
    for offset, letter in chain(enumerate(before), enumerate(after, start=len(before) + 1)):
        fitting &= words.at[offset][number(letter)]
        if not fitting:
            return 0
    here = words.at[len(before)]
    return sum(1 << letter for letter in range(ALPHABET) if fitting & here[letter])


def ones(bits: int) -> list[int]:
    """The numbers of the bits that are set, rising."""
    digits = f"{bits:b}"[::-1]
    found = []
    at = digits.find("1")
    while at >= 0:
        found.append(at)
        at = digits.find("1", at + 1)
    return found


def nth_one(bits: int, n: int) -> int:
    """The number of the n-th bit that is set, counted from 0."""
    low, high = 0, bits.bit_length()
    while high - low > 1:
        middle = (low + high) // 2
        below = (bits >> low & ((1 << middle - low) - 1)).bit_count()
        if n < below:
            high = middle
        else:
            n -= below
            low = middle
    return low
