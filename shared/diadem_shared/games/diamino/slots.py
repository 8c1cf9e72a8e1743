"""Slots: the stretches of a line that a play could turn into a run.

A slot is bounded by edges, walls and empty fields, takes at least one new tile and no more than
the hand has, and touches what lies there. Which words fit it is the finder's question.
"""

from collections.abc import Iterator
from enum import Enum

import msgspec

from diadem_shared.games.diamino.bitsets import ANY_LETTER, Index, number
from diadem_shared.games.diamino.board import EMPTY, Board, FieldKind
from diadem_shared.games.diamino.terms import OPENING_LENGTHS, Terms
from diadem_shared.games.diamino.tiles import JOKER


class Reads(Enum):
    """In which order of its squares a slot may be read (M-8)."""

    FORWARD = "forward"
    BACKWARD = "backward"
    BOTH = "both"


class Slot(msgspec.Struct, frozen=True):
    squares: range
    letters: tuple[tuple[int, int], ...]
    """Offset and number of each letter already lying in it."""
    limits: tuple[tuple[int, int], ...]
    """Offset of each new tile that completes a side word, and the letters it allows as bits."""
    reads: Reads

    @property
    def new(self) -> int:
        """How many new tiles it takes."""
        return len(self.squares) - len(self.letters)

    @property
    def new_offsets(self) -> list[int]:
        lying = {offset for offset, _ in self.letters}
        return [offset for offset in range(len(self.squares)) if offset not in lying]


class _Line(msgspec.Struct):
    """A row or column of the board, field by field."""

    squares: range
    reads: Reads
    letters: list[int | None]
    limits: list[int]
    """The letters a new tile may be, as bits; 0 where none may lie."""
    beside: list[bool]
    """A new tile would touch letters of the crossing line."""
    black: list[bool]


def slots(
    board: Board, hand: str, terms: Terms, index: Index, new: range | None = None
) -> Iterator[Slot]:
    """Every slot that a hand is large enough for, and where each side word can be completed.

    Of a hand that is not all to be laid, `new` tells how many tiles at least and at most.
    """
    found = _Slots(board, hand, terms, index, range(1, len(hand) + 1) if new is None else new)
    return found.opening() if board.is_empty else found.later()


def _letters_held(hand: str) -> int:
    """The letters a hand can lay, as bits."""
    return ANY_LETTER if JOKER in hand else sum(1 << number(letter) for letter in set(hand))


