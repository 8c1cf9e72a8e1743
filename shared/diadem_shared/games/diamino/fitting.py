"""Which words of a length a hand can lay, given the letters that already lie in the slot."""

import itertools
from collections import Counter

from diadem_shared.games.diamino.bitsets import ALPHABET, WordBits, number
from diadem_shared.games.diamino.tiles import JOKER


class HandFilter:
    """A hand's letters against the words, for each choice of lying letters to help.

    A word can be laid when all of its letters but as many as there are jokers are matched by
    tiles of the hand and lying letters, each tile once.
    """

    def __init__(self, hand: str) -> None:
        self.jokers = hand.count(JOKER)
        held = Counter(number(tile) for tile in hand if tile != JOKER)
        self.held = [held[letter] for letter in range(ALPHABET)]
        self._sums: dict[int, list[int]] = {}
        self._matched: dict[tuple[int, int], int] = {}
        self._layable: dict[tuple[int, tuple[int, ...]], int] = {}

    def layable(self, words: WordBits, lying: tuple[int, ...]) -> int:
        """The words that hand and lying letters make up; `lying` is in rising order."""
        key = (words.length, lying)
        bits = self._layable.get(key)
        if bits is None:
            bits = self._layable[key] = self._make_up(words, lying)
        return bits

    def _make_up(self, words: WordBits, lying: tuple[int, ...]) -> int:
        further = self._further(words, lying)
        least = words.length - self.jokers
        # Where the hand matches enough, or one too few, two too few ... for each further letter
        # that may make up for it.
        enough = [self._match(words, least - short) for short in range(len(further) + 1)]
        for matched in further:
            enough = [here | fewer & matched for here, fewer in itertools.pairwise(enough)]
        return enough[0]

    def pays(self, laid: str) -> bool:
        """Whether the hand holds these tiles, lower case for jokers."""
        letters = [tile for tile in laid if tile.isupper()]
        return len(laid) - len(letters) <= self.jokers and all(
            letters.count(letter) <= self.held[number(letter)] for letter in set(letters)
        )

    def _further(self, words: WordBits, lying: tuple[int, ...]) -> list[int]:
        """For each lying letter, the words with one more of it than the hand and those before."""
        holding = words.holding
        counts: dict[int, int] = {}
        further = []
        for letter in lying:
            k = counts[letter] = counts.get(letter, self.held[letter]) + 1
            if k < len(holding[letter]):
                further.append(holding[letter][k])
        return further

    def _match(self, words: WordBits, least: int) -> int:
        """The words with at least so many letters matched by the hand alone."""
        key = (words.length, least)
        bits = self._matched.get(key)
        if bits is None:
            bits = words.every if least <= 0 else _reach(self._sum(words), least)
            self._matched[key] = bits
        return bits

    def _sum(self, words: WordBits) -> list[int]:
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
