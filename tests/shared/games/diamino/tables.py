"""Random small tables: few letters and many short words, so that plays touch and cross a lot."""

import random

from diadem_shared.games.diamino.board import EMPTY, Board, Layout, parse_layout
from diadem_shared.games.diamino.terms import RuleSet, Terms
from tests.shared.games.diamino.plain import Place, Table, Tiles, WordSet

LETTERS = "AEINST"


def random_words(chance: random.Random, count: int) -> set[str]:
    words: set[str] = set()
    while len(words) < count:
        words.add("".join(chance.choices(LETTERS, k=chance.choice((2, 2, 3, 3, 3, 4, 4, 5, 6, 7)))))
    return words


def random_rows(chance: random.Random) -> list[str]:
    width, height = chance.randint(4, 8), chance.randint(4, 8)
    rows = [chance.choices(".#gR", weights=(11, 2, 3, 1), k=width) for _ in range(height)]
    rows[chance.randrange(height)][chance.randrange(width)] = "S"
    return ["".join(row) for row in rows]


def random_lying(chance: random.Random, rows: list[str], words: set[str]) -> Tiles:
    """Words strewn over a board; they may well form nonsense where they meet."""
    lying: Tiles = {}
    for _ in range(chance.randint(2, 12)):
        word = chance.choice(sorted(words))
        row, column = chance.randrange(len(rows)), chance.randrange(len(rows[0]))
        down = chance.random() < 0.5
        places = [(row + n * down, column + n * (not down)) for n in range(len(word))]
        if all(at[0] < len(rows) and at[1] < len(rows[0]) for at in places) and all(
            rows[at[0]][at[1]] != "#" and at not in lying for at in places
        ):
            lying |= {
                at: letter.lower() if chance.random() < 0.1 else letter
                for at, letter in zip(places, word, strict=True)
            }
    return lying


def random_table(seed: int) -> Table:
    chance = random.Random(seed)
    rows = random_rows(chance)
    words = random_words(chance, 60)
    hand = "".join(chance.choices(LETTERS, k=chance.choice((1, 2, 2, 3, 3, 4, 5, 6, 7))))
    hand += "*" * chance.choice((0, 0, 1, 2))
    return Table(
        rows,
        {} if chance.random() < 0.15 else random_lying(chance, rows, words),
        "".join(sorted(hand)),
        rummy=chance.random() < 0.5,
        reserve=chance.choice((0, 0, 1, 40)),
        words=words,
    )


def layout_of(table: Table) -> Layout:
    return parse_layout("\n".join(table.rows))


def board_of(table: Table) -> Board:
    rows, columns = range(len(table.rows)), range(len(table.rows[0]))
    letters = "".join(table.lying.get((row, column), EMPTY) for row in rows for column in columns)
    return Board(layout_of(table), letters)


def terms_of(table: Table) -> Terms:
    return Terms(RuleSet.RUMMY if table.rummy else RuleSet.BONUS, table.reserve)


def lexicon_of(table: Table) -> WordSet:
    return WordSet(table.words)


def place(name: str) -> Place:
    """Row and column of a field by its name."""
    return int(name[1:]) - 1, ord(name[0]) - ord("A")
