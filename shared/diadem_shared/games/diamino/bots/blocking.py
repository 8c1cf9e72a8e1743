"""Rummy: laying where others, who hold few tiles, could go out."""

from collections.abc import Iterable

from diadem_shared.games.diamino.board import EMPTY, Board
from diadem_shared.games.diamino.bots.choices import Candidate
from diadem_shared.games.diamino.bots.going_out import last_slots
from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.slots import Slot
from diadem_shared.games.diamino.terms import Terms


def hindering(
    board: Board,
    hands: Iterable[str],
    terms: Terms,
    finder: Finder,
    choices: Iterable[tuple[float, Candidate]],
) -> list[tuple[int, float, Candidate]]:
    """Plays that take all places of some of these hands to go out in, with of how many and what they are worth; best first.

    What they open elsewhere is not looked at.
    """
    places = [
        [
            _around(board, found.slot)
            for found in finder.fitting(
                hand, last_slots(board, hand, len(hand), terms, finder.index)
            )
        ]
        for hand in hands
    ]
    found = []
    for worth, choice in choices:
        laid = sum(1 << square for square in choice.cover.squares)
        taken = sum(bool(some) and all(laid & place for place in some) for some in places)
        if taken:
            found.append((taken, worth, choice))
    return sorted(found, key=lambda each: each[:2], reverse=True)


def _around(board: Board, slot: Slot) -> int:
    """The squares, as bits, on which a tile would change what fits a slot."""
    width, squares = board.layout.width, slot.squares
    step = squares.step
    beside = width if step == 1 else 1
    free = [square for square in squares if board.letters[square] == EMPTY]
    near = [
        *free,
        *(square - beside for square in free),
        *(square + beside for square in free),
        squares[0] - step,
        squares[-1] + step,
    ]
    return sum(1 << square for square in set(near) if 0 <= square < len(board.letters))
