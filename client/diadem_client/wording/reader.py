"""To whom something is told: what she does herself is said to her, not of her."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from diadem.game import Seat, Viewer
from diadem_client.i18n import gettext as _


class Reader(Struct, frozen=True):
    names: Sequence[str]
    seat: Viewer = None

    def told(self, doer: Seat, of_her: str, to_her: str, **more: Any) -> str:
        if doer == self.seat:
            return to_her.format(**more)
        return of_her.format(name=self.name(doer), **more)

    def name(self, seat: Seat) -> str:
        return self.names[seat] if seat in range(len(self.names)) else _("Somebody")
