"""The number that a player is about to say."""

from msgspec import Struct
from msgspec.structs import replace

from tests.sample_game import Guess, PublicState


class Draft(Struct, frozen=True):
    number: int = 1

    @property
    def move(self) -> Guess:
        return Guess(self.number)

    def moved(self, by: int, table: PublicState) -> "Draft":
        """It stays among the numbers that are still possible."""
        return replace(self, number=min(max(self.number + by, table.low), table.high))
