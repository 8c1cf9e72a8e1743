"""What a player of castles is about to do: cards marked to be given up, a seller to buy from."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from diadem.game import Seat
from diadem.games.castles.editions import Card, in_order
from diadem.games.castles.rules import owed
from diadem.games.castles.table import Holding, Pay, PublicState

KEYS = "123456789aceghijklmnoqrstuvwxyz"
"""One a card; D, P, B and F are commands, and who has more cards than this uses the arrows."""


class Toll(Struct, frozen=True):
    """Cards to be given up: some are marked, and one is pointed at."""

    cards: tuple[Card, ...]
    owed: int
    marked: frozenset[int] = frozenset()
    at: int = 0

    @property
    def complete(self) -> bool:
        return len(self.marked) == self.owed

    @property
    def move(self) -> Pay:
        return Pay(in_order(self.cards[at] for at in self.marked))

    def pointing(self, by: int) -> "Toll":
        if not self.cards:
            return self
        return replace(self, at=(self.at + by) % len(self.cards))

    def pointing_at(self, key: str) -> "Toll | None":
        """None where no card has that key."""
        at = KEYS.find(key)
        return replace(self, at=at) if at in range(len(self.cards)) else None

    def toggled(self) -> "Toll | None":
        """With the card pointed at marked, or no longer; None where enough are marked already."""
        if self.at in self.marked:
            return replace(self, marked=self.marked - {self.at})
        if self.complete:
            return None
        return replace(self, marked=self.marked | {self.at})


def toll_for(holding: Holding, earlier: Toll | None = None) -> Toll:
    """The own castle stands last, where it is not given up by a slip.

    What was marked before stays marked, as far as the cards are still there.
    """
    toll = Toll(holding.reserve + holding.castle, owed(holding))
    if earlier is None:
        return toll
    wanted = Counter(earlier.cards[at] for at in sorted(earlier.marked))
    marked: set[int] = set()
    for at, card in enumerate(toll.cards):
        if wanted[card] and len(marked) < toll.owed:
            wanted[card] -= 1
            marked.add(at)
    at = min(earlier.at, max(0, len(toll.cards) - 1))
    return replace(toll, marked=frozenset(marked), at=at)


class Shopping(Struct, frozen=True):
    """Whom to buy from, where several could sell."""

    sellers: tuple[Seat, ...]
    at: int = 0

    @property
    def seller(self) -> Seat:
        return self.sellers[self.at]

    def pointing(self, by: int) -> "Shopping":
        return replace(self, at=(self.at + by) % len(self.sellers))

    def pointing_at(self, number: int) -> "Shopping | None":
        """By the number in the list, from 1; None where the list is shorter."""
        return replace(self, at=number - 1) if number in range(1, len(self.sellers) + 1) else None


def sellers(table: PublicState, buyer: Seat) -> Sequence[Seat]:
    """Everybody who holds a spare part of the colour that this player builds."""
    colour = table.holdings[buyer].builds
    return [
        seat
        for seat, holding in enumerate(table.holdings)
        if seat != buyer and holding.spare(colour)
    ]
