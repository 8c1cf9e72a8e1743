"""Plays that no list vouches for: allowed where the players judge, if they let them pass (M-12)."""

from collections.abc import Iterator
from itertools import permutations
from string import ascii_lowercase

from diadem_shared.games.diamino.board import Board
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.terms import Terms, WordList
from diadem_shared.games.diamino.tiles import JOKER
from diadem_shared.games.diamino.verdict import Illegal, Legal


def unheard_of(board: Board, hand: str, terms: Terms, known: WordList) -> Iterator[Play]:
    """Every play that is well laid but forms a word the list does not know, short ones first."""
    for count in range(1, len(hand) + 1):
        for start, direction in _places(board, hand, terms, count):
            for tiles in dict.fromkeys(permutations(hand, count)):
                for named in _named("".join(tiles)):
                    play = Play(start, direction, named)
                    if isinstance(judge(board, play, hand, terms, known), Illegal):
                        yield play


def _places(board: Board, hand: str, terms: Terms, count: int) -> Iterator[tuple[str, Direction]]:
    """Where so many tiles can be laid: which tiles they are makes no difference to that."""
    any_tiles = hand[-count:].replace(JOKER, "e")
    for square in range(len(board.layout.fields)):
        start = board.layout.name(square)
        for direction in Direction if count > 1 else (Direction.ACROSS,):
            play = Play(start, direction, any_tiles)
            if isinstance(judge(board, play, hand, terms, None), Legal):
                yield start, direction


def _named(tiles: str) -> Iterator[str]:
    """The tiles with every choice of letters for their jokers."""
    if JOKER not in tiles:
        yield tiles
        return
    for letter in ascii_lowercase:
        yield from _named(tiles.replace(JOKER, letter, 1))
