"""A word list in memory: per length one run of bytes, all its words sorted and joined."""

from collections.abc import Mapping

from diadem_shared.lexicon.spelling import Spellings

SHORTEST = 2
LONGEST = 15


class Lexicon:
    """The words of one language, folded (M-9), 2 to 15 letters long."""

    __slots__ = ("_count", "_first", "_packed", "_spellings", "language", "lengths")

    def __init__(self, language: str, packed: Mapping[int, bytes], spellings: bytes) -> None:
        """`packed` maps a length to its words; `spellings` comes from `pack_spellings`."""
        self.language = language
        self._packed = {length: packed[length] for length in sorted(packed) if packed[length]}
        self.lengths = tuple(self._packed)
        self._first: dict[int, int] = {}  # the number, in the whole list, of a length's first word
        self._count = 0
        for length, block in self._packed.items():
            self._first[length] = self._count
            self._count += len(block) // length
        self._spellings = Spellings(spellings, self._count)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._number(word) is not None

    def packed(self, length: int) -> bytes:
        """All words of this length, sorted, joined, ASCII A to Z; b"" if there are none."""
        return self._packed.get(length, b"")

    def spellings(self, word: str) -> tuple[str, ...]:
        """The ways a folded word is really written, for display; none if it is no word."""
        number = self._number(word)
        return () if number is None else self._spellings.of(number, word)

    @property
    def packed_spellings(self) -> bytes:
        return self._spellings.packed

    def _number(self, word: str) -> int | None:
        length = len(word)
        block = self._packed.get(length)
        if block is None or not word.isascii():
            return None
        wanted = word.encode("ascii")
        low, high = 0, len(block) // length
        while low < high:
            middle = (low + high) // 2
            start = middle * length
            found = block[start : start + length]
            if found == wanted:
                return self._first[length] + middle
            if found < wanted:
                low = middle + 1
            else:
                high = middle
        return None
