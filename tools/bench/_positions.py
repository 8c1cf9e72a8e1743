"""Positions with counts of plays, like the perft of chess: an oracle for the finder.

`python -m tools.bench._positions` makes them anew from the shipped word lists, as has to be done
whenever a list changes. The textbook generator, which shares nothing with the finder, has to agree
in the small hands, else nothing is recorded.
"""

import random
from pathlib import Path

import msgspec

from diadem_shared.games.diamino.board import Board, empty_board, standard_layout
from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.findings import Findings
from diadem_shared.games.diamino.placing import judge, lay
from diadem_shared.games.diamino.play import Play
from diadem_shared.games.diamino.terms import RuleSet, Terms
from diadem_shared.games.diamino.tiles import JOKER, TILE_SETS, from_hand, sorted_hand, without
from diadem_shared.games.diamino.verdict import Legal
from diadem_shared.lexicon import Lexicon, shipped
from tools.bench._dawg import Generator

FILE = Path(__file__).parent / "positions.json"
POSITIONS = 10
SMALL_HAND = 7
MID_GAME = range(5, 9)
HANDS = ((7, 0), (7, 1), (12, 0), (12, 1), (24, 1), (40, 2))
"""Tiles in the hand, and how many of them are jokers."""
RUNNING = Terms(RuleSet.BONUS, 40)
ENDING = Terms(RuleSet.RUMMY, 0)
ENDINGS = ((2, 0), (3, 1), (5, 1))


class Counted(msgspec.Struct):
    hand: str
    terms: Terms
    fits: int
    plays: int


class Position(msgspec.Struct):
    letters: str
    counts: list[Counted]

    @property
    def board(self) -> Board:
        return Board(standard_layout(), self.letters)


def count_fits(findings: Findings) -> int:
    """How many pairs there are of a slot and the letters that fill it, whichever of them are jokers."""
    return sum(each.forward.bit_count() + each.backward.bit_count() for each in findings.found)


def load() -> dict[str, list[Position]]:
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, list[Position]])


def hand_of(tiles: str, size: int, jokers: int) -> str:
    """The first of some shuffled letters, and jokers."""
    return sorted_hand(tiles[: size - jokers] + JOKER * jokers)


def mid_game(finder: Finder, language: str, chance: random.Random) -> tuple[Board, str]:
    """A board after some random plays, longer words more often, and the tiles not yet laid."""
    board = empty_board(standard_layout())
    pool = TILE_SETS[language].tiles
    for _ in range(chance.choice(MID_GAME)):
        hand = sorted_hand("".join(chance.sample(pool, 12)))
        play = some_play(finder.find(board, hand, RUNNING), chance)
        verdict = judge(board, play, hand, RUNNING, None)
        assert isinstance(verdict, Legal)
        board = lay(board, verdict)
        pool = without(pool, from_hand(play.tiles))
    letters = pool.replace(JOKER, "")
    return board, "".join(chance.sample(letters, len(letters)))


def some_play(findings: Findings, chance: random.Random) -> Play:
    longest = sorted(findings.found, key=lambda found: found.slot.new)[-len(findings.found) // 4 :]
    return chance.choice(list(findings.plays(chance.choice(longest))))


def words_of(lexicon: Lexicon) -> set[str]:
    return {
        lexicon.packed(length)[at : at + length].decode()
        for length in lexicon.lengths
        for at in range(0, len(lexicon.packed(length)), length)
    }


def compare(generator: Generator, position: Position) -> int:
    """See that the generator agrees with the counts of the small hands, and say in how many."""
    small = [counted for counted in position.counts if len(counted.hand) <= SMALL_HAND]
    for counted in small:
        asked = (position.board, counted.hand, counted.terms)
        assert len(generator.plays(*asked, sparing=True)) == counted.fits
        assert len(generator.plays(*asked, sparing=False)) == counted.plays
    return len(small)


def record(language: str) -> list[Position]:
    lexicon = shipped.load(language)
    finder = Finder(lexicon)
    generator = Generator(words_of(lexicon))
    chance = random.Random(language)
    positions = []
    for _ in range(POSITIONS):
        board, tiles = mid_game(finder, language, chance)
        counts = []
        for hands, terms in ((HANDS, RUNNING), (ENDINGS, ENDING)):
            for size, jokers in hands:
                hand = hand_of(tiles, size, jokers)
                findings = finder.find(board, hand, terms)
                counts.append(Counted(hand, terms, count_fits(findings), findings.count()))
        positions.append(Position(board.letters, counts))
        compare(generator, positions[-1])
    return positions


def main() -> None:
    recorded = {language: record(language) for language in shipped.languages()}
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(recorded), indent=1) + b"\n")


if __name__ == "__main__":
    main()
