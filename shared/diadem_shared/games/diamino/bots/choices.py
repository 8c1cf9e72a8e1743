"""From all legal plays, left implicit, to the few that are worth weighing.

A hand of 40 has hundreds of thousands of plays but only some hundred slots. So slots are ranked by
what they cover, and of the best slots only a few words are ever made: those that a narrowing leads
to, which asks for one tile after another to be among the new ones, as long as some word grants it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from diadem_shared.chance import Chance
from diadem_shared.games.diamino.bitsets import Index, WordBits, nth_one, number, ones
from diadem_shared.games.diamino.board import Board, FieldKind
from diadem_shared.games.diamino.findings import Findings, Found
from diadem_shared.games.diamino.laying import set_down
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.slots import Slot
from diadem_shared.games.diamino.terms import RuleSet, Terms, WordList
from diadem_shared.games.diamino.tiles import JOKER, sorted_hand, without
from diadem_shared.games.diamino.verdict import Legal
from diadem_shared.games.diamino.words import read_as

FINISHES_MADE = 40
"""How many words are made of a slot that ends the game."""


class Cover(Struct, frozen=True):
    """What laying somewhere covers: all that a play does but for its letters."""

    squares: tuple[int, ...]
    reds: int
    greens: int
    black: bool

    def goes_out(self, held: int, terms: Terms) -> bool:
        """Whether laying here ends the round for a hand of so many tiles (M-21, M-23, M-29)."""
        left = held - len(self.squares)
        if terms.rules is RuleSet.BONUS:
            return not left and not terms.reserve
        remaining = left + terms.draws(left, self.greens)
        return remaining <= self.reds

    def empties(self, held: int) -> bool:
        return len(self.squares) == held


class Outline(Cover, frozen=True):
    """A slot where words were found, and what laying there covers."""

    found: Found


class Candidate(Struct, frozen=True):
    """A play to weigh."""

    cover: Cover
    play: Play
    word: str
    left: str
    """The hand afterwards, before any tile is drawn or given back."""


def outlines(board: Board, findings: Findings) -> list[Outline]:
    return [outline_of(board, found) for found in findings.found]


def outline_of(board: Board, found: Found) -> Outline:
    squares = tuple(found.slot.squares[offset] for offset in found.slot.new_offsets)
    return Outline(*_covered(board, squares), found)


def cover_of(board: Board, squares: Sequence[int]) -> Cover:
    """What laying tiles on free squares covers."""
    return Cover(*_covered(board, tuple(squares)))


def _covered(board: Board, squares: tuple[int, ...]) -> tuple[tuple[int, ...], int, int, bool]:
    """The squares, and how many of them are red and green, and whether one is black."""
    fields = [board.layout.fields[square] for square in squares]
    reds, greens = fields.count(FieldKind.RED), fields.count(FieldKind.GREEN)
    return squares, reds, greens, FieldKind.BLACK in fields


def candidate_of(
    board: Board, play: Play, hand: str, terms: Terms, known: WordList
) -> Candidate | None:
    """A play that was made, to be weighed beside others; None if it cannot be laid there. `known`: the list by which its
    word is read down or up."""
    verdict = judge(board, play, hand, terms, None)
    if not isinstance(verdict, Legal):
        return None
    cover = cover_of(board, tuple(set_down(board, play).tiles))
    (run,) = read_as(verdict.runs[:1], known)
    return Candidate(cover, verdict.play, run.readings[0].word, verdict.left)


class Chooser:
    """Makes the plays of slots for one hand."""

    def __init__(self, board: Board, hand: str, index: Index, chance: Chance) -> None:
        self._layout = board.layout
        self._hand = hand
        self._index = index
        self._chance = chance

    def every(self, outline: Outline) -> Iterator[Candidate]:
        """The first plays of a slot, each with as few jokers as it needs."""
        for words, bits, mirrored in self._parts(outline):
            for word in ones(bits)[:FINISHES_MADE]:
                yield self._choice(outline, words, word, mirrored=mirrored)

    def narrowed(
        self, outline: Outline, orders: Sequence[Sequence[tuple[int, int]]]
    ) -> Iterator[Candidate]:
        """A play for each order in which tiles are wished away."""
        for words, bits, mirrored in self._parts(outline):
            made = set()
            for order in orders:
                narrow = _narrow(words, bits, outline.found.slot, order)
                word = nth_one(narrow, self._chance.below(narrow.bit_count()))
                if word not in made:
                    made.add(word)
                    yield self._choice(outline, words, word, mirrored=mirrored)

    def orders(self, wish: Callable[[str], float], count: int) -> list[list[tuple[int, int]]]:
        """Orders in which tiles are wished away: by how much, then by chance."""
        letters = [tile for tile in self._hand if tile != JOKER]
        wished = sorted(letters, key=wish, reverse=True)
        mixed = [self._chance.shuffled(letters) for _ in range(count - 1)]
        return [_steps(order) for order in (wished, *mixed)]

    def _parts(self, outline: Outline) -> Iterator[tuple[WordBits, int, bool]]:
        found = outline.found
        words = self._index.words(len(found.slot.squares))
        if found.forward:
            yield words, found.forward, False
        if found.backward:
            yield words, found.backward, True

    def _choice(self, outline: Outline, words: WordBits, nth: int, *, mirrored: bool) -> Candidate:
        word = words.word(nth)
        letters = word[::-1] if mirrored else word
        slot = outline.found.slot
        laid, used = self._pay("".join(letters[offset] for offset in slot.new_offsets))
        start = self._layout.name(outline.squares[0])
        direction = Direction.ACROSS if slot.squares.step == 1 else Direction.DOWN
        return Candidate(outline, Play(start, direction, laid), word, without(self._hand, used))

    def _pay(self, letters: str) -> tuple[str, str]:
        """These letters as they are laid, jokers only where the hand lacks a tile; and its tiles."""
        held = self._held.copy()
        laid = used = ""
        for letter in letters:
            if held[letter]:
                held[letter] -= 1
                laid += letter
                used += letter
            else:
                laid += letter.lower()
                used += JOKER
        return laid, sorted_hand(used)

    @cached_property
    def _held(self) -> Counter[str]:
        return Counter(self._hand)


def _steps(order: Iterable[str]) -> list[tuple[int, int]]:
    """Each tile as its letter's number and how many of that letter it makes."""
    counts = Counter[str]()
    steps = []
    for letter in order:
        counts[letter] += 1
        steps.append((number(letter), counts[letter]))
    return steps


def _narrow(words: WordBits, bits: int, slot: Slot, order: Iterable[tuple[int, int]]) -> int:
    """The words left when one tile after another must be laid, wherever some word grants it."""
    lying = Counter(letter for _, letter in slot.letters)
    holding = words.holding
    for letter, times in order:
        least = lying[letter] + times
        if least < len(holding[letter]):
            granted = bits & holding[letter][least]
            if granted:
                bits = granted
                if not bits & bits - 1:
                    break
    return bits
