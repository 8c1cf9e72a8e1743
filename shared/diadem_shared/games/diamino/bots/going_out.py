"""Rummy: going out, with this play or the one after it.

Whoever is out one turn earlier wins, so a play after which all that is left can be laid at once is worth far more than
its tiles. Few plays leave such a hand, so hundreds are looked at, which takes a short way: all words that fit one place
leave the same places behind, in which only the letters differ that cross the word.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from msgspec import Struct

from diadem_shared.games.diamino.bitsets import Index, WordBits, number
from diadem_shared.games.diamino.board import EMPTY, Board, FieldKind
from diadem_shared.games.diamino.bots.choices import Candidate, Cover, cover_of
from diadem_shared.games.diamino.bots.plan import after
from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.fitting import HandFilter
from diadem_shared.games.diamino.slots import Reads, Slot, slots
from diadem_shared.games.diamino.terms import Terms
from diadem_shared.games.diamino.tiles import JOKER

MOST_CHOICES = 1500
"""Plays that are looked at for whether the next could be the last."""
STILL_OPEN = 0.35
"""How likely a line to go out in is still there after the others' turns."""
WORTH_OF_GOING_OUT = 8.0
"""Tiles that a play may be worse by itself if the next is sure to be the last."""
CROSSED = 3
"""Letters that lie there already and a last play is counted on to cross, at the most."""
A_GREEN = 1 << 8
"""In the marks of squares, which are added up; there are fewer reds than that in a line."""
MOST_GIVEN = 3
"""Tiles that are given back for reds at most by a play that ends the round."""


def last_slots(board: Board, hand: str, held: int, terms: Terms, index: Index) -> Iterator[Slot]:
    """Where a player who has kept so many tiles of a hand would go out, if some word fits (M-21 to M-23)."""
    for slot in slots(board, hand, terms, index, range(max(1, held - MOST_GIVEN), held + 1)):
        if _cover_of(board, slot).goes_out(held, terms):
            yield slot


def _cover_of(board: Board, slot: Slot) -> Cover:
    free = [square for square in slot.squares if board.letters[square] == EMPTY]
    return cover_of(board, free)


def can_go_out(board: Board, hand: str, terms: Terms, finder: Finder) -> bool:
    places = last_slots(board, hand, len(hand), terms, finder.index)
    return any(True for _ in finder.fitting(hand, places))


class Finishing(Struct, frozen=True):
    """A play after which the next can be the last."""

    choice: Candidate
    worth: float
    lines: int
    """In how many rows and columns: others may lay something in one or another first."""

    @property
    def likely(self) -> float:
        """How likely the next play is the last, if it is not hindered but by chance."""
        return 1 - (1 - STILL_OPEN) ** self.lines


def worth_of(finish: Finishing) -> float:
    return finish.worth + WORTH_OF_GOING_OUT * finish.likely


def finishing(
    board: Board, hand: str, terms: Terms, index: Index, choices: Iterable[tuple[float, Candidate]]
) -> Iterator[Finishing]:
    """Of some plays, with what they are worth, those after which the next can be the last. Unless something is drawn first."""
    longest = _longest(board)
    places: dict[tuple[int, ...], _Places] = {}
    filters: dict[str, HandFilter] = {}
    for worth, choice in choices:
        cover, left = choice.cover, choice.left
        given = min(cover.reds, len(left))
        kept = len(left) - given
        if terms.draws(len(left), cover.greens) or not 0 < kept <= longest:
            continue
        if cover.squares not in places:
            later = Terms(terms.rules, terms.reserve + given)
            there = after(board, cover, choice.play)
            found = last_slots(there, hand, kept, later, index)
            places[cover.squares] = _Places(there, cover.squares, found, index)
        if left not in filters:
            filters[left] = HandFilter(left)
        laid = dict(zip(cover.squares, map(number, choice.play.tiles), strict=True))
        fitting = places[cover.squares].fitting(laid, filters[left])
        if lines := {_line(slot, board.layout.width) for slot in fitting}:
            yield Finishing(choice, worth, len(lines))


def words_with_all(hand: str, index: Index) -> int:
    """How many words hold all of a hand, and one to three letters that may lie there: the more, the likelier it can be laid
    at once after whatever the others play."""
    letters = [
        (number(letter), count) for letter, count in Counter(hand).items() if letter != JOKER
    ]
    found = 0
    for length in range(len(hand) + 1, len(hand) + 1 + CROSSED):
        words = index.words(length)
        bits = words.every
        for letter, count in letters:
            holding = words.holding[letter]
            bits &= holding[count] if count < len(holding) else 0
            if not bits:
                break
        found += bits.bit_count()
    return found


