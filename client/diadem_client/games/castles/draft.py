"""What a player of castles is about to do: cards marked to be given up, a seller to buy from."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from diadem_shared.game import Seat
from diadem_shared.games.castles.editions import PRICE, Card, in_order
from diadem_shared.games.castles.rules import owed
from diadem_shared.games.castles.table import Holding, Pay, PublicState

KEYS = "123456789aceghijklmnoqrstuvwxyz"
"""One for all equal cards; D, P, B and F are commands, and who has more than this uses the arrows."""


class Kind(Struct, frozen=True):
    """Equal cards: how many there are, and how many of them are marked."""

    card: Card
    held: int = 1
    marked: int = 0
    built: bool = False
    """Whether it is a part of the own castle."""


class Toll(Struct, frozen=True):
    """Cards to be given up: of each kind some are marked, and one kind is pointed at."""

    kinds: tuple[Kind, ...]
    owed: int
    at: int = 0

    @property
    def marked(self) -> int:
        return sum(kind.marked for kind in self.kinds)

    @property
    def complete(self) -> bool:
        return self.marked == self.owed

    @property
    def move(self) -> Pay:
        return Pay(in_order(card for kind in self.kinds for card in [kind.card] * kind.marked))

    def pointing(self, by: int) -> "Toll":
        if not self.kinds:
            return self
        return replace(self, at=(self.at + by) % len(self.kinds))

    def pointing_at(self, key: str) -> "Toll | None":
        """None where no kind has that key."""
        at = KEYS.find(key)
        return replace(self, at=at) if at in range(len(self.kinds)) else None

    def toggled(self) -> "Toll | None":
        """With one more marked of the kind pointed at, after the last one with none of it.

        None where enough are marked already, and none of this kind.
        """
        if not self.kinds:
            return None
        kind = self.kinds[self.at]
        if kind.marked < kind.held and not self.complete:
            return self._marking(kind.marked + 1)
        return self._marking(0) if kind.marked else None

    def marking(self, cards: Iterable[Card]) -> "Toll":
        wanted = Counter(cards)
        kinds = (replace(kind, marked=min(wanted[kind.card], kind.held)) for kind in self.kinds)
        return replace(self, kinds=tuple(kinds))

    def emptied(self) -> "Toll":
        return replace(self, kinds=tuple(replace(kind, marked=0) for kind in self.kinds))

    def _marking(self, count: int) -> "Toll":
        kinds = list(self.kinds)
        kinds[self.at] = replace(kinds[self.at], marked=count)
        return replace(self, kinds=tuple(kinds))


def toll_for(holding: Holding, earlier: Toll | None = None) -> Toll:
    """The own castle stands last, where it is not given up by a slip.

    What was marked before stays marked, as far as the cards are still there.
    """
    kinds = [Kind(card, held) for card, held in Counter(holding.reserve).items()]
    kinds += [Kind(card, built=True) for card in holding.castle]
    need = owed(holding)
    if earlier is None:
        return Toll(tuple(kinds), need)
    before = {kind.card: kind.marked for kind in earlier.kinds}
    room = need
    for at, kind in enumerate(kinds):
        kinds[at] = replace(kind, marked=min(before.get(kind.card, 0), kind.held, room))
        room -= kinds[at].marked
    return Toll(tuple(kinds), need, at=min(earlier.at, max(0, len(kinds) - 1)))


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


def can_buy(table: PublicState, buyer: Seat) -> bool:
    """Whether they can pay, and somebody could sell."""
    return table.holdings[buyer].wealth >= PRICE and bool(sellers(table, buyer))
