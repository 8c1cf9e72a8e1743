"""The rules of placing once more, as plainly as they can be written, to hold the product against."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

Place = tuple[int, int]
Tiles = dict[Place, str]


class WordSet:
    """A lexicon of a few words."""

    def __init__(self, words: set[str]) -> None:
        self.words = words

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(word) for word in self.words}))

    def __contains__(self, word: object, /) -> bool:
        return word in self.words

    def packed(self, length: int) -> bytes:
        return "".join(sorted(word for word in self.words if len(word) == length)).encode()


class Table:
    """A board and the facts a play is judged by; places are row and column from 0."""

    def __init__(
        self,
        rows: list[str],
        lying: Tiles,
        hand: str,
        *,
        rummy: bool,
        reserve: int,
        words: set[str],
    ) -> None:
        self.rows = rows
        self.lying = lying
        self.hand = hand
        self.rummy = rummy
        self.reserve = reserve
        self.words = words

    def kind(self, place: Place) -> str:
        return self.rows[place[0]][place[1]]

    def on_board(self, place: Place) -> bool:
        return 0 <= place[0] < len(self.rows) and 0 <= place[1] < len(self.rows[0])

    def run(self, letters: Tiles, place: Place, down: int, right: int) -> list[Place]:
        row, column = place
        while (row - down, column - right) in letters:
            row, column = row - down, column - right
        places = []
        while (row, column) in letters:
            places.append((row, column))
            row, column = row + down, column + right
        return places

    def runs(self, new: Tiles) -> set[tuple[Place, ...]]:
        """All runs of two or more letters that go through a new tile."""
        letters = {**self.lying, **new}
        every = [
            tuple(self.run(letters, place, down, right))
            for place in new
            for down, right in ((0, 1), (1, 0))
        ]
        return {run for run in every if len(run) > 1}

    def is_word(self, new: Tiles, run: tuple[Place, ...]) -> bool:
        text = "".join({**self.lying, **new}[place] for place in run).upper()
        across = run[0][0] == run[1][0]
        forward, backward = text in self.words, text[::-1] in self.words
        if across:
            return forward
        if self.lying:
            return forward or backward
        start = self.start()
        if run[0] == start:
            return forward
        if run[-1] == start:
            return backward
        return forward or backward

    def start(self) -> Place:
        return next(
            (row, column)
            for row, text in enumerate(self.rows)
            for column, kind in enumerate(text)
            if kind == "S"
        )

    def refusals(self, draft: Tiles) -> set[str]:
        """The codes of all reasons against some tiles on some fields."""
        if not draft:
            return {"nothing_laid"}
        new = {at: tile for at, tile in draft.items() if self.on_board(at) and at not in self.lying}
        against = {
            "off_board": any(not self.on_board(place) for place in draft),
            "field_taken": any(place in self.lying for place in draft),
            "joker_unnamed": "*" in new.values(),
            "not_your_tiles": not self.holds(draft),
            "black_field": self.misuses_black(new),
            "not_in_line": not self.in_line(new),
            "gap": self.in_line(new) and self.has_gap(new),
        }
        upside_down = not self.lying and against["off_board"] is False and self.is_upside_down(new)
        unknown = any(not self.is_word(new, run) for run in self.named_runs(new))
        against["unknown_words"] = unknown and not (against["off_board"] or upside_down)
        if self.lying:
            touched = [place for run in self.runs(new) for place in run if place in self.lying]
            against["touches_nothing"] = not touched
        else:
            against["opening_length"] = not 2 <= len(new) <= 8
            against["not_on_start"] = bool(new) and (upside_down or not self.begins_on_start(new))
        return {code for code, applies in against.items() if applies}

    def is_upside_down(self, new: Tiles) -> bool:
        """A word downward that ends on the start, and is none upward: it was meant to begin there."""
        (first, *_), last = sorted(new), max(new)
        if len(new) < 2 or last != self.start() or any(at[1] != first[1] for at in new):
            return False
        text = "".join(new[place] for place in sorted(new)).upper()
        return text in self.words and text[::-1] not in self.words

    def holds(self, draft: Tiles) -> bool:
        needed = ["*" if tile.islower() else tile for tile in draft.values()]
        return all(needed.count(tile) <= self.hand.count(tile) for tile in needed)

    def misuses_black(self, new: Tiles) -> bool:
        blacks = [place for place in new if self.kind(place) == "#"]
        if not blacks:
            return False
        laid = ["*" if tile.islower() else tile for tile in new.values()]
        if len(blacks) > 1 or any(laid.count(tile) < self.hand.count(tile) for tile in self.hand):
            return True
        if self.rummy:
            return self.reserve > 0 and any(self.kind(place) == "g" for place in new)
        return self.reserve > 0

    def in_line(self, new: Tiles) -> bool:
        return len({row for row, _ in new}) <= 1 or len({column for _, column in new}) <= 1

    def has_gap(self, new: Tiles) -> bool:
        rows, columns = [row for row, _ in new], [column for _, column in new]
        return bool(new) and any(
            (row, column) not in self.lying and (row, column) not in new
            for row in range(min(rows), max(rows) + 1)
            for column in range(min(columns), max(columns) + 1)
        )

    def named_runs(self, new: Tiles) -> set[tuple[Place, ...]]:
        return {run for run in self.runs(new) if "*" not in [new.get(place) for place in run]}

    def begins_on_start(self, new: Tiles) -> bool:
        first, last = min(new), max(new)
        if first[0] == last[0]:
            return first == self.start()
        if all(column == first[1] for _, column in new):
            return self.start() in {first, last}
        return False


def every_play(table: Table) -> Iterator[frozenset[tuple[Place, str]]]:
    """All legal plays: every word at every field in every direction with every choice of jokers."""
    for row in range(len(table.rows)):
        for column in range(len(table.rows[0])):
            for down, right in ((0, 1), (1, 0), (-1, 0)):
                for word in table.words:
                    letters = {
                        (row + n * down, column + n * right): letter
                        for n, letter in enumerate(word)
                    }
                    if all(table.on_board(place) for place in letters) and all(
                        table.lying.get(place, letter).upper() == letter
                        for place, letter in letters.items()
                    ):
                        new = {at: tile for at, tile in letters.items() if at not in table.lying}
                        yield from with_jokers(table, new)


def with_jokers(table: Table, new: Tiles) -> Iterator[frozenset[tuple[Place, str]]]:
    lacking = Counter(new.values()) - Counter(table.hand)
    if lacking.total() > table.hand.count("*"):
        return
    if table.refusals(new) - {"not_your_tiles", "black_field"}:
        return
    for count in range(table.hand.count("*") + 1):
        for jokers in combinations(new, count):
            laid = {at: tile.lower() if at in jokers else tile for at, tile in new.items()}
            if not table.refusals(laid):
                yield frozenset(laid.items())
