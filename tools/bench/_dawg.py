"""The yardstick: a textbook move generator on a DAWG, which makes every play it finds.

Appel and Jacobson's method (The World's Fastest Scrabble Program, 1988): from each anchor the
possible left parts, extended to the right along the graph's edges. Columns use a graph of all
words and all reversed words, because they may be read upward. It knows later plays only, no
openings, and rules as the finder does, black fields and single tiles included.
"""

from collections import Counter
from collections.abc import Iterable

from diadem_shared.games.diamino.board import EMPTY, Board, FieldKind
from diadem_shared.games.diamino.terms import Terms
from diadem_shared.games.diamino.tiles import JOKER

MadePlay = tuple[int, int, str]
"""The square of the first new tile, the step to the next square, and the tiles."""


class Node:
    __slots__ = ("edges", "final")

    def __init__(self) -> None:
        self.edges: dict[str, Node] = {}
        self.final = False


def dawg(words: Iterable[str]) -> Node:
    """A minimal graph of sorted words, made as they come (Daciuk and others, 2000)."""
    root = Node()
    made: dict[tuple[bool, tuple[tuple[str, int], ...]], Node] = {}
    path: list[tuple[Node, str, Node]] = []
    last = ""

    def settle(depth: int) -> None:
        while len(path) > depth:
            parent, letter, child = path.pop()
            key = (child.final, tuple((edge, id(node)) for edge, node in child.edges.items()))
            parent.edges[letter] = made.setdefault(key, child)

    for word in words:
        common = 0
        while common < len(last) and common < len(word) and last[common] == word[common]:
            common += 1
        settle(common)
        node = path[-1][2] if path else root
        for letter in word[common:]:
            child = Node()
            path.append((node, letter, child))
            node = child
        node.final = True
        last = word
    settle(0)
    return root


class Generator:
    def __init__(self, words: set[str]) -> None:
        self._rows = dawg(sorted(words))
        self._columns = dawg(sorted(words | {word[::-1] for word in words}))

    def plays(self, board: Board, hand: str, terms: Terms, *, sparing: bool) -> list[MadePlay]:
        """Every legal play. When sparing, a joker is laid only where no tile of the letter is
        left, so each filling of a slot is made once; else with every choice of jokers."""
        graphs = (self._rows, self._columns)
        return _Generation(board, hand, terms, graphs, sparing=sparing).plays()


