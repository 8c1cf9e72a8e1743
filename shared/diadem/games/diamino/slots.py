"""Slots: the stretches of a line that a play could turn into a run.

A slot is bounded by edges, walls and empty fields, takes at least one new tile and no more than
the hand has, and touches what lies there. Which words fit it is the finder's question.
"""

from collections.abc import Iterator

import msgspec

from diadem.games.diamino.bitsets import ANY_LETTER, Index, number
from diadem.games.diamino.board import EMPTY, Board, Kind
from diadem.games.diamino.terms import OPENING_LENGTHS, Terms
from diadem.games.diamino.tiles import JOKER


class Slot(msgspec.Struct, frozen=True):
    squares: range
    letters: tuple[tuple[int, int], ...]
    """Offset and number of each letter already lying in it."""
    limits: tuple[tuple[int, int], ...]
    """Offset of each new tile that completes a side word, and the letters it allows as bits."""
    forward: bool
    """May be read in the order of its squares."""
    backward: bool

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
    upward: bool
    """Its words may be read backward too (M-8)."""
    letters: list[int | None]
    limits: list[int]
    """The letters a new tile may be, as bits; 0 where none may lie."""
    beside: list[bool]
    """A new tile would touch letters of the crossing line."""
    black: list[bool]


def slots(board: Board, hand: str, terms: Terms, index: Index) -> Iterator[Slot]:
    """Every slot a hand could fill; words and letters of the hand are not looked at yet,
    except that no tile of the hand may be barred from a field by its side word."""
    board_slots = _Slots(board, hand, terms, index)
    return board_slots.opening() if board.is_empty else board_slots.later()


def letters_held(hand: str) -> int:
    """The letters a hand can lay, as bits."""
    return ANY_LETTER if JOKER in hand else sum(1 << number(letter) for letter in set(hand))


class _Slots:
    def __init__(self, board: Board, hand: str, terms: Terms, index: Index) -> None:
        self._board = board
        self._index = index
        self._held = letters_held(hand)
        self._most = len(hand)
        self._terms = terms

    def opening(self) -> Iterator[Slot]:
        """M-4: the first letter on the start, read right, down or up."""
        layout = self._board.layout
        row, column = divmod(layout.start, layout.width)
        for length in OPENING_LENGTHS:
            if length <= self._most:
                if column + length <= layout.width:
                    yield from self._opening_slot(length, 1, upward=False)
                if row + length <= layout.height:
                    yield from self._opening_slot(length, layout.width, upward=False)
                if row + 1 >= length:
                    yield from self._opening_slot(length, layout.width, upward=True)

    def _opening_slot(self, length: int, step: int, *, upward: bool) -> Iterator[Slot]:
        first = self._board.layout.start - (length - 1) * step * upward
        squares = range(first, first + length * step, step)
        blacks = sum(self._board.layout.fields[square] == Kind.BLACK for square in squares)
        if not blacks or (blacks == 1 and self._may_cover_black(squares, length)):
            yield Slot(squares, (), (), forward=not upward, backward=upward)

    def later(self) -> Iterator[Slot]:
        width, end = self._board.layout.width, len(self._board.letters)
        for row in range(0, end, width):
            yield from self._line_slots(range(row, row + width), width)
        for column in range(width):
            yield from self._line_slots(range(column, end, width), 1)

    def _line_slots(self, squares: range, across: int) -> Iterator[Slot]:
        line = self._line(squares, across)
        if any(line.beside) or any(letter is not None for letter in line.letters):
            for first in range(len(squares)):
                if not first or line.letters[first - 1] is None:
                    yield from self._slots_from(line, first)

    def _line(self, squares: range, crossing: int) -> _Line:
        """Look at a line; `crossing` is the step of the lines that cross it."""
        line = _Line(squares, crossing == 1, [], [], [], [])
        fields, lying = self._board.layout.fields, self._board.letters
        for square in squares:
            letter = lying[square]
            black = fields[square] == Kind.BLACK
            limit, beside = 0, False
            if letter == EMPTY and (not black or self._black_can_matter):
                limit, beside = self._limit(square, crossing)
            line.letters.append(None if letter == EMPTY else number(letter))
            line.limits.append(limit)
            line.beside.append(beside)
            line.black.append(black)
        return line

    @property
    def _black_can_matter(self) -> bool:
        longest = max(self._board.layout.width, self._board.layout.height)
        return self._most <= longest and not (
            self._terms.black_needs_empty_reserve and self._terms.reserve
        )

    def _limit(self, square: int, step: int) -> tuple[int, bool]:
        """The letters that may lie on an empty square for its crossing run, and whether it has one."""
        lying, width = self._board.letters, self._board.layout.width
        if step == 1:
            low = square - square % width
            stretch, at = lying[low : low + width], square - low
        else:
            stretch, at = lying[square % width :: width], square // width
        before = stretch[:at].rpartition(EMPTY)[2]
        after = stretch[at + 1 :].partition(EMPTY)[0]
        if not before and not after:
            return ANY_LETTER, False
        allowed = self._index.letters_between(before.upper(), after.upper(), upward=step != 1)
        return allowed & self._held, True

    def _slots_from(self, line: _Line, first: int) -> Iterator[Slot]:
        """The slots that begin at one field of a line."""
        letters: list[tuple[int, int]] = []
        limits: list[tuple[int, int]] = []
        new = blacks = 0
        size = len(line.squares)
        for at in range(first, size):
            letter = line.letters[at]
            if letter is not None:
                letters.append((at - first, letter))
            elif line.limits[at] and new < self._most:
                new += 1
                blacks += line.black[at]
                if line.beside[at]:
                    limits.append((at - first, line.limits[at]))
            else:
                return
            if at + 1 < size and line.letters[at + 1] is not None:
                continue
            # A single new tile with side letters is found in its row; once is enough.
            doubled = line.upward and new == 1 and bool(limits)
            if new and at > first and (letters or limits) and not doubled:
                squares = line.squares[first : at + 1]
                if not blacks or (blacks == 1 and self._may_cover_black(squares, new)):
                    yield Slot(
                        squares, tuple(letters), tuple(limits), forward=True, backward=line.upward
                    )

    def _may_cover_black(self, squares: range, new: int) -> bool:
        """M-22 and M-30."""
        lying, fields = self._board.letters, self._board.layout.fields
        greens = any(fields[at] == Kind.GREEN and lying[at] == EMPTY for at in squares)
        return (
            new == self._most
            and self._black_can_matter
            and not (greens and self._terms.green_draws)
        )
