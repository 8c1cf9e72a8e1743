"""Finding all legal plays.

For each slot the words that fit are an AND of bitsets: the letters lying in it, the words the hand
can pay for, and per new tile with a side word an OR of the letters allowed there. A column asks
the same bitsets once more with its offsets mirrored, for words that are read upward.
"""

from collections.abc import Callable, Iterable, Iterator

from diadem_shared.games.diamino.bitsets import Index, WordBits
from diadem_shared.games.diamino.board import Board
from diadem_shared.games.diamino.findings import Findings, Found
from diadem_shared.games.diamino.fitting import HandFilter
from diadem_shared.games.diamino.play import Play
from diadem_shared.games.diamino.slots import Reads, Slot, slots
from diadem_shared.games.diamino.terms import Terms, WordList


class Finder:
    """Make one per lexicon and share it: its bitsets are made once, length by length."""

    def __init__(self, lexicon: WordList) -> None:
        self.index = Index(lexicon)

    def find(self, board: Board, hand: str, terms: Terms) -> Findings:
        """All plays that are legal for a hand; none is made before somebody looks."""
        search = _Search(self.index, hand)
        found = list(search.fill(slots(board, hand, terms, self.index)))
        return Findings(board, self.index, search.hand, found)

    def best_first(
        self, board: Board, hand: str, terms: Terms, promise: Callable[[Slot], float]
    ) -> Iterator[Found]:
        """The slots that some word fits, the most promising first; each is searched when it is asked for."""
        most_promising = sorted(slots(board, hand, terms, self.index), key=promise, reverse=True)
        return _Search(self.index, hand).fill(most_promising)

    def fitting(self, hand: str, some: Iterable[Slot]) -> Iterator[Found]:
        """Those of some slots that some word fits; each is searched when it is asked for."""
        return _Search(self.index, hand).fill(some)

    def first(self, board: Board, hand: str, terms: Terms) -> Play | None:
        """Some legal play, found in the shortest words that have one."""
        search = _Search(self.index, hand)
        shortest = sorted(slots(board, hand, terms, self.index), key=lambda slot: len(slot.squares))
        for found in search.fill(shortest):
            return next(iter(Findings(board, self.index, search.hand, [found])))
        return None


class _Search:
    """One search, and what its slots share."""

    def __init__(self, index: Index, hand: str) -> None:
        self.hand = HandFilter(hand)
        self._index = index
        self._limited: dict[tuple[int, int, int], int] = {}

    def fill(self, slots: Iterable[Slot]) -> Iterator[Found]:
        """The slots that some word fits."""
        for slot in slots:
            words = self._index.words(len(slot.squares))
            forward = backward = 0
            if slot.reads is not Reads.BACKWARD:
                forward = self._fitting(slot, words, words.at)
            if slot.reads is not Reads.FORWARD:
                backward = self._fitting(slot, words, words.from_end)
                if backward and slot.reads is Reads.BOTH:
                    backward ^= backward & words.both_ways
            if forward or backward:
                yield Found(slot, forward, backward)

    def _fitting(self, slot: Slot, words: WordBits, at: list[list[int]]) -> int:
        bits = words.every
        for offset, letter in slot.letters:
            bits &= at[offset][letter]
            if not bits:
                return 0
        for offset, allowed in slot.limits:
            bits &= self._one_of(words, offset if at is words.at else ~offset, allowed)
            if not bits:
                return 0
        return bits & self.hand.layable(
            words, tuple(sorted([number for _, number in slot.letters]))
        )

    def _one_of(self, words: WordBits, position: int, letters: int) -> int:
        """The words with one of some letters at a position, which may count from the end."""
        key = (words.length, position % words.length, letters)
        bits = self._limited.get(key)
        if bits is None:
            bits = self._limited[key] = words.one_of(position, letters)
        return bits