def most_laid(board: Board, hands: Sequence[str], terms: Terms, finder: Finder) -> list[int]:
    """By how many tiles one play can make each of some hands smaller, all of them where it goes out."""
    marks, most = _marks(board), max(map(len, hands))
    places = []
    for slot in slots(board, JOKER * most, terms, finder.index):
        squares = slot.squares
        mark = sum(marks[squares.start : squares.stop : squares.step])
        places.append((slot, slot.new, mark % A_GREEN, mark // A_GREEN))

    def best_first(held: int) -> list[tuple[int, Slot]]:
        laid = []
        for slot, new, reds, greens in places:
            if new <= held:
                drawn = terms.draws(held - new, greens) if greens else 0
                laid.append((new - drawn + min(reds, held - new + drawn), slot))
        return sorted(laid, key=itemgetter(0), reverse=True)

    ranked = {held: best_first(held) for held in set(map(len, hands))}
    return [_most_fitting(hand, ranked[len(hand)], finder) for hand in hands]


def _most_fitting(hand: str, best_first: Sequence[tuple[int, Slot]], finder: Finder) -> int:
    found = next(finder.fitting(hand, (slot for _, slot in best_first)), None)
    return next((laid for laid, slot in best_first if found and slot is found.slot), 0)


def _marks(board: Board) -> list[int]:
    """By square, what covering it adds up to: reds are ones, greens so many more."""
    worths: dict[str, int] = {FieldKind.RED: 1, FieldKind.GREEN: A_GREEN}
    return [
        worths.get(field, 0) if letter == EMPTY else 0
        for field, letter in zip(board.layout.fields, board.letters, strict=True)
    ]


def lines_to_go_out(
    board: Board, hands: Iterable[str], held: int, terms: Terms, index: Index
) -> Iterator[tuple[str, int]]:
    """With each of some hands of so many tiles, in how many rows and columns the next play could be the last."""
    if held > _longest(board):
        return
    places = _Places(board, (), last_slots(board, JOKER * held, held, terms, index), index)
    for hand in hands:
        fitting = places.fitting({}, HandFilter(hand))
        yield hand, len({_line(slot, board.layout.width) for slot in fitting})


def _longest(board: Board) -> int:
    """No play lays more tiles."""
    return max(board.layout.width, board.layout.height)


def _line(slot: Slot, width: int) -> tuple[int, int]:
    step = slot.squares.step
    return step, slot.squares.start // width if step == 1 else slot.squares.start % width


class _Place(Struct, frozen=True):
    slot: Slot
    words: WordBits
    forward: int
    backward: int
    """The words that fit what lay there before."""
    lying: tuple[int, ...]
    """Those letters."""
    crossed: tuple[tuple[int, int], ...]
    """Offset and square of each letter of the play that the slot crosses."""


class _Places:
    """Where the next play can be the last, whichever word is laid on some squares first."""

    def __init__(
        self, board: Board, laid: Sequence[int], last: Iterable[Slot], index: Index
    ) -> None:
        squares = frozenset(laid)
        self._places = [
            _place(slot, squares, index) for slot in last if not _beside(board, slot, squares)
        ]

    def fitting(self, laid: Mapping[int, int], hand: HandFilter) -> Iterator[Slot]:
        """Those that some word of the hand fits, with these letters by their squares laid first."""
        for place in self._places:
            forward, backward, words = place.forward, place.backward, place.words
            for offset, square in place.crossed:
                forward &= words.at[offset][laid[square]]
                if backward:
                    backward &= words.from_end[offset][laid[square]]
            fitting = forward | backward
            if fitting:
                crossed = (laid[square] for _, square in place.crossed)
                if fitting & hand.layable(words, tuple(sorted((*place.lying, *crossed)))):
                    yield place.slot


def _place(slot: Slot, laid: frozenset[int], index: Index) -> _Place:
    words, squares = index.words(len(slot.squares)), slot.squares
    before = [(offset, letter) for offset, letter in slot.letters if squares[offset] not in laid]
    forward, backward = _fitting_letters(slot, before, words)
    crossed = ((at, squares[at]) for at, _ in slot.letters if squares[at] in laid)
    lying = tuple(letter for _, letter in before)
    return _Place(slot, words, forward, backward, lying, tuple(crossed))


def _fitting_letters(
    slot: Slot, letters: Iterable[tuple[int, int]], words: WordBits
) -> tuple[int, int]:
    """The words that fit some letters, and the limits of a slot, read forward and backward."""
    forward = 0 if slot.reads is Reads.BACKWARD else words.every
    backward = 0 if slot.reads is Reads.FORWARD else words.every
    for offset, letter in letters:
        forward &= words.at[offset][letter]
        backward &= words.from_end[offset][letter]
    for offset, allowed in slot.limits:
        if forward:
            forward &= words.one_of(offset, allowed)
        if backward:
            backward &= words.one_of(~offset, allowed)
    return forward, backward


def _beside(board: Board, slot: Slot, laid: frozenset[int]) -> bool:
    """Whether a side word would have letters of the play in it, so that it depends on them what is allowed."""
    width = board.layout.width
    step = width if slot.squares.step == 1 else 1
    for offset, _ in slot.limits:
        for way in (step, -step):
            square = slot.squares[offset] + way
            while 0 <= square < len(board.letters) and board.letters[square] != EMPTY:
                if square in laid:
                    return True
                square += way
    return False
