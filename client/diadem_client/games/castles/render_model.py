"""Everything there is to draw of a table of castles."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from diadem_client.board.canvas import Canvas
from diadem_client.board.names import label
from diadem_client.games.castles.draft import Shopping, Toll
from diadem_client.i18n import gettext as _
from diadem_client.wording.turns import Line
from diadem_shared.game import Seat, Viewer
from diadem_shared.games.castles.editions import DANGER, Card, Edition, colour_of
from diadem_shared.games.castles.table import Holding, PublicState


class RenderModel(Struct, frozen=True):
    table: PublicState
    edition: Edition
    seat: Viewer
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    bots: Collection[Seat] = ()
    told: Sequence[Line] = ()
    """What happened in this round, in one line a turn."""
    card: Card | None = None
    """The one that was to be seen last."""
    fresh: Collection[tuple[Seat, Card]] = ()
    """What came to whom since the player's last turn."""
    turning: int | None = None
    """A card that is drawn lies on its face (0), or is seen from its edge (1)."""
    tinted: Collection[Seat] = ()
    """Whose names are marked, as they have just built."""
    toll: Toll | None = None
    shopping: Shopping | None = None

    def name(self, canvas: Canvas, seat: Seat, room: int) -> str:
        name = _("You") if seat == self.seat else self.names[seat]
        return label(canvas, name, room, is_bot=seat in self.bots)

    @property
    def order(self) -> list[Seat]:
        """The own seat first, the others as they follow."""
        seats, first = len(self.names), self.seat or 0
        return [(first + step) % seats for step in range(seats)]

    @property
    def dangers_left(self) -> int:
        """How many lie in the deck: nobody holds one, and those put aside lie open."""
        return max(0, self.edition.dangers - self.table.aside.count(DANGER))


def spare(holding: Holding) -> list[Card]:
    """The parts that are kept in reserve."""
    return [card for card in holding.reserve if colour_of(card)]