class _Generation:
    def __init__(
        self, board: Board, hand: str, terms: Terms, graphs: tuple[Node, Node], *, sparing: bool
    ) -> None:
        self.board = board
        self.terms = terms
        self.rows, self.columns = graphs
        self.sparing = sparing
        self.size = len(hand)
        self.jokers = hand.count(JOKER)
        self.rack = Counter(hand.replace(JOKER, ""))
        self.made: list[MadePlay] = []

    def plays(self) -> list[MadePlay]:
        width, end = self.board.layout.width, len(self.board.letters)
        for row in range(0, end, width):
            self.line(range(row, row + width), width, self.rows, self.columns)
        for column in range(width):
            self.line(range(column, end, width), 1, self.columns, self.rows)
        return self.made

    def line(self, squares: range, crossing: int, graph: Node, crossing_graph: Node) -> None:
        letters = self.board.letters
        self.squares = squares
        self.lying = [None if letters[at] == EMPTY else letters[at].upper() for at in squares]
        if all(letter is None for letter in self.lying) and not self.near_letters(crossing):
            return
        self.usable = [self.is_usable(at) for at in squares]
        self.checks = [self.check(at, crossing, crossing_graph) for at in squares]
        last = len(squares) - 1
        anchors = [
            self.lying[n] is None
            and self.usable[n]
            and (
                self.checks[n] is not None
                or (n > 0 and self.lying[n - 1] is not None)
                or (n < last and self.lying[n + 1] is not None)
            )
            for n in range(last + 1)
        ]
        free = 0
        for n in range(last + 1):
            if anchors[n]:
                self.from_anchor(n, free, graph)
                free = 0
            elif self.lying[n] is None and self.usable[n]:
                free += 1
            else:
                free = 0

    def near_letters(self, crossing: int) -> bool:
        return any(self.neighbours(square, crossing) for square in self.squares)

    def neighbours(self, square: int, step: int) -> tuple[str, str] | None:
        """The letters before and after a square along a step, if there are any."""
        width, letters = self.board.layout.width, self.board.letters
        if step == 1:
            low = square - square % width
            line, at = letters[low : low + width], square - low
        else:
            line, at = letters[square % width :: width], square // width
        before, after = line[:at].rpartition(EMPTY)[2], line[at + 1 :].partition(EMPTY)[0]
        return (before.upper(), after.upper()) if before or after else None

    def is_usable(self, square: int) -> bool:
        if self.board.layout.fields[square] != FieldKind.BLACK:
            return True
        return not (self.terms.black_needs_empty_reserve and self.terms.reserve)

    def check(self, square: int, step: int, graph: Node) -> frozenset[str] | None:
        """The letters that make a word of the crossing run; None where there is none."""
        around = self.neighbours(square, step)
        if around is None:
            return None
        before, after = around
        node = follow(graph, before)
        if node is None:
            return frozenset()
        return frozenset(
            letter
            for letter, child in node.edges.items()
            if (end := follow(child, after)) is not None and end.final
        )

    def from_anchor(self, anchor: int, free: int, graph: Node) -> None:
        self.anchor = anchor
        if anchor > 0 and (letter := self.lying[anchor - 1]) is not None:
            before = ""
            at = anchor - 1
            while at >= 0 and (letter := self.lying[at]) is not None:
                before = letter + before
                at -= 1
            node = follow(graph, before)
            if node is not None:
                self.extend_right("", node, anchor, 0)
        else:
            self.left_part("", graph, free, 0)

    def left_part(self, tiles: str, node: Node, free: int, blacks: int) -> None:
        self.extend_right(tiles, node, self.anchor, len(tiles))
        if free:
            for letter, child in node.edges.items():
                for tile in self.take(letter):
                    self.left_part(tiles + tile, child, free - 1, blacks)
                    self.give_back(tile)

    def extend_right(self, tiles: str, node: Node, at: int, left: int) -> None:
        ended = at == len(self.squares)
        lying = None if ended else self.lying[at]
        if lying is not None:
            further = node.edges.get(lying)
            if further is not None:
                self.extend_right(tiles, further, at + 1, left)
            return
        if node.final and at > self.anchor:
            self.make(tiles, self.anchor - left)
        if ended or not self.usable[at]:
            return
        allowed = self.checks[at]
        for letter, child in node.edges.items():
            if allowed is None or letter in allowed:
                for tile in self.take(letter):
                    self.extend_right(tiles + tile, child, at + 1, left)
                    self.give_back(tile)

    def take(self, letter: str) -> Iterable[str]:
        """Take a tile for a letter, in each way the hand can pay for it, one after the other."""
        held = self.rack[letter]
        if held:
            self.rack[letter] -= 1
            yield letter
        if self.jokers and not (held and self.sparing):
            self.jokers -= 1
            yield letter.lower()

    def give_back(self, tile: str) -> None:
        if tile.islower():
            self.jokers += 1
        else:
            self.rack[tile] += 1

    def make(self, tiles: str, first: int) -> None:
        """Keep a play, unless it is found in its row already or covers black fields it may not."""
        step = self.squares.step
        if len(tiles) == 1 and step != 1 and self.checks[first] is not None:
            return
        if self.blacks_are_legal(tiles, first):
            self.made.append((self.squares[first], step, tiles))

    def blacks_are_legal(self, tiles: str, first: int) -> bool:
        fields = self.board.layout.fields
        free = [at for n, at in enumerate(self.squares) if n >= first and self.lying[n] is None]
        covered = [fields[at] for at in free[: len(tiles)]]
        blacks = covered.count(FieldKind.BLACK)
        if not blacks:
            return True
        draws = self.terms.green_draws and FieldKind.GREEN in covered
        return blacks == 1 and len(tiles) == self.size and not draws


def follow(node: Node | None, letters: str) -> Node | None:
    for letter in letters:
        node = node.edges.get(letter) if node else None
    return node
