"""What a bot knows when it has to move: its view, and what follows from it."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from msgspec import UNSET

from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games.diamino.board import EMPTY
from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.table import PublicState, TableView
from diadem_shared.games.diamino.tiles import TILE_SETS, TileSet, from_hand, sorted_hand
from diadem_shared.games.diamino.words import finder_of


class Situation:
    def __init__(self, view: TableView) -> None:
        if view.seat is None or view.private is None:
            raise ValueError("a bot sits at the table")
        self.table: PublicState = view.public
        self.seat: Seat = view.seat
        self.hand: str = view.private.tiles

    @property
    def finder(self) -> Finder:
        return finder_of(self.table.options)

    @property
    def tiles(self) -> TileSet:
        return TILE_SETS[self.table.options.language]

    @property
    def others(self) -> Sequence[Seat]:
        """In the order in which they will move."""
        seats = len(self.table.sizes)
        return [(self.seat + ahead) % seats for ahead in range(1, seats)]

    @property
    def may_exchange(self) -> bool:
        return bool(self.table.reserve and self.hand and not self.table.refused)

    @property
    def passing_ends(self) -> bool:
        """M-17: one more pass, or one more turn in which nothing is laid, and the round is over."""
        table = self.table
        if table.most_passes is UNSET or table.most_idle is UNSET:
            seats = len(table.sizes)
            return table.passes + 1 >= seats or table.idle + 1 >= 2 * seats
        return table.passes + 1 >= table.most_passes or table.idle + 1 >= table.most_idle

    @property
    def knows_all(self) -> bool:
        """Whether every hand is known, and nothing is drawn any more."""
        if self.table.reserve:
            return False
        return self.table.hands is not None or len(self.others) == 1

    @cached_property
    def unseen(self) -> str:
        """The tiles that lie in the reserve or in the others' hands."""
        lying = from_hand(self.table.board.letters.replace(EMPTY, ""))
        left = Counter(self.tiles.tiles) - Counter(lying) - Counter(self.hand)
        return sorted_hand("".join(left.elements()))

    @property
    def unseen_value(self) -> float:
        """What a tile of the others is worth on average."""
        return self.tiles.value(self.unseen) / max(1, len(self.unseen))

    def value_held(self, seat: Seat) -> float:
        """What another player's hand is likely worth."""
        if self.table.hands is not None:
            return self.tiles.value(self.table.hands[seat])
        return self.unseen_value * self.table.sizes[seat]

    def imagine_hands(self, seat: Seat, count: int, chance: Chance) -> list[str]:
        """Hands this player may hold; only the true one where it can be known."""
        if self.table.hands is not None:
            return [self.table.hands[seat]]
        size = self.table.sizes[seat]
        if size >= len(self.unseen):
            return [self.unseen]
        mixed = [chance.shuffled(self.unseen) for _ in range(count)]
        return [sorted_hand("".join(tiles[:size])) for tiles in mixed]