class _Slots:
    def __init__(self, board: Board, hand: str, terms: Terms, index: Index, new: range) -> None:
        self._board = board
        self._index = index
        self._held = _letters_held(hand)
        self._least = new.start
        self._most = new.stop - 1
        self._terms = terms

    def opening(self) -> Iterator[Slot]:
        """M-4: the first letter on the start, read right, down or up."""
        layout = self._board.layout
        row, column = divmod(layout.start, layout.width)
        for length in OPENING_LENGTHS:
            if self._least <= length <= self._most:
                if column + length <= layout.width:
                    yield from self._opening_slot(length, 1, Reads.FORWARD)
                if row + length <= layout.height:
                    yield from self._opening_slot(length, layout.width, Reads.FORWARD)
                if row + 1 >= length:
                    yield from self._opening_slot(length, layout.width, Reads.BACKWARD)

    def _opening_slot(self, length: int, step: int, reads: Reads) -> Iterator[Slot]:
        first = self._board.layout.start
        if reads is Reads.BACKWARD:
            first -= (length - 1) * step
        squares = range(first, first + length * step, step)
        blacks = sum(self._board.layout.fields[square] == FieldKind.BLACK for square in squares)
        if not blacks or (blacks == 1 and self._may_cover_black(squares, length)):
            yield Slot(squares, (), (), reads)

    def later(self) -> Iterator[Slot]:
        letters, width = self._board.letters.upper(), self._board.layout.width
        rows = [range(at, at + width) for at in range(0, len(letters), width)]
        columns = [range(at, len(letters), width) for at in range(width)]
        row_texts = [letters[row.start : row.stop] for row in rows]
        column_texts = [letters[column.start :: width] for column in columns]
        yield from self._in_lines(rows, row_texts, column_texts, Reads.FORWARD)
        yield from self._in_lines(columns, column_texts, row_texts, Reads.BOTH)

    def _in_lines(
        self, lines: list[range], texts: list[str], crossing: list[str], reads: Reads
    ) -> Iterator[Slot]:
        blank = EMPTY * len(crossing)
        around = [blank, *texts, blank]
        for nth, squares in enumerate(lines):
            before, text, after = around[nth : nth + 3]
            if before == text == after == blank:
                continue
            line = self._line(squares, text, reads)
            for at in range(len(squares)):
                line.beside.append(before[at] != EMPTY or after[at] != EMPTY)
                if line.beside[at] and line.limits[at] and text[at] == EMPTY:
                    line.limits[at] = self._limit(crossing[at], nth, reads)
            for first in range(len(squares)):
                if not first or line.letters[first - 1] is None:
                    yield from self._slots_from(line, first)

    @property
    def _black_can_matter(self) -> bool:
        longest = max(self._board.layout.width, self._board.layout.height)
        return self._most <= longest and not (
            self._terms.black_needs_empty_reserve and self._terms.reserve
        )

    def _line(self, squares: range, text: str, reads: Reads) -> _Line:
        """A line by itself, before its neighbours are looked at."""
        fields = self._board.layout.fields[squares.start : squares.stop : squares.step]
        black = [field == FieldKind.BLACK for field in fields]
        return _Line(
            squares,
            reads,
            letters=[None if letter == EMPTY else number(letter) for letter in text],
            limits=[ANY_LETTER if not barred or self._black_can_matter else 0 for barred in black],
            beside=[],
            black=black,
        )

    def _limit(self, crossing: str, at: int, reads: Reads) -> int:
        """The letters of the hand that may complete the crossing line's run at a field."""
        before = crossing[:at].rpartition(EMPTY)[2]
        after = crossing[at + 1 :].partition(EMPTY)[0]
        # What crosses a row is a column, and read upward too.
        upward = reads is Reads.FORWARD
        return self._held & self._index.letters_between(before, after, upward=upward)

    def _slots_from(self, line: _Line, first: int) -> Iterator[Slot]:
        """The slots that begin at one field of a line."""
        lying, allowed, beside = (
            line.letters,
            line.limits,
            line.beside,
        )  # looked up once: all plays pass here
        letters: list[tuple[int, int]] = []
        limits: list[tuple[int, int]] = []
        new = blacks = 0
        size, least, most = len(lying), self._least, self._most
        for at in range(first, size):
            letter = lying[at]
            if letter is not None:
                letters.append((at - first, letter))
            elif allowed[at] and new < most:
                new += 1
                blacks += line.black[at]
                if beside[at]:
                    limits.append((at - first, allowed[at]))
            else:
                return
            if new < least or (at + 1 < size and lying[at + 1] is not None):
                continue
            # A single new tile with side letters is found in its row; once is enough.
            doubled = new == 1 and limits and line.squares.step != 1
            if at > first and (letters or limits) and not doubled:
                squares = line.squares[first : at + 1]
                if not blacks or (blacks == 1 and self._may_cover_black(squares, new)):
                    yield Slot(squares, tuple(letters), tuple(limits), line.reads)

    def _may_cover_black(self, squares: range, new: int) -> bool:
        """M-22 and M-30."""
        if new != self._most or not self._black_can_matter:
            return False
        lying, fields = self._board.letters, self._board.layout.fields
        greens = any(fields[at] == FieldKind.GREEN and lying[at] == EMPTY for at in squares)
        return not (greens and self._terms.green_draws)
