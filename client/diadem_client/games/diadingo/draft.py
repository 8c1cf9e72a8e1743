"""Where a player of Diadingo aims, and whom they are about to rob."""

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from diadem_shared.game import Seat
from diadem_shared.games.diadingo.board import ROWS, Spot, Value
from diadem_shared.games.diadingo.table import Decline, PublicState, Steal, robberies

LETTERS = "ABCDEFG"
LONGEST = max(ROWS)
MIDDLE: Spot = "D4"


def place(spot: Spot) -> tuple[int, int]:
    """Row, and half spots from the left edge of the longest row: the rows are centred."""
    row = LETTERS.index(spot[0])
    return row, LONGEST - ROWS[row] + 2 * (int(spot[1:]) - 1)


class Aim(Struct, frozen=True):
    spot: Spot = MIDDLE
    row: str = ""
    """The letter of a spot that is being typed."""

    def moved(self, across: int, down: int, board: Collection[Spot]) -> "Aim | None":
        """To the next diamond that way; None where there is none."""
        row, x = place(self.spot)
        if across:
            there = [spot for spot in board if place(spot)[0] == row]
            ahead = [spot for spot in there if (place(spot)[1] - x) * across > 0]
        else:
            below = [spot for spot in board if (place(spot)[0] - row) * down > 0]
            nearest = min((abs(place(spot)[0] - row) for spot in below), default=0)
            ahead = [spot for spot in below if abs(place(spot)[0] - row) == nearest]
        if not ahead:
            return None
        return Aim(min(ahead, key=lambda spot: abs(place(spot)[1] - x)))

    def typed(self, character: str) -> "Aim | None":
        """A letter, then a number; None for what is no part of a spot."""
        if len(character) != 1:
            return None
        if character.upper() in LETTERS:
            return replace(self, row=character.upper())
        if self.row and character in "12345678":
            long_enough = int(character) <= ROWS[LETTERS.index(self.row)]
            return Aim(self.row + character) if long_enough else None
        return None


class Theft(Struct, frozen=True):
    """The rings that may be robbed, the dearest first, and last to rob nobody."""

    choices: tuple[tuple[Value, Seat], ...]
    at: int = 0

    @property
    def declines(self) -> bool:
        return self.at == len(self.choices)

    @property
    def move(self) -> Steal | Decline:
        return Decline() if self.declines else Steal(*self.choices[self.at])

    def moved(self, by: int) -> "Theft":
        return replace(self, at=(self.at + by) % (len(self.choices) + 1))

    def pointing_at(self, move: Steal | Decline) -> "Theft":
        if isinstance(move, Decline):
            return replace(self, at=len(self.choices))
        return replace(self, at=self.choices.index((move.value, move.victim)))

    def picked(self, number: int) -> "Theft | None":
        """By the number in the list; 0 robs nobody."""
        if number == 0:
            return replace(self, at=len(self.choices))
        return replace(self, at=number - 1) if number <= len(self.choices) else None


def theft_from(table: PublicState, thief: Seat, earlier: Theft | None = None) -> Theft:
    """What was pointed at stays so, if it can still be robbed."""
    choices = tuple(
        sorted(robberies(table.hands, thief), key=lambda choice: (-choice[0], choice[1]))
    )
    theft = Theft(choices)
    if earlier is None or earlier.declines:
        return theft if earlier is None else replace(theft, at=len(choices))
    wanted = earlier.choices[earlier.at]
    return replace(theft, at=choices.index(wanted)) if wanted in choices else theft
