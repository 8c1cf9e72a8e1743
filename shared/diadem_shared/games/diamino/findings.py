"""What the finder found: all legal plays, left implicit until somebody looks.

A *fit* is a slot and the letters that fill it. A *play* is a fit together with
the choice of which new tiles are jokers: a hand with E and a joker lays E in two ways, and those
are two plays. Any choice the hand can pay for counts, with one, two or no jokers. Reading a
column up or down is no choice: it is the same tiles on the same squares.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate, chain, combinations, islice
from math import comb

import msgspec

from diadem_shared.games.diamino.bitsets import Index, nth_one, number, ones
from diadem_shared.games.diamino.board import Board
from diadem_shared.games.diamino.fitting import HandFilter
from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.slots import Slot

# For each letter the hand is short of: how many new tiles are that letter, and how many it lacks.
Shortages = tuple[tuple[int, int], ...]


class Found(msgspec.Struct, frozen=True):
    """A slot and the words that fit it, one bit a word of the slot's length."""

    slot: Slot
    forward: int
    backward: int
    """Words that fit read backward and are no words forward."""


class _Group(msgspec.Struct, frozen=True):
    """Words of a slot that are short of the same letters, so each can be laid in as many ways."""

    bits: int
    mirrored: bool
    ways: int


class Findings:
    def __init__(self, board: Board, index: Index, hand: HandFilter, found: list[Found]) -> None:
        self.found = found
        self._board = board
        self._index = index
        self._hand = hand

    def __bool__(self) -> bool:
        return bool(self.found)

    def __iter__(self) -> Iterator[Play]:
        """Every play, slot by slot."""
        return chain.from_iterable(map(self.plays, self.found))

    def ranked(self, score: Callable[[Slot], float]) -> Iterator[Play]:
        """Every play, the slots that score highest first."""
        best = sorted(self.found, key=lambda found: score(found.slot), reverse=True)
        return chain.from_iterable(map(self.plays, best))

    def count(self) -> int:
        """How many plays there are."""
        return self._totals[-1] if self.found else 0

    def nth(self, n: int) -> Play:
        """The n-th play in the order of iteration, from 0; draw n to draw a play uniformly."""
        if not 0 <= n < self.count():
            raise IndexError(n)
        at = bisect_right(self._totals, n)
        found = self.found[at]
        n -= self._totals[at - 1] if at else 0
        for group in self._groups(found):
            size = group.bits.bit_count() * group.ways
            if n < size:
                word = nth_one(group.bits, n // group.ways)
                plays = self._expand(found.slot, group, word)
                return next(islice(plays, n % group.ways, None))
            n -= size
        raise AssertionError("the groups of a slot hold fewer plays than were counted")

    def plays(self, found: Found) -> Iterator[Play]:
        """The plays of one slot."""
        for group in self._groups(found):
            for word in ones(group.bits):
                yield from self._expand(found.slot, group, word)

    def laying(self, letter: str, times: int = 1) -> "Findings":
        """Those that lay a letter at least so often, as a tile or as a joker."""
        narrowed = []
        for found in self.found:
            lying = sum(lying == number(letter) for _, lying in found.slot.letters)
            holding = self._index.words(len(found.slot.squares)).holding[number(letter)]
            wanted = holding[lying + times] if lying + times < len(holding) else 0
            forward, backward = found.forward & wanted, found.backward & wanted
            if forward or backward:
                narrowed.append(Found(found.slot, forward, backward))
        return self.only(narrowed)

    def only(self, found: list[Found]) -> "Findings":
        """What was found in some slots, or less of it."""
        return Findings(self._board, self._index, self._hand, found)

    def among(self, known: Mapping[int, int]) -> "Findings":
        """Those whose own word is one of some: by length, one bit a word."""
        narrowed = []
        for found in self.found:
            wanted = known.get(len(found.slot.squares), 0)
            forward, backward = found.forward & wanted, found.backward & wanted
            if forward or backward:
                narrowed.append(Found(found.slot, forward, backward))
        return self.only(narrowed)

    @cached_property
    def _totals(self) -> list[int]:
        """The number of plays in each slot, running."""
        return list(
            accumulate(
                sum(group.bits.bit_count() * group.ways for group in self._groups(found))
                for found in self.found
            )
        )

    def _groups(self, found: Found) -> Iterator[_Group]:
        slot = found.slot
        for bits, mirrored in ((found.forward, False), (found.backward, True)):
            if bits and not self._hand.jokers:
                yield _Group(bits, mirrored, 1)
            elif bits:
                for shortages, part in self._by_shortage(slot, bits).items():
                    yield _Group(part, mirrored, _ways(slot.new, shortages, self._hand.jokers))

    def _by_shortage(self, slot: Slot, bits: int) -> dict[Shortages, int]:
        """The words parted by what the hand lacks for them."""
        groups: dict[Shortages, int] = {(): bits}
        held = self._hand.held
        supply = list(held)
        for _, letter in slot.letters:
            supply[letter] += 1
        for letter, least in enumerate(self._index.words(len(slot.squares)).holding):
            beyond = least[supply[letter] + 1 :]
            if beyond and bits & beyond[0]:
                for shortages, part in list(groups.items()):
                    # A word already short of as many letters as there are jokers lacks no other.
                    if sum(lack for _, lack in shortages) < self._hand.jokers:
                        groups[shortages] ^= part & beyond[0]
                        for lack, exact in enumerate(_by_lack(part, beyond), start=1):
                            key = (*shortages, (held[letter] + lack, lack))
                            groups[key] = groups.get(key, 0) | exact
        return {shortages: part for shortages, part in groups.items() if part}

    def _expand(self, slot: Slot, group: _Group, word: int) -> Iterator[Play]:
        letters = self._index.words(len(slot.squares)).word(word)
        if group.mirrored:
            letters = letters[::-1]
        offsets = slot.new_offsets
        new = "".join(letters[offset] for offset in offsets)
        layout = self._board.layout
        start = layout.name(slot.squares[offsets[0]])
        direction = Direction.ACROSS if slot.squares.step == 1 else Direction.DOWN
        for jokers in range(self._hand.jokers + 1):
            for chosen in combinations(range(len(new)), jokers):
                tiles = "".join(
                    tile.lower() if at in chosen else tile for at, tile in enumerate(new)
                )
                if self._hand.pays(tiles):
                    yield Play(start, direction, tiles)


def _by_lack(bits: int, beyond: list[int]) -> Iterator[int]:
    """Of some words, those that need exactly one tile beyond the supply, exactly two ..."""
    for nth, needing in enumerate(beyond, start=1):
        bits &= needing
        if not bits:
            return
        yield bits ^ (bits & beyond[nth]) if nth < len(beyond) else bits


@lru_cache(1 << 10)
def _ways(new: int, shortages: Shortages, jokers: int) -> int:
    """In how many ways jokers can be chosen among `new` tiles so that nothing is lacking.

    Each shortage says how many of the new tiles are one letter and how many of those must be
    jokers; the tiles of all other letters may be.
    """
    chosen = [1] + [0] * jokers
    others = new - sum(tiles for tiles, _ in shortages)
    for tiles, lack in (*shortages, (others, 0)):
        chosen = [
            sum(chosen[total - here] * comb(tiles, here) for here in range(lack, total + 1))
            for total in range(jokers + 1)
        ]
    return sum(chosen)
