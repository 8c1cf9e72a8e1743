"""Everything there is to draw of a table of Diadingo."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from diadem_client.board.canvas import Canvas
from diadem_client.board.names import label
from diadem_client.games.diadingo.draft import Aim, Theft
from diadem_client.games.diadingo.gems import Moment
from diadem_client.i18n import gettext as _
from diadem_client.wording.turns import Line
from diadem_shared.game import Seat, Viewer
from diadem_shared.games.diadingo.board import Spot, Value
from diadem_shared.games.diadingo.table import PublicState


class RenderModel(Struct, frozen=True):
    table: PublicState
    seat: Viewer
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    bots: Collection[Seat] = ()
    aim: Aim | None = None
    theft: Theft | None = None
    moment: Moment | None = None
    lifts: bool = False
    """Whether what a diamond brings stands where it came off."""
    told: Sequence[Line] = ()
    """What happened in this round, in one line a turn."""
    fresh_spots: Collection[Spot] = ()
    """Where diamonds came off since the player's last turn."""
    fresh_rings: Collection[tuple[Seat, Value]] = ()
    """Whose rings of which value are others since then."""

    def name(self, canvas: Canvas, seat: Seat, room: int) -> str:
        name = _("You") if seat == self.seat else self.names[seat]
        return label(canvas, name, room, is_bot=seat in self.bots)
