"""Which words of a length a hand can lay, given the letters that already lie in the slot."""

from collections import Counter

from diadem.games.diamino.bitsets import ALPHABET, Index, Words, number
from diadem.games.diamino.tiles import JOKER


class HandFilter:
    """A hand's letters against the words, asked anew for each pattern of lying letters.

    A word can be laid when all of its letters but as many as there are jokers are matched by
    tiles of the hand and lying letters, each tile once.
    """

    def __init__(self, index: Index, hand: str) -> None:
        self._index = index
        self.jokers = hand.count(JOKER)
        held = Counter(number(tile) for tile in hand if tile != JOKER)
        self.held = [held[letter] for letter in range(ALPHABET)]
        self._sums: dict[int, list[int]] = {}
        self._matched: dict[tuple[int, tuple[tuple[int, int], ...], int], int] = {}
        self._layable: dict[tuple[int, tuple[int, ...]], int] = {}

    def layable(self, length: int, lying: tuple[int, ...]) -> int:
        """The words that hand and lying letters make up; `lying` is in rising order."""
        key = (length, lying)
        bits = self._layable.get(key)
        if bits is None:
            further = self._further(length, lying)
            bits = self._layable[key] = self._at_least(length, further, length - self.jokers)
        return bits

    def pays(self, laid: str) -> bool:
        """Whether the hand holds these tiles, lower case for jokers."""
        letters = [tile for tile in laid if tile.isupper()]
        return len(laid) - len(letters) <= self.jokers and all(
            letters.count(letter) <= self.held[number(letter)] for letter in set(letters)
        )

    def _further(self, length: int, lying: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        """The letters by which lying ones add to the hand: each as letter and running count."""
        holding = self._index.words(length).holding
        counts: dict[int, int] = {}
        further = []
        for letter in lying:
            k = counts[letter] = counts.get(letter, self.held[letter]) + 1
            if k < len(holding[letter]):
                further.append((letter, k))
        return tuple(further)

    def _at_least(self, length: int, further: tuple[tuple[int, int], ...], least: int) -> int:
        """The words with at least so many letters matched by the hand and the further letters."""
        words = self._index.words(length)
        if least <= 0:
            return words.every
        key = (length, further, least)
        bits = self._matched.get(key)
        if bits is None:
            if further:
                *others, (letter, k) = further
                rest = tuple(others)
                matched = words.holding[letter][k]
                bits = self._at_least(length, rest, least)
                bits |= self._at_least(length, rest, least - 1) & matched
            else:
                bits = _reach(self._sum(words), least)
            self._matched[key] = bits
        return bits

    def _sum(self, words: Words) -> list[int]:
        """How many letters of each word the hand alone matches, as binary digits, lowest first."""
        digits = self._sums.get(words.length)
        if digits is None:
            digits = self._sums[words.length] = []
            for letter, held in enumerate(self.held):
                for matched in words.holding[letter][1 : held + 1]:
                    _add(digits, matched)
        return digits


def _add(digits: list[int], bits: int) -> None:
    """Count one more where a bit is set."""
    for place, digit in enumerate(digits):
        digits[place] = digit ^ bits
        bits &= digit
        if not bits:
            return
    digits.append(bits)


def _reach(digits: list[int], least: int) -> int:
    """Where a count is at least so much, which is more than 0."""
    below = least - 1
    if below >> len(digits):
        return 0
    above = 0
    for place, digit in enumerate(digits):
        above = above & digit if below >> place & 1 else above | digit
    return above
