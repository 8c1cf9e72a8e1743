"""Diadingo by keys, played by two who try no diamond twice."""

import re

from tests.e2e.rig import Terminal
from tests.e2e.table import MINE

ROW = re.compile(r"^ *([A-G]) (.*)")
MISSED = re.compile("[#\u00d7]")
CARD = re.compile(r"A ring of [\d ]+ dollars: aim|Theft: whom do you rob\?")
RING = "dollars: aim"
NOBODY = "\u25ba 0  rob nobody"
ENDED = re.compile(r"The last card is used\.|Only fixed diamonds are left[.:]")


def diamonds(text: str) -> list[str]:
    """Letters stand at the left of each row, numbers on the gems; what one has brought stands where it was."""
    rows = [found for found in (ROW.match(row[:53]) for row in text.splitlines()[1:16]) if found]
    return [row[1] + number for row in rows for number in re.findall(r"(?<!\+)[1-8]", row[2])]


def tried(text: str) -> bool:
    """Whether some gem is shown as fixed, or a try as having missed."""
    return any(MISSED.search(row[:53]) for row in text.splitlines()[1:16])


def is_asked(text: str) -> bool:
    """By a card, and the board stands there that it is about: they may be painted one after the other."""
    return bool(CARD.search(text) and diamonds(text))


class Diadingo:
    def __init__(self) -> None:
        self._proved: set[str] = set()
        """Spots that did not move: the players remember, the board does not."""
        self._thefts = 0

    def turn(self, player: Terminal) -> None:
        shown = player.settled(lambda text: is_asked(text) or not MINE.search(text), "a card")
        card = CARD.search(shown)
        if not MINE.search(shown) or card is None:
            return
        if card[0].startswith("Theft"):
            self._rob(player)
        else:
            self._take(player, shown)

    def _take(self, player: Terminal, shown: str) -> None:
        spot = next(each for each in diamonds(shown) if each not in self._proved)
        player.press(*spot, "Enter")
        after = player.settled(
            lambda text: not MINE.search(text) and diamonds(text), f"what becomes of {spot}"
        )
        if spot in diamonds(after):
            self._proved.add(spot)

    def _rob(self, player: Terminal) -> None:
        """Robbing and letting be by turns."""
        self._thefts += 1
        if self._thefts % 2:
            player.press("0")
            player.reads(NOBODY)
            player.press("Enter")
            player.until(lambda text: NOBODY not in text, "another card")
        else:
            # Enter again, right after robbing nobody, would be taken for one that is held down.
            player.press("1", "Enter")
            player.until(lambda text: not MINE.search(text), "the theft")
