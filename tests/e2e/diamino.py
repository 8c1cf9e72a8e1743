"""Diamino by keys: the board and the hand are read off the screen, and a word is laid that fits."""

import re
from collections.abc import Iterator
from itertools import permutations

from diadem_shared.games.diamino.board import EMPTY, Board, standard_layout
from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.terms import RuleSet, Terms
from diadem_shared.lexicon import shelf
from tests.e2e.rig import Terminal
from tests.e2e.table import MINE

LAYOUT = standard_layout()
WORDS = shelf.take("en")
RULER, FIELD = 3, 3
"""Columns of the numbers beside the board, and of a field, at 80x24."""
COLUMNS = re.compile(r"^ +A  B  C  D  E  F  G  H  I  J  K  L  M  N  O\b")
ARROWS = {"\u25ba": Direction.ACROSS, "\u25bc": Direction.DOWN}
DRAFT, LEDGE = "+", "\u2580\u2580"
TURN = "Your turn: lay a word."
GIVE = re.compile(r"Red devils?: you may give (\d+) tiles? back\.")
ENDED = re.compile(r"\w+ (?:is|are) out\b|Nothing goes any more\.")


def has_board(text: str) -> bool:
    """And a rack: for who has just come, the question may stand there before them."""
    rows = text.splitlines()
    return any(map(COLUMNS.match, rows)) and any(row.startswith(LEDGE) for row in rows)


def is_asked(text: str) -> bool:
    return TURN in text and has_board(text)


def fields(text: str) -> Iterator[str]:
    """The 225 fields of the board, three characters each."""
    rows = text.splitlines()
    top = next(number for number, row in enumerate(rows) if COLUMNS.match(row)) + 1
    for row in rows[top : top + LAYOUT.height]:
        wide = row.ljust(RULER + FIELD * LAYOUT.width)
        for column in range(LAYOUT.width):
            yield wide[RULER + FIELD * column :][:FIELD]


def lying(text: str) -> Board:
    return Board(LAYOUT, "".join(map(_tile, fields(text))))


def _tile(drawn: str) -> str:
    """A capital is a tile, with a star a joker; a plus before it marks a draft."""
    left, letter, value = list(drawn)
    if left == DRAFT or not letter.isascii() or not letter.isupper():
        return EMPTY
    return letter.lower() if value == "*" else letter


def letters(text: str) -> int:
    """How many tiles lie there, drafts included."""
    return sum(drawn[1].isascii() and drawn[1].isupper() for drawn in fields(text))


def cursor(text: str) -> tuple[int, Direction]:
    for square, drawn in enumerate(fields(text)):
        for arrow, direction in ARROWS.items():
            if arrow in drawn:
                return square, direction
    raise AssertionError(f"no cursor:\n{text}")


def hand(text: str) -> str:
    """What stands on the rack, between the board and its ledge."""
    rows = text.splitlines()
    first = next(number for number, row in enumerate(rows) if row.startswith("15 ")) + 1
    ledge = next(number for number, row in enumerate(rows) if row.startswith(LEDGE))
    return "".join(re.findall(r"[A-Z*]", "".join(rows[first:ledge])))


def reserve(text: str) -> int:
    found = re.search(r"Reserve (\d+)", text)
    assert found is not None
    return int(found[1])


class Diamino:
    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._finder = Finder(WORDS)
        self.gave_back = 0

    def turn(self, player: Terminal) -> None:
        shown = player.settled(lambda text: is_asked(text) or has_moved(text), "to be on")
        if has_moved(shown):
            return
        play = self._longest(shown)
        if play is None:
            pass_(player)
            return
        set_down(player, shown, play)
        player.until(lambda text: re.search(r"\bok\b", text), f"{play} to be good")
        player.press("Enter")
        after = player.until(
            lambda text: has_moved(text) or GIVE.search(text), f"{play} to lie there"
        )
        if asked := GIVE.search(after):
            self._give_back(player, int(asked[1]))

    def _longest(self, shown: str) -> Play | None:
        terms = Terms(self._rules, reserve(shown))
        found = self._finder.find(lying(shown), hand(shown), terms)
        return next(found.ranked(lambda slot: slot.new), None)

    def _give_back(self, player: Terminal, most: int) -> None:
        """M-21, all that may be given."""
        tiles = hand(player.settled(GIVE.search, "what to give"))[:most]
        for tile in tiles:
            player.press("." if tile == "*" else tile.lower())
        player.until(lambda text: text.count("[") >= len(tiles), f"{tiles} to be marked")
        player.press("Enter")
        player.until(has_moved, f"{tiles} to be back")
        self.gave_back += 1


def has_moved(text: str) -> bool:
    return not MINE.search(text)


def set_down(player: Terminal, shown: str, play: Play) -> None:
    """Go there, turn, and type the letters; a full stop makes the next one a joker."""
    square = LAYOUT.square(play.start)
    assert square is not None
    at, direction = cursor(shown)
    down, across = (
        square // LAYOUT.width - at // LAYOUT.width,
        square % LAYOUT.width - at % LAYOUT.width,
    )
    player.press(
        *["Down" if down > 0 else "Up"] * abs(down),
        *["Right" if across > 0 else "Left"] * abs(across),
        *["Space"] * (direction is not play.direction),
    )
    for tile in play.tiles:
        player.press(*["."] * tile.islower(), tile.lower())
    whole = letters(shown) + len(play.tiles)
    player.until(lambda text: letters(text) == whole, f"{play} to be set down")


def pass_(player: Terminal) -> None:
    player.press("2")
    player.reads("Pass? Enter passes")
    player.press("Enter")
    player.until(has_moved, "the pass")


def exchange(player: Terminal, tiles: str) -> None:
    player.press("4")
    player.reads("Exchange: letters mark tiles")
    for tile in tiles:
        player.press("." if tile == "*" else tile.lower())
    player.press("Enter")
    player.until(has_moved, f"{tiles} to be exchanged")


def no_word(tiles: str) -> str:
    """Three letters of a hand that are no word."""
    letters = tiles.replace("*", "")
    return next(word for word in map("".join, permutations(letters, 3)) if word not in WORDS)
