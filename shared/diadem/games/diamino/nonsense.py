"""Plays that no list vouches for: allowed where the players judge (M-12), if the others let them pass."""

from collections.abc import Iterator
from itertools import permutations
from string import ascii_lowercase

from diadem.games.diamino.board import Board
from diadem.games.diamino.placing import judge
from diadem.games.diamino.play import Direction, Play
from diadem.games.diamino.terms import Lexicon, Terms
from diadem.games.diamino.tiles import JOKER
from diadem.games.diamino.verdict import Illegal, Legal


def unheard_of(board: Board, hand: str, terms: Terms, known: Lexicon) -> Iterator[Play]:
    """Every play that is well laid but forms a word the list does not know, by plain trying."""
    layout = board.layout
    for square in range(len(layout.fields)):
        for count in range(1, len(hand) + 1):
            for tiles in dict.fromkeys(permutations(hand, count)):
                for direction in list(Direction)[: 1 if count == 1 else 2]:
                    for named in _named(tiles):
                        play = Play(layout.name(square), direction, named)
                        if isinstance(judge(board, play, hand, terms, None), Legal) and isinstance(
                            judge(board, play, hand, terms, known), Illegal
                        ):
                            yield play


def _named(tiles: tuple[str, ...]) -> Iterator[str]:
    """The tiles with every choice of letters for their jokers."""
    text = "".join(tiles)
    if JOKER not in text:
        yield text
        return
    for letter in ascii_lowercase:
        yield from _named(tuple(text.replace(JOKER, letter, 1)))
